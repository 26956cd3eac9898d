import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { actionButton, choice, confirm, field, form, openDialog, announce } from './dialog.ts';
import { h } from './dom.ts';
import { hostOf, size } from './format.ts';

const SPEED_LIMITS = [null, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000];

const speedLimitName = (bytes: number | null): string =>
  bytes === null ? 'No limit' : `At most ${size(bytes)} a second`;

const fact = (name: string, value: string | null): HTMLElement[] =>
  value === null ? [] : [h('dt', name), h('dd', value)];

/** How the user stopped the Connector. */
export type End = 'quit' | 'removed';

const askToRemove = (onEnd: (end: End) => void): void =>
  confirm({
    title: 'Remove the Connector?',
    text: 'This computer is disconnected, its folders are no longer synced, and the Connector no longer starts with the system. Files in Engram and on this computer stay. You can then delete the program.',
    label: 'Remove',
    run: async () => {
      await ask('uninstall');
      onEnd('removed');
    },
  });

export function showDeviceSettings(status: ConnectorStatus, onEnd: (end: End) => void): void {
  const speedLimit = choice(status.settings.bytesPerSecond, SPEED_LIMITS, speedLimitName);
  const autostart = h('input', { type: 'checkbox', checked: status.settings.autostart });
  const submit = async (): Promise<void> => {
    await ask('changeSettings', {
      bytesPerSecond: speedLimit.value(),
      autostart: autostart.checked,
    });
    dialog.close();
    announce('Settings saved.');
  };
  const finish = (end: End): void => {
    dialog.close();
    onEnd(end);
  };
  const quit = async (): Promise<void> => {
    await ask('quit');
    finish('quit');
  };
  const dialog = openDialog(
    'Settings',
    form(
      { label: 'Save', submit },
      field('Bandwidth', speedLimit.control, 'The maximum speed of uploads.'),
      field('Start with the system', autostart, 'Folders are synced whenever this computer is on.'),
    ),
    h('hr'),
    h(
      'dl.facts',
      ...fact('Engram', hostOf(status.server)),
      ...fact('Secret', status.secretLocation),
      ...fact('Version', status.version),
    ),
    h(
      'div.dialog-end',
      h('button.quiet-danger', { onclick: () => askToRemove(finish) }, 'Remove the Connector…'),
      actionButton('', quit, 'Quit'),
    ),
  );
}
