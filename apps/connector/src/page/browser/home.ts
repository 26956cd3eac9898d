import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { addFolder } from './add-folder.ts';
import { actionButton } from './dialog.ts';
import { h } from './dom.ts';
import { folderRow } from './folder-row.ts';
import { count, duration, hostOf, sum, summary, webLink } from './format.ts';
import { icon } from './icons.ts';

function subline({ folders, server, paused }: ConnectorStatus): string {
  const times = folders
    .filter(({ state }) => state === 'syncing')
    .map(({ secondsLeft }) => secondsLeft)
    .filter((seconds) => seconds !== null);
  const files = sum(folders, (folder) => folder.files);
  return [
    count(folders.length, 'folder'),
    `${count(files, 'file')} on ${hostOf(server) ?? 'Engram'}`,
    ...(!paused && times.length > 0 ? [`${duration(Math.max(...times))} left`] : []),
  ].join(' · ');
}

const action = (
  label: string,
  iconName: Parameters<typeof icon>[0],
  run: () => unknown,
  kind: 'primary' | '' = '',
): HTMLElement => {
  const button = actionButton(kind, run, icon(iconName), h('span', label));
  button.dataset['key'] = label;
  return button;
};

const actions = ({ paused }: ConnectorStatus): HTMLElement =>
  h(
    'div.actions',
    !paused && action('Sync now', 'refresh', () => ask('syncOnce')),
    paused
      ? action('Resume', 'play', () => ask('resume'))
      : action('Pause', 'pause', () => ask('pause')),
    action('Add folder', 'plus', addFolder, 'primary'),
  );

const notice = ({ problem }: ConnectorStatus): HTMLElement | false =>
  problem !== null && h('div.notice', { 'data-key': 'problem' }, icon('alert'), h('p', problem));

const updateNotice = ({ newer }: ConnectorStatus): HTMLElement | false =>
  newer !== null &&
  h(
    'p.newer',
    `Version ${newer.version} is available. `,
    h('a', { href: webLink(newer.link), target: '_blank', rel: 'noreferrer' }, 'Get it'),
  );

const empty = (): HTMLElement =>
  h(
    'div.empty',
    h('span.tile', { 'data-tone': 'busy' }, icon('folder')),
    h('h1', 'Choose a folder'),
    h(
      'p',
      'Its files are sent to Engram and stay synced: new, changed and renamed files are uploaded automatically.',
    ),
    action('Add folder', 'plus', addFolder, 'primary'),
    h('p.hint', 'You see what would be sent before anything is sent.'),
  );

/** The page of a paired computer. */
export function homeView(status: ConnectorStatus): HTMLElement {
  const { folders } = status;
  const notices = [notice(status), updateNotice(status)];
  if (folders.length === 0) return h('main', ...notices, empty());
  return h(
    'main',
    ...notices,
    h(
      'div.summary',
      h('div', h('h1', summary(status)), h('p.subline', subline(status))),
      actions(status),
    ),
    h('ul.folders', { 'aria-label': 'Folders' }, ...folders.map(folderRow)),
  );
}
