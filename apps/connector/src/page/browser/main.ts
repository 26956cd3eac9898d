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
let end: End | 'gone' | null = null;
/** The code that the user does not want to confirm. A new code is shown again. */
let declinedCode: string | null = null;

const endings: Record<End | 'gone', [title: string, text: string]> = {
  quit: ['The Connector has stopped', 'Folders are synced again when you start it.'],
  removed: [
    'This computer is disconnected',
    'Files in Engram stay there. You can delete the program now.',
  ],
  gone: [
    'The Connector does not respond',
    'It may have stopped. This page continues automatically when the Connector responds again. After a restart, open the page from the Connector again.',
  ],
};

const openSettings = (shown: ConnectorStatus): void =>
  showDeviceSettings(shown, (how) => {
    stopFollowing();
    end = how;
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

function ending(how: End | 'gone'): HTMLElement {
  const view = card(...endings[how]);
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

const stopFollowing = followStatus((heard) => {
  end = heard === null ? 'gone' : null;
  status = heard ?? status;
  render();
});
