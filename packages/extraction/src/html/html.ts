import iconv from 'iconv-lite';
import { decode, detectCharset } from '../text/charset.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { findBoilerplate } from './boilerplate.ts';
import { showPicture, writeMarkup } from './markup-blocks.ts';
import {
  attribute,
  descendants,
  localName,
  type MarkupNode,
  parseHtmlDocument,
  walk,
} from './markup.ts';
import { cleanTitle, truncationNote } from '../text-builder.ts';
import { isTranscript, writeTranscript } from './transcript.ts';
import type { Extraction } from '../types.ts';

export const read = (input: FormatInput): Extraction => writePage(input.bytes, input);

/** Writes a page without its menus. */
export function writePage(
  bytes: Uint8Array,
  { limits, builder }: Pick<FormatInput, 'limits' | 'builder'>,
  {
    charset,
    picture = (source) => showPicture(source, builder),
  }: {
    /** The charset from outside of the page. */
    charset?: string | undefined;
    picture?: (source: string) => void;
  } = {},
): Extraction {
  let source = decode(bytes, htmlCharset(bytes, charset));
  // Markup may be four times as long as its text.
  if (source.length > limits.maxLength * 4) {
    source = source.slice(0, limits.maxLength * 4);
    builder.note(truncationNote(limits, 'length'));
  }
  const { title, root } = parseHtmlDocument(source);
  if (!hasPageHeading(root)) builder.heading(0, title);
  builder.block('prose', bylineOf(root));
  const boilerplate = findBoilerplate(root);
  writeMarkup(root, builder, {
    document: false,
    skip: (node) => boilerplate.has(node) || isTranscript(node),
    picture,
  });
  for (const section of descendants(root, 'section')) {
    if (isTranscript(section)) writeTranscript(section, builder);
  }
  if (boilerplate.letters > 0) {
    const count = boilerplate.letters.toLocaleString('en-US');
    builder.note(`Menus, lists of links and banners were left out: ${count} letters in all.`);
  }
  return builder.finish({ title: cleanTitle(title) });
}

/**
 * The charset: a byte order mark, then valid UTF-8, then what the server or the page declares, then a
 * guess.
 */
export function htmlCharset(bytes: Uint8Array, served?: string): string {
  const detected = detectCharset(bytes);
  if (detected === null) {
    throw new ExtractionError('damaged', 'This file is not a web page: it could not be read.');
  }
  if (detected.startsWith('utf-')) return detected;
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const declared = served ?? /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(start)?.[1];
  const known = declared !== undefined && iconv.encodingExists(declared) && !/^utf/i.test(declared);
  return known ? declared : detected;
}

/** Whether a heading is the title of the whole page: the only h1, before all other headings. */
function hasPageHeading(root: MarkupNode): boolean {
  const headings: string[] = [];
  walk(root, {
    enter(node) {
      const name = localName(node);
      if (/^h[1-6]$/.test(name) && node.textContent?.trim() !== '') headings.push(name);
      return true;
    },
  });
  return headings[0] === 'h1' && headings.indexOf('h1', 1) === -1;
}

function bylineOf(root: MarkupNode): string {
  const meta = new Map(
    descendants(root, 'meta').map((node) => [
      attribute(node, 'name') ?? attribute(node, 'property') ?? '',
      attribute(node, 'content')?.trim() ?? '',
    ]),
  );
  const parts = [meta.get('author'), meta.get('article:published_time') ?? meta.get('date')];
  return parts.filter((part) => part).join(' · ');
}
