import type { FolderStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { actionButton, confirm, form, openDialog, announce } from './dialog.ts';
import { type Child, h } from './dom.ts';
import { folderFields } from './folder-fields.ts';
import { count, duration, number, size, splitPath } from './format.ts';
import { icon } from './icons.ts';
import { showLeftOut } from './left-out.ts';

const states: Record<FolderStatus['state'], [label: string, tone: string]> = {
  current: ['Synced', 'good'],
  syncing: ['Sending', 'busy'],
  paused: ['Paused', 'still'],
  missing: ['Missing', 'bad'],
  waiting: ['Waiting', 'wait'],
};

function showSettings(folder: FolderStatus): void {
  const { id, name, root } = folder;
  const { fields, read } = folderFields(folder);
  const submit = async (): Promise<void> => {
    await ask('changeFolder', id, read());
    dialog.close();
    announce(`Settings of ${name} saved.`);
  };
  const remove = h(
    'button.quiet-danger',
    { onclick: () => askToRemove(folder, dialog.close) },
    'Remove folder…',
  );
  const dialog = openDialog(
    name,
    form({ label: 'Save', submit, before: remove }, h('p.whole-path', root), ...fields),
  );
}

const askToRemove = ({ id, name }: FolderStatus, onRemoved: () => void): void =>
  confirm({
    title: `Remove ${name}?`,
    text: 'It is no longer synced. Its files in Engram and on this computer stay.',
    label: 'Remove folder',
    run: async () => {
      await ask('removeFolder', id);
      onRemoved();
      announce(`${name} is no longer synced.`);
    },
  });

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Asks whether many files that were removed together are archived. */
function archiveQuestion(folder: FolderStatus): HTMLElement | false {
  const { id, archiveAsked: pending, name } = folder;
  if (pending === 0) return false;
  const answer = async (archive: boolean): Promise<void> => {
    await ask('answerArchive', id, archive);
    announce(
      archive ? `${count(pending, 'file')} of ${name} will be archived.` : 'They stay in Engram.',
    );
  };
  return h(
    'div.question',
    { role: 'group', 'aria-label': `A question about ${name}` },
    h(
      'p',
      h('strong', `${count(pending, 'file')} were removed from this folder.`),
      ' Should they be archived in Engram? Archived files can be restored at any time.',
    ),
    h(
      'div',
      actionButton('primary', () => answer(true), 'Archive them'),
      actionButton('', () => answer(false), 'Keep them'),
    ),
  );
}

function progress({ name, files, waiting, waitingBytes, secondsLeft }: FolderStatus): HTMLElement {
  const total = files + waiting;
  return h(
    'div.progress',
    h('progress', { max: Math.max(1, total), value: files, 'aria-label': `Sending ${name}` }),
    h('p', `${number(files)} of ${count(total, 'file')} · ${size(waitingBytes)} to go`),
    secondsLeft !== null && h('p', `${upperFirst(duration(secondsLeft))} left`),
  );
}

function detail(folder: FolderStatus): Child {
  const { state, files, waiting, waitingBytes } = folder;
  if (state === 'syncing' && waiting > 0) return progress(folder);
  const wait = waiting > 0 && `${count(waiting, 'file')} to send, ${size(waitingBytes)}`;
  const texts: Record<FolderStatus['state'], Child> = {
    current: count(files, 'file'),
    syncing: 'Scanning the folder',
    paused: wait || count(files, 'file'),
    missing: 'Is its disk connected? Nothing changes in Engram until it is back.',
    waiting: wait || 'Continues automatically as soon as possible',
  };
  return h('p.detail', texts[state]);
}

function path(root: string): HTMLElement {
  const [head, tail] = splitPath(root);
  return h('p.path', { title: root }, h('span.head', head), h('span.tail', tail));
}

export function folderRow(folder: FolderStatus): HTMLElement {
  const { id, name, root, state, refused, keywords } = folder;
  const [label, tone] = states[state];
  return h(
    'li.folder',
    { 'data-key': id },
    h('span.tile', { 'data-tone': tone }, icon('folder')),
    h(
      'div.about',
      h('h2', name),
      path(root),
      keywords.length > 0 &&
        h('ul.tags', { 'aria-label': 'Keywords' }, ...keywords.map((word) => h('li', word))),
    ),
    h(
      'div.state',
      h('p.label', { 'data-tone': tone }, label),
      detail(folder),
      refused > 0 &&
        h('button.link', { onclick: () => showLeftOut(folder) }, `${number(refused)} left out`),
    ),
    h(
      'button.plain',
      { 'aria-label': `Settings of ${name}`, onclick: () => showSettings(folder) },
      icon('settings'),
    ),
    archiveQuestion(folder),
  );
}
