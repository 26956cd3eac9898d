import type { Directory, Preview } from '../../connector.ts';
import { ask } from './api.ts';
import { type Dialog, field, form, openDialog, refusal, announce } from './dialog.ts';
import { h } from './dom.ts';
import { DEFAULT_SETTINGS, folderFields } from './folder-fields.ts';
import { count, number, size, splitPath } from './format.ts';
import { icon } from './icons.ts';
import { leftOutList } from './left-out.ts';

/** The folders of this computer, which a browser cannot list. */
function folderBrowser(chosen: (path: string) => void): HTMLElement {
  const section = h('section.browser', { 'aria-label': 'Folders of this computer' });
  const draw = ({ trail, folders, more }: Directory): void => {
    const steps = trail.map(({ path, name }) => h('button', { onclick: () => go(path) }, name));
    steps.at(-1)?.setAttribute('aria-current', 'location');
    const list = folders.map(({ name, path }) =>
      h(
        'li',
        h(
          'button.directory',
          { onclick: () => go(path) },
          icon('folder'),
          h('span', name),
          icon('right'),
        ),
      ),
    );
    section.replaceChildren(
      h('nav.trail', { 'aria-label': 'Location' }, ...steps),
      list.length === 0
        ? h('p.hint', 'No folders in here.')
        : h('ul', ...list, more > 0 && h('li.hint', `and ${number(more)} more`)),
    );
  };
  const load = async (path: string | null): Promise<void> => {
    try {
      const directory = await ask('directory', path);
      draw(directory);
      if (path === null) return;
      chosen(directory.path);
      // The pressed button was replaced.
      section.querySelector<HTMLElement>('[aria-current]')?.focus();
    } catch (error) {
      section.querySelector('.refusal')?.remove();
      section.prepend(refusal(error));
    }
  };
  const go = (path: string): void => void load(path);
  void load(null);
  return section;
}

const figures = ({ files, bytes, leftOutCount }: Preview): HTMLElement =>
  h(
    'p.figures',
    h('strong', count(files, 'file')),
    `, ${size(bytes)}`,
    leftOutCount > 0 && `; ${number(leftOutCount)} left out`,
  );

function showPreview(dialog: Dialog, root: string, preview: Preview): void {
  const { fields, read } = folderFields(DEFAULT_SETTINGS);
  const [, name] = splitPath(root);
  const submit = async (): Promise<void> => {
    await ask('addFolder', root, read());
    dialog.close();
    announce(`${name.slice(1) || root} is synced from now on.`);
  };
  const label = preview.files > 0 ? `Add and send ${count(preview.files, 'file')}` : 'Add folder';
  const backButton = h('button', { onclick: () => showChoice(dialog, root) }, 'Choose another');
  const previewForm = form(
    { label, submit, before: backButton },
    h('p.whole-path', root),
    figures(preview),
    preview.leftOutCount > 0 &&
      h(
        'details',
        h('summary', 'What is left out, and why'),
        leftOutList(preview.leftOut, preview.leftOutCount),
      ),
    h('hr'),
    ...fields,
  );
  dialog.show('Add this folder?', previewForm);
}

function showChoice(dialog: Dialog, chosen = ''): void {
  const path = h('input', {
    type: 'text',
    value: chosen,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const progress = h('p.hint', { role: 'status' });
  const submit = async (): Promise<void> => {
    const root = path.value.trim();
    if (root === '') throw new Error('Choose a folder, or type its path.');
    progress.textContent = 'Scanning the folder. Nothing is sent yet.';
    try {
      showPreview(dialog, root, await ask('preview', root));
    } finally {
      progress.textContent = '';
    }
  };
  dialog.show(
    'Add a folder',
    form(
      { label: 'Preview', submit },
      field('Path of the folder', path, 'Choose it below, or paste its path.'),
      folderBrowser((chosen) => {
        path.value = chosen;
      }),
      progress,
    ),
  );
}

/** Asks for a folder, shows what would be sent, and adds it. */
export const addFolder = (): void => showChoice(openDialog('Add a folder'));
