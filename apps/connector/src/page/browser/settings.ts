import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { actionButton, choice, confirm, field, form, openDialog, say } from './dialog.ts';
import { h } from './dom.ts';
import { hostOf, size } from './format.ts';

const PACES = [null, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000];

const paceName = (bytes: number | null): string =>
  bytes === null ? 'No limit' : `At most ${size(bytes)} a second`;

const fact = (name: string, value: string | null): HTMLElement[] =>
  value === null ? [] : [h('dt', name), h('dd', value)];

/** How the user ended the Connector. */
export type End = 'quit' | 'removed';

const askToRemove = (then: (end: End) => void): void =>
  confirm({
    title: 'Remove the Connector?',
    text: 'It disconnects this computer, forgets its folders and no longer starts with the system. What is in Engram stays there, and so does everything on this computer. The program itself can then be deleted.',
    label: 'Remove',
    run: async () => {
      await ask('uninstall');
      then('removed');
    },
  });

export function showDeviceSettings(status: ConnectorStatus, ended: (end: End) => void): void {
  const pace = choice(status.settings.bytesPerSecond, PACES, paceName);
  const autostart = h('input', { type: 'checkbox', checked: status.settings.autostart });
  const submit = async (): Promise<void> => {
    await ask('changeSettings', { bytesPerSecond: pace.value(), autostart: autostart.checked });
    dialog.close();
    say('The settings were saved.');
  };
  const finish = (end: End): void => {
    dialog.close();
    ended(end);
  };
  const quit = async (): Promise<void> => {
    await ask('quit');
    finish('quit');
  };
  const dialog = openDialog(
    'Settings',
    form(
      { label: 'Save', submit },
      field('Bandwidth', pace.control, 'Uploads never use more than this.'),
      field(
        'Start with the system',
        autostart,
        'Folders stay in step whenever this computer runs.',
      ),
    ),
    h('hr'),
    h(
      'dl.facts',
      ...fact('Engram', hostOf(status.server)),
      ...fact('Secret', status.secretKept),
      ...fact('Version', status.version),
    ),
    h(
      'div.dialog-end',
      h('button.quiet-danger', { onclick: () => askToRemove(finish) }, 'Remove the Connector…'),
      actionButton('', quit, 'Quit'),
    ),
  );
}
