import type { ConnectorStatus } from '../../connector.ts';
import { ask } from './api.ts';
import { field, form } from './dialog.ts';
import { type Child, h } from './dom.ts';
import { count, hostOf, webLink } from './format.ts';

export const card = (title: string, text: string, ...children: Child[]): HTMLElement =>
  h(
    'main.pairing',
    h('img', { src: 'icon.svg', alt: '', width: 44, height: 44 }),
    h('h1', title),
    h('p.lead', text),
    ...children,
  );

/** Asks for the address of Engram, and for an API key if the user has one. */
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
  const pairingForm = form(
    { label: 'Connect', submit },
    field('Address of your Engram', address, 'As shown in the browser.'),
    h(
      'details',
      h('summary', 'Use an API key instead'),
      field('API key', key, 'Created in Engram under Api. It must allow writing.'),
    ),
  );
  pairingForm.setAttribute('data-own', server ?? '');
  return pairingForm;
}

/** Shows the code that the user confirms in Engram. */
function waitingView({ code, server }: ConnectorStatus, startAgain: () => void): HTMLElement {
  const restartButton = h('button.link', { onclick: startAgain }, 'Start again');
  if (!code) {
    return card(
      'Connecting',
      `Asking ${hostOf(server) ?? 'Engram'} for a code.`,
      h('div.spinner'),
      restartButton,
    );
  }
  return card(
    'Confirm this computer',
    'Open Engram and check that it shows this code.',
    h('p.code', { 'aria-label': `Code ${code.userCode}` }, code.userCode),
    h(
      'a.button.primary',
      { href: webLink(code.link), target: '_blank', rel: 'noreferrer' },
      'Open Engram to confirm',
    ),
    h('p.hint.waits', h('span.spinner'), 'Waiting for your confirmation in Engram'),
    restartButton,
  );
}

/** The page before the computer is paired, and after its access has ended. */
export function pairingView(
  status: ConnectorStatus,
  view: { asksAgain: boolean; startAgain: () => void; openSettings: () => void },
): HTMLElement {
  if (status.pairing === 'pairing' && !view.asksAgain) return waitingView(status, view.startAgain);
  const folders = status.folders.length;
  const settings = h('button.link', { onclick: view.openSettings }, 'Settings of the Connector');
  if (status.pairing === 'ended') {
    const waits = `${count(folders, 'folder')} ${folders === 1 ? 'waits' : 'wait'}, and nothing is lost.`;
    const text = `This computer no longer has access to Engram. ${folders === 0 ? '' : waits}`;
    return card('Connect again', text, serverForm(status.server), settings);
  }
  return card(
    'Connect this computer',
    'Choose folders here, and Engram always has the current versions of their files.',
    serverForm(status.server),
    settings,
  );
}
