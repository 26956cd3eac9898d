import PostalMime from 'postal-mime';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { MAX_MAIL_DEPTH } from '../limits.ts';
import type { Extraction } from '../types.ts';
import { openBinaryPlist } from './binary-plist.ts';
import { writePage } from './html.ts';
import { showPicture } from './markup-blocks.ts';

/** A file of a saved web page: the page itself, a picture, a style. */
interface Resource {
  mediaType: string;
  charset: string | undefined;
  address: string;
  bytes: Uint8Array;
}

/** Maximum resources that are opened. */
const MAX_RESOURCES = 10_000;
const MAX_HEAD = 65_536;

/** Web pages that a browser saved with their pictures: MHTML (RFC 2557), and webarchive of Safari. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, type, builder } = input;
  const resources = new Map<string, Resource>();
  let page: Resource | undefined;
  let count = 0;
  for await (const resource of type === 'mht' ? mhtmlParts(bytes) : webarchiveParts(bytes)) {
    // Frames are pages too, and follow the main page.
    if (/^(?:text\/html|application\/xhtml\+xml)$/.test(resource.mediaType)) page ??= resource;
    resources.set(resource.address, resource);
    count += 1;
    if (count >= MAX_RESOURCES) break;
  }
  if (page === undefined) {
    throw new ExtractionError(
      'damaged',
      'This web archive is damaged: it has no page that can be read.',
    );
  }
  const boundary = type === 'mht' ? boundaryOf(bytes) : null;
  if (boundary !== null && !bufferOf(bytes).includes(`\n--${boundary}--`, 0, 'latin1')) {
    builder.note('This web page is truncated: its end is missing.');
  }
  const { address, charset } = page;
  return writePage(page.bytes, input, {
    charset,
    picture(source) {
      const part = resources.get(source) ?? resources.get(URL.parse(source, address)?.href ?? '');
      if (part === undefined) showPicture(source, builder);
      else builder.html?.picture(() => part.bytes);
    },
  });
}

/** The leaf parts of a message. The last may be truncated. */
async function* mhtmlParts(message: Uint8Array, depth = 0): AsyncGenerator<Resource> {
  const boundary = depth < MAX_MAIL_DEPTH ? boundaryOf(message) : null;
  if (boundary !== null) {
    for (const part of split(message, boundary)) yield* mhtmlParts(part, depth + 1);
    return;
  }
  // As an attachment, text is not decoded.
  const mark = Buffer.from('Content-Disposition: attachment\r\n');
  const { attachments, headers } = await PostalMime.parse(Buffer.concat([mark, message]));
  const header = (name: string): string => headers.find(({ key }) => key === name)?.value ?? '';
  for (const { mimeType, content, contentId } of attachments) {
    if (typeof content === 'string') continue;
    const id = contentId?.replace(/^<|>$/g, '');
    const part = {
      mediaType: mimeType,
      charset: /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(header('content-type'))?.[1],
      bytes: new Uint8Array(content),
    };
    yield { ...part, address: header('content-location') };
    if (id !== undefined) yield { ...part, address: `cid:${id}` };
  }
}

/** The boundary of the parts of a message, or null if it has none (RFC 2046, 5.1.1). */
function boundaryOf(message: Uint8Array): string | null {
  const lines = bufferOf(message.subarray(0, MAX_HEAD)).toString('latin1').split(/\r?\n/);
  const end = lines.indexOf('', lines[0] === '' ? 1 : 0);
  const fields = lines
    .slice(0, end === -1 ? lines.length : end)
    .join('\n')
    .replace(/\n[ \t]/g, ' ')
    .split('\n');
  const type = fields.find((field) => /^content-type:\s{0,9}multipart\//i.test(field)) ?? '';
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(type) ?? [];
  return quoted || plain || null;
}

function* split(message: Uint8Array, boundary: string): Generator<Uint8Array> {
  const buffer = bufferOf(message);
  const mark = Buffer.from(`\n--${boundary}`, 'latin1');
  for (let pos = buffer.indexOf(mark); pos !== -1;) {
    const end = pos + mark.length;
    const start = buffer.indexOf('\n', end);
    const next = buffer.indexOf(mark, end);
    if (start === -1 || buffer.toString('latin1', end, end + 2) === '--') return;
    yield message.subarray(start + 1, next === -1 ? message.length : next);
    pos = next;
  }
}

function* webarchiveParts(bytes: Uint8Array): Generator<Resource> {
  const plist = openBinaryPlist(bytes);
  const root = plist.dictionary(plist.root);
  for (const ref of [root.get('WebMainResource'), ...plist.list(root.get('WebSubresources'))]) {
    const resource = plist.dictionary(ref);
    const data = plist.data(resource.get('WebResourceData'));
    if (data === undefined) continue;
    yield {
      mediaType: plist.text(resource.get('WebResourceMIMEType'))?.toLowerCase() ?? '',
      charset: plist.text(resource.get('WebResourceTextEncodingName')),
      address: plist.text(resource.get('WebResourceURL')) ?? '',
      bytes: data,
    };
  }
}
