import type { ConnectorStatus } from '../../connector.ts';
import { follow } from './api.ts';
import { h, morph } from './dom.ts';
import { hostOf } from './format.ts';
import { homeView } from './home.ts';
import { icon } from './icons.ts';
import { pairingView } from './pairing.ts';
import { type End, showDeviceSettings } from './settings.ts';

const page = document.querySelector('#page');

/** Reloads of a moment's interruption would frighten for nothing. */
const GONE_AFTER_MS = 3000;

let status: ConnectorStatus | null = null;
let end: End | 'gone' | null = null;
/** Whether the person wants to begin the pairing anew; a new code takes that back. */
let asksAgain = false;
let gone: ReturnType<typeof setTimeout> | undefined;

const endings: Record<End | 'gone', [title: string, text: string]> = {
  quit: ['The Connector has ended', 'Folders are in step again as soon as it is started.'],
  removed: [
    'This computer is disconnected',
    'What is in Engram stays there. The program itself can be deleted now.',
  ],
  gone: [
    'The Connector does not answer',
    'It may have ended. This page goes on by itself when it is back; after a new start, open the page from it again.',
  ],
};

function openSettings(): void {
  if (status) {
    showDeviceSettings(status, (how) => {
      end = how;
      clearTimeout(gone);
      events.stop();
      render();
    });
  }
}

function startAgain(): void {
  asksAgain = true;
  render();
}

const header = ({ server, trouble }: ConnectorStatus): HTMLElement =>
  h(
    'header',
    { class: 'top' },
    h('img', { src: 'icon.svg', alt: '', width: 22, height: 22 }),
    h('p', { class: 'brand' }, 'Engram', h('span', {}, ' Connector')),
    h('p', { class: 'server', 'data-tone': trouble === null ? 'good' : 'wait' }, hostOf(server)),
    h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': 'Settings', onclick: openSettings },
      icon('settings'),
    ),
  );

function ending(how: End | 'gone'): HTMLElement {
  const [title, text] = endings[how];
  return h(
    'main',
    { class: 'pairing', role: 'alert' },
    h('img', { src: 'icon.svg', alt: '', width: 44, height: 44 }),
    h('h1', {}, title),
    h('p', { class: 'lead' }, text),
  );
}

function view(): HTMLElement {
  if (end !== null) return h('div', { id: 'page' }, ending(end));
  if (!status) return h('div', { id: 'page' });
  if (status.pairing !== 'paired') {
    const paired = pairingView(status, { asksAgain, startAgain, settings: openSettings });
    return h('div', { id: 'page' }, paired);
  }
  return h('div', { id: 'page' }, header(status), homeView(status));
}

function render(): void {
  if (page) morph(page, view());
}

const events = follow((heard) => {
  clearTimeout(gone);
  if (heard) {
    const isNew = heard.code?.userCode !== status?.code?.userCode;
    if (isNew || heard.pairing !== 'pairing') asksAgain = false;
    [status, end] = [heard, null];
    render();
    return;
  }
  gone = setTimeout(() => {
    end = 'gone';
    render();
  }, GONE_AFTER_MS);
});
