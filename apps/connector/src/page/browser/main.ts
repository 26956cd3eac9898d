import type { ConnectorStatus } from '../../connector.ts';
import { followStatus } from './api.ts';
import { h, morph } from './dom.ts';
import { hostOf } from './format.ts';
import { homeView } from './home.ts';
import { icon } from './icons.ts';
import { card, pairingView } from './pairing.ts';
import { type End, showDeviceSettings } from './settings.ts';

const page = document.querySelector('#page');

let status: ConnectorStatus | null = null;
let end: End | 'unreachable' | null = null;
/** The code that the user does not want to confirm. A new code is shown again. */
let declinedCode: string | null = null;

const endings: Record<End | 'unreachable', [title: string, text: string]> = {
  quit: ['The Connector has stopped', 'Folders are synced again when you start it.'],
  removed: [
    'This computer is disconnected',
    'Files in Engram stay there. You can delete the program now.',
  ],
  unreachable: [
    'The Connector does not respond',
    'It may have stopped. This page continues automatically when the Connector responds again. After a restart, open the page from the Connector again.',
  ],
};

const openSettings = (shown: ConnectorStatus): void =>
  showDeviceSettings(shown, (reason) => {
    stopFollowing();
    end = reason;
    render();
  });

const header = (shown: ConnectorStatus): HTMLElement =>
  h(
    'header.top',
    h('img', { src: 'icon.svg', alt: '', width: 22, height: 22 }),
    h('p.brand', 'Engram', h('span', ' Connector')),
    h('p.server', { 'data-tone': shown.problem === null ? 'good' : 'wait' }, hostOf(shown.server)),
    h(
      'button.plain',
      { 'aria-label': 'Settings', onclick: () => openSettings(shown) },
      icon('settings'),
    ),
  );

function ending(reason: End | 'unreachable'): HTMLElement {
  const view = card(...endings[reason]);
  view.setAttribute('role', 'alert');
  return view;
}

function pairing(shown: ConnectorStatus): HTMLElement {
  const code = shown.code?.userCode ?? '';
  return pairingView(shown, {
    asksAgain: code === declinedCode,
    startAgain: () => {
      declinedCode = code;
      render();
    },
    openSettings: () => openSettings(shown),
  });
}

function view(): HTMLElement[] {
  if (end !== null) return [ending(end)];
  if (!status) return [];
  return status.pairing === 'paired' ? [header(status), homeView(status)] : [pairing(status)];
}

function render(): void {
  if (page) morph(page, h('div', { id: 'page' }, ...view()));
}

const stopFollowing = followStatus((received) => {
  end = received === null ? 'unreachable' : null;
  status = received ?? status;
  render();
});
