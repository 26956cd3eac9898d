import type { Preview } from '../../connector.ts';
import type { Directory } from '../directory.ts';
import { ask } from './api.ts';
import { type Dialog, field, form, openDialog, refusal, say, sentenceOf } from './dialog.ts';
import { h } from './dom.ts';
import { folderFields, usual } from './folder-fields.ts';
import { count, number, size, splitPath } from './format.ts';
import { icon } from './icons.ts';
import { leftOutList } from './left-out.ts';

type Go = (path: string) => void;

const folderButton = (name: string, path: string, go: Go): HTMLElement =>
  h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'directory', onclick: () => go(path) },
      icon('folder'),
      h('span', {}, name),
      icon('right'),
    ),
  );

/** The way from the home to a folder; each step leads there. */
const trail = ({ trail }: Directory, go: Go): HTMLElement =>
  h(
    'nav',
    { class: 'trail', 'aria-label': 'Where this is' },
    ...trail.map(({ name, path }, index) =>
      h(
        'button',
        {
          type: 'button',
          'aria-current': index === trail.length - 1 && 'location',
          onclick: () => go(path),
        },
        name,
      ),
    ),
  );

/** The folders of this machine, which a browser cannot ask for itself. */
function folderBrowser(chosen: (path: string) => void): HTMLElement {
  const place = h('section', { class: 'browser', 'aria-label': 'Folders of this computer' });
  const draw = (directory: Directory): void => {
    const list = directory.folders.map(({ name, path }) => folderButton(name, path, go));
    const more =
      directory.more > 0 && h('li', { class: 'hint' }, `and ${number(directory.more)} more`);
    const none = list.length === 0 && h('p', { class: 'hint' }, 'No folders in here.');
    place.replaceChildren(trail(directory, go), none || h('ul', {}, ...list, more));
  };
  const load = async (path: string | null): Promise<void> => {
    try {
      const directory = await ask('directory', path);
      draw(directory);
      if (path === null) return;
      chosen(directory.path);
      // The button that was pressed is gone: the place it led to is where the person is now.
      place.querySelector<HTMLElement>('[aria-current]')?.focus();
    } catch (error) {
      place.querySelector('.refusal')?.remove();
      place.prepend(refusal(sentenceOf(error)));
    }
  };
  const go = (path: string): void => void load(path);
  void load(null);
  return place;
}

const figures = ({ files, bytes, leftOutCount }: Preview): HTMLElement =>
  h(
    'p',
    { class: 'figures' },
    h('strong', {}, count(files, 'file')),
    `, ${size(bytes)}`,
    leftOutCount > 0 && `; ${number(leftOutCount)} left out`,
  );

function showPreview(dialog: Dialog, root: string, preview: Preview): void {
  const { fields, read } = folderFields(usual);
  const [, name] = splitPath(root);
  const submit = async (): Promise<void> => {
    await ask('addFolder', root, read());
    dialog.close();
    say(`${name.slice(1) || root} is kept in step from now on.`);
  };
  const label = preview.files > 0 ? `Add and send ${count(preview.files, 'file')}` : 'Add folder';
  const back = h(
    'button',
    { type: 'button', onclick: () => showChoice(dialog, root) },
    'Choose another',
  );
  const all = form(
    { label, submit },
    h('p', { class: 'whole-path' }, root),
    figures(preview),
    preview.leftOutCount > 0 &&
      h(
        'details',
        {},
        h('summary', {}, 'What is left out, and why'),
        leftOutList(preview.leftOut, preview.leftOutCount),
      ),
    h('hr'),
    ...fields,
  );
  all.querySelector('.dialog-end')?.prepend(back);
  dialog.show('Add this folder?', all);
}

function showChoice(dialog: Dialog, chosen = ''): void {
  const path = h('input', {
    type: 'text',
    value: chosen,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const looking = h('p', { class: 'hint', role: 'status' });
  const submit = async (): Promise<void> => {
    const root = path.value.trim();
    if (root === '') throw new Error('Choose a folder, or type its path.');
    looking.textContent = 'Looking through the folder. Nothing is sent yet.';
    try {
      showPreview(dialog, root, await ask('preview', root));
    } finally {
      looking.textContent = '';
    }
  };
  dialog.show(
    'Add a folder',
    form(
      { label: 'Look at it', submit },
      field('Path of the folder', path, 'Choose it below, or paste its path.'),
      folderBrowser((chosen) => {
        path.value = chosen;
      }),
      looking,
    ),
  );
}

/** Asks for a folder, shows what would be sent, and adds it. */
export const addFolder = (): void => showChoice(openDialog('Add a folder'));
