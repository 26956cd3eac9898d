import { type Outcome, save } from './queue.ts';
import { readTab, type TabContent, type CaptureRequest } from './read-tab.ts';

interface Tab {
  id: number;
  /** The frame, if it is not the page itself. */
  frameId?: number | undefined;
  url: string | undefined;
  title: string | undefined;
}

async function read(
  { id, frameId, url, title }: Tab,
  request: CaptureRequest,
): Promise<TabContent> {
  try {
    const [injected] = await chrome.scripting.executeScript({
      target: { tabId: id, ...(frameId ? { frameIds: [frameId] } : {}) },
      func: readTab,
      args: [request],
    });
    if (injected?.result) return injected.result;
  } catch {
    // The browser does not let extensions read this page.
  }
  const address = request.kind === 'picture' ? request.src : url;
  if (request.kind === 'selection' || !address || !/^https?:/u.test(address)) {
    throw new Error('The browser does not let extensions read this.');
  }
  return { kind: 'address', title: title || address, url: address };
}

async function fileOf(content: TabContent): Promise<File | null> {
  if (content.kind === 'page') return new File([content.html], 'page.html', { type: 'text/html' });
  if (content.kind === 'address') return null;
  const blob = await (await fetch(content.dataUrl)).blob();
  return new File([blob], content.name, { type: blob.type });
}

/** Saves the page, the selection or a picture of a tab. @throws Error if it cannot be read */
export async function saveTab(
  tab: Tab,
  request: CaptureRequest,
  keywords: string[],
): Promise<Outcome> {
  const content = await read(tab, request);
  const { title, url } = content;
  return save({ title, url, file: await fileOf(content), keywords });
}
