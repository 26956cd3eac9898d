import { findPassages, listArtifacts, listKeywords } from '@engram/contract/browser';
import { answerCalls } from './calls.ts';
import {
  cancelPairing,
  messageOf,
  openClient,
  pairIfPermitted,
  resumePairing,
  signOut,
} from './connection.ts';
import { discard, discardAll, flush, QUEUE_ALARM, retry } from './queue.ts';
import type { CaptureRequest } from './read-tab.ts';
import { saveTab } from './save-tab.ts';
import { writeConnection } from './stored.ts';

const PAIRING_ALARM = 'pairing';

answerCalls({
  async pair(server) {
    await writeConnection({ server });
    await pairIfPermitted();
  },
  cancelPairing,
  async signOut() {
    await signOut();
    await discardAll();
  },
  async findSaved(webAddress) {
    const client = await openClient();
    const { data } = await client.call(listArtifacts, { query: { webAddress, limit: 1 } });
    return data[0] ?? null;
  },
  async listKeywords() {
    const { data } = await (await openClient()).call(listKeywords, {});
    return data.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);
  },
  async savePage(tabId, keywords) {
    const { url, title } = await chrome.tabs.get(tabId);
    return saveTab({ id: tabId, url, title }, { kind: 'page' }, keywords);
  },
  async findPassages(text) {
    return (await (await openClient()).call(findPassages, { body: { text } })).data;
  },
  retry,
  discard,
});

/** Saves without the popup. The button of the extension shows the result. */
async function saveWithoutPopup(
  tab: chrome.tabs.Tab | undefined,
  request: CaptureRequest,
  frameId?: number,
): Promise<void> {
  if (tab?.id === undefined) return;
  const tabId = tab.id;
  const show = async (text: string, title: string): Promise<void> => {
    await chrome.action.setBadgeText({ tabId, text });
    await chrome.action.setTitle({ tabId, title });
  };
  try {
    await show('…', 'Saving to Engram');
    const { id, url, title } = { ...tab, id: tabId };
    const outcome = await saveTab({ id, frameId, url, title }, request, []);
    if (outcome.kind === 'saved') await show('✓', `Saved: ${outcome.fileName}`);
    else await show('!', `Waiting to be sent: ${outcome.error}`);
  } catch (error) {
    await show('!', messageOf(error));
  }
}

const MENUS = [
  ['page', 'Save page'],
  ['selection', 'Save selection'],
  ['image', 'Save picture'],
] as const;

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    for (const [context, title] of MENUS) {
      chrome.contextMenus.create({ id: context, title, contexts: [context] });
    }
  });
});

chrome.contextMenus.onClicked.addListener(({ menuItemId, srcUrl, frameId }, tab) => {
  const requests: Record<string, CaptureRequest> = {
    page: { kind: 'page' },
    selection: { kind: 'selection' },
    image: { kind: 'picture', src: srcUrl ?? '' },
  };
  const request = requests[menuItemId];
  if (request) void saveWithoutPopup(tab, request, menuItemId === 'page' ? undefined : frameId);
});

chrome.commands.onCommand.addListener((_, tab) => void saveWithoutPopup(tab, { kind: 'page' }));

chrome.permissions.onAdded.addListener(() => void pairIfPermitted());

chrome.alarms.onAlarm.addListener(({ name }) => {
  void (name === QUEUE_ALARM ? flush() : resumePairing());
});

chrome.runtime.onStartup.addListener(() => void flush());

// A browser may stop this script at any time, even during pairing.
void chrome.alarms.create(PAIRING_ALARM, { periodInMinutes: 1 });
void resumePairing();
// Scripts in websites cannot read the tokens.
void chrome.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
