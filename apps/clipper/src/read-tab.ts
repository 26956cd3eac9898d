/** The content of a tab, which the browser passes on as JSON. */
export type TabContent =
  | { kind: 'page'; title: string; url: string; html: string }
  | { kind: 'file'; title: string; url: string | null; name: string; dataUrl: string }
  /** The server has to fetch it. */
  | { kind: 'address'; title: string; url: string };

export type CaptureRequest =
  { kind: 'page' } | { kind: 'selection' } | { kind: 'picture'; src: string };

/**
 * Reads the page, the selection or a picture of a tab as its user sees it. The browser runs this
 * function in the tab, so it can't use anything defined outside it. Files and pictures of the page's own
 * site are fetched with the cookies of the user.
 */
export async function readTab(request: CaptureRequest): Promise<TabContent> {
  const MAX_FILE_BYTES = 30_000_000;
  const MAX_PICTURES = 20;
  const MAX_PICTURE_BYTES = 1_000_000;
  /** Characters of all embedded pictures. The server reads 8 million characters of a page. */
  const MAX_PICTURES_LENGTH = 4_000_000;
  const PICTURE_TIMEOUT_MS = 3000;
  const FILE_TIMEOUT_MS = 60_000;
  const FRAGMENT_LENGTH = 60;
  const DROPPED = new Set('STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED CANVAS'.split(' '));
  const { title, contentType } = document;

  const dataUrlOf = (blob: Blob): Promise<string> =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(String(reader.result)));
      reader.addEventListener('error', () => reject(reader.error ?? new Error('not readable')));
      reader.readAsDataURL(blob);
    });

  /** Fetches a file with the user's cookies; null if the site or the size does not allow it. */
  const fetchFile = async (address: string, maxBytes: number, ms: number) => {
    try {
      const init = { credentials: 'include', signal: AbortSignal.timeout(ms) } as const;
      const response = await fetch(address, init);
      const blob = await response.blob();
      if (!response.ok || blob.size === 0 || blob.size > maxBytes) return null;
      return { type: blob.type.split(';')[0] ?? '', dataUrl: await dataUrlOf(blob) };
    } catch {
      return null;
    }
  };

  const nameOf = (address: string, type: string): string => {
    const last = /^https?:/u.test(address) ? new URL(address).pathname.split('/').pop() : '';
    let name = last || title || 'picture';
    try {
      name = decodeURIComponent(name);
    } catch {
      // Addresses in other encodings than UTF-8 stay encoded.
    }
    const extension = type.split('/')[1]?.split('+')[0];
    return /\.\w{2,5}$/u.test(name) || !extension ? name : `${name}.${extension}`;
  };

  const readFile = async (address: string, name: string): Promise<TabContent> => {
    const url = /^https?:/u.test(address) ? address : null;
    const file = await fetchFile(address, MAX_FILE_BYTES, FILE_TIMEOUT_MS);
    if (file) {
      const { type, dataUrl } = file;
      return { kind: 'file', title: name, url, name: nameOf(address, type), dataUrl };
    }
    if (url === null) throw new Error('This picture cannot be saved.');
    return { kind: 'address', title: name, url };
  };

  /** Copies the visible content of a node, including its components, without scripts. */
  const copy = (node: Node): Node[] => {
    if (node instanceof Text) return [node.cloneNode()];
    if (!(node instanceof Element)) return [...node.childNodes].flatMap(copy);
    const isData = node.getAttribute('type') === 'application/ld+json';
    if (DROPPED.has(node.tagName) || (node.tagName === 'SCRIPT' && !isData)) return [];
    const isInBody = document.body?.contains(node);
    if (isInBody && getComputedStyle(node).display === 'none' && !isData) return [];
    if (node instanceof HTMLSlotElement) {
      const assigned = node.assignedNodes();
      return (assigned.length > 0 ? assigned : [...node.childNodes]).flatMap(copy);
    }
    const clone = node.cloneNode() as Element;
    if (node instanceof HTMLImageElement) {
      clone.setAttribute('src', node.currentSrc || node.src);
      clone.removeAttribute('srcset');
    }
    const closed = node instanceof HTMLElement && chrome.dom?.openOrClosedShadowRoot(node);
    clone.append(...[...(closed || node.shadowRoot || node).childNodes].flatMap(copy));
    return [clone];
  };

  /** Embeds pictures of the page's own site, which the server may not be allowed to fetch. */
  const embedPictures = async (root: ParentNode): Promise<void> => {
    const pictures = [...root.querySelectorAll('img')].filter(
      ({ src }) => src.startsWith('blob:') || src.startsWith(`${location.origin}/`),
    );
    let remaining = MAX_PICTURES_LENGTH;
    await Promise.all(
      pictures.slice(0, MAX_PICTURES).map(async (picture) => {
        const file = await fetchFile(picture.src, MAX_PICTURE_BYTES, PICTURE_TIMEOUT_MS);
        if (!file?.type.startsWith('image/') || file.dataUrl.length > remaining) return;
        remaining -= file.dataUrl.length;
        picture.setAttribute('src', file.dataUrl);
      }),
    );
  };

  const htmlOf = async (name: string, head: Node[], body: Node[]): Promise<string> => {
    const page = document.implementation.createHTMLDocument(name);
    const { lang } = document.documentElement;
    if (lang) page.documentElement.lang = lang;
    page.head.append(...head);
    page.body.append(...body);
    await embedPictures(page.body);
    // This title may belong to an earlier page of the same app.
    const shared = page.querySelector('meta[property="og:title"]');
    if (shared && !title.includes(shared.getAttribute('content') ?? '')) shared.remove();
    return page.documentElement.outerHTML;
  };

  if (request.kind === 'picture') return readFile(request.src, nameOf(request.src, ''));
  if (request.kind === 'selection') {
    const selection = getSelection();
    const text = String(selection).replaceAll(/\s+/gu, ' ').trim();
    if (!selection || text === '') throw new Error('Nothing is selected.');
    const ranges = Array.from({ length: selection.rangeCount }, (_, i) => selection.getRangeAt(i));
    const body = ranges.flatMap((range) => copy(range.cloneContents()));
    const name = `${title} (selection)`;
    const encode = (part: string) => encodeURIComponent(part.trim()).replaceAll('-', '%2D');
    const [start, end] = [text.slice(0, FRAGMENT_LENGTH), text.slice(-FRAGMENT_LENGTH)];
    // Removes words that were cut.
    const first = start.slice(0, start.lastIndexOf(' ') + 1 || undefined);
    const last = end.slice(end.indexOf(' ') + 1);
    const marked =
      text.length <= 2 * FRAGMENT_LENGTH ? encode(text) : `${encode(first)},${encode(last)}`;
    const url = `${location.href.split('#')[0]}#:~:text=${marked}`;
    return { kind: 'page', title: name, url, html: await htmlOf(name, [], body) };
  }
  if (!/html/u.test(contentType)) return readFile(location.href, title || location.href);
  const head = [...document.head.querySelectorAll('meta, base, link[rel=canonical], script')];
  const body = [...document.body.childNodes].flatMap(copy);
  const html = await htmlOf(title, head.flatMap(copy), body);
  return { kind: 'page', title: title || location.href, url: location.href, html };
}
