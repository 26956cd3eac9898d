import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { addFolder } from './add-folder.ts';
import { say } from './dialog.ts';
import { type Child, h } from './dom.ts';
import { folderRow } from './folder-row.ts';
import { count, duration, hostOf, webLink } from './format.ts';
import { icon } from './icons.ts';
import { sum, summary } from './summary.ts';

function subline({ folders, server, paused }: ConnectorStatus): string {
  const times = folders
    .filter(({ state }) => state === 'syncing')
    .map(({ secondsLeft }) => secondsLeft)
    .filter((seconds) => seconds !== null);
  return [
    count(folders.length, 'folder'),
    `${count(
      sum(folders, ({ files }) => files),
      'file',
    )} on ${hostOf(server) ?? 'Engram'}`,
    !paused && times.length > 0 && `${duration(Math.max(...times))} left`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A button that asks for something simple, and says so where that was refused. */
const action = (
  label: string,
  drawn: Parameters<typeof icon>[0],
  run: () => unknown,
  kind = '',
): HTMLElement =>
  h(
    'button',
    {
      type: 'button',
      class: kind,
      'data-key': label,
      onclick: async () => {
        try {
          await run();
        } catch (error) {
          say((error as Error).message);
        }
      },
    },
    icon(drawn),
    h('span', {}, label),
  );

const actions = ({ paused }: ConnectorStatus): HTMLElement =>
  h(
    'div',
    { class: 'actions' },
    !paused && action('Sync now', 'refresh', () => ask('syncOnce')),
    paused
      ? action('Resume', 'play', () => ask('resume'))
      : action('Pause', 'pause', () => ask('pause')),
    action('Add folder', 'plus', addFolder, 'primary'),
  );

const notice = (kind: string, ...children: Child[]): HTMLElement =>
  h(
    'div',
    { class: 'notice', 'data-kind': kind, 'data-key': kind },
    icon('alert'),
    h('p', {}, ...children),
  );

const newer = ({ newer }: ConnectorStatus): HTMLElement | false =>
  newer !== null &&
  h(
    'p',
    { class: 'newer' },
    `Version ${newer.version} is there. `,
    h('a', { href: webLink(newer.link), target: '_blank', rel: 'noreferrer' }, 'Get it'),
  );

const empty = (): HTMLElement =>
  h(
    'div',
    { class: 'empty' },
    h('span', { class: 'tile', 'data-tone': 'busy' }, icon('folder')),
    h('h1', {}, 'Choose a folder'),
    h(
      'p',
      {},
      'What is in it is sent to Engram, and stays in step: what is new, changed or renamed arrives by itself.',
    ),
    action('Add folder', 'plus', addFolder, 'primary'),
    h('p', { class: 'hint' }, 'You see what would be sent before anything is.'),
  );

/** The page of a computer that is let in. */
export function homeView(status: ConnectorStatus): HTMLElement {
  const { folders, trouble } = status;
  const notices = [trouble !== null && notice('trouble', trouble), newer(status)];
  if (folders.length === 0) return h('main', {}, ...notices, empty());
  return h(
    'main',
    {},
    ...notices,
    h(
      'div',
      { class: 'summary' },
      h('div', {}, h('h1', {}, summary(status)), h('p', { class: 'subline' }, subline(status))),
      actions(status),
    ),
    h('ul', { class: 'folders', 'aria-label': 'Folders' }, ...folders.map(folderRow)),
  );
}
