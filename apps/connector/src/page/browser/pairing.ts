import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { field, form } from './dialog.ts';
import { type Child, h } from './dom.ts';
import { count, hostOf, webLink } from './format.ts';

const card = (title: string, text: string, ...children: Child[]): HTMLElement =>
  h(
    'main',
    { class: 'pairing' },
    h('img', { src: 'icon.svg', alt: '', width: 44, height: 44 }),
    h('h1', {}, title),
    h('p', { class: 'lead' }, text),
    ...children,
  );

/** Where Engram is, and who lets this computer in: the person in Engram, or a key made there. */
function serverForm(server: string | null): HTMLFormElement {
  const address = h('input', {
    type: 'url',
    value: server ?? '',
    placeholder: 'https://engram.example.org',
    autocomplete: 'url',
    spellcheck: 'false',
  });
  const key = h('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' });
  const submit = async (): Promise<void> => {
    const pasted = key.value.trim();
    await ask('pair', address.value.trim(), ...(pasted ? [pasted] : []));
  };
  const all = form(
    { label: 'Connect', submit },
    field('Address of your Engram', address, 'As it stands in the browser.'),
    h(
      'details',
      {},
      h('summary', {}, 'Use an API key instead'),
      field('API key', key, 'Made in Engram under Api. It needs to write, not only to read.'),
    ),
  );
  all.setAttribute('data-own', server ?? '');
  return all;
}

/** A code in two halves reads easier; it is typed without the gap just as well. */
function waiting(status: ConnectorStatus, startAgain: () => void): HTMLElement {
  const { code, server } = status;
  const again = h('button', { type: 'button', class: 'link', onclick: startAgain }, 'Start again');
  if (!code) {
    return card(
      'Connecting',
      `Asking ${hostOf(server) ?? 'Engram'} for a code.`,
      h('div', { class: 'spinner' }),
      again,
    );
  }
  return card(
    'Confirm this computer',
    `Open Engram and see that it shows this code.`,
    h('p', { class: 'code', 'aria-label': `Code ${code.userCode}` }, code.userCode),
    h(
      'a',
      { class: 'button primary', href: webLink(code.link), target: '_blank', rel: 'noreferrer' },
      'Open Engram to confirm',
    ),
    h(
      'p',
      { class: 'hint waits' },
      h('span', { class: 'spinner' }),
      'Waits for your word in Engram',
    ),
    again,
  );
}

/** The page before anybody has let this computer in, and after it was let out. */
export function pairingView(
  status: ConnectorStatus,
  view: { asksAgain: boolean; startAgain: () => void; settings: () => void },
): HTMLElement {
  if (status.pairing === 'pairing' && !view.asksAgain) return waiting(status, view.startAgain);
  const folders = status.folders.length;
  const settings = h(
    'button',
    { type: 'button', class: 'link', onclick: view.settings },
    'Settings of the Connector',
  );
  if (status.pairing === 'ended') {
    const text =
      folders === 0
        ? 'Engram lets this computer in no more.'
        : `Engram lets this computer in no more. ${count(folders, 'folder')} ${folders === 1 ? 'waits' : 'wait'}, and nothing is lost.`;
    return card('Connect again', text, serverForm(status.server), settings);
  }
  return card(
    'Connect this computer',
    'Choose folders here, and what is in them is in Engram, always as it is on this computer.',
    serverForm(status.server),
    settings,
  );
}
