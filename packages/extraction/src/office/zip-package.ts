import { unzipSync, zipSync } from 'fflate';
import { ExtractionError, toExtractionError } from '../errors.ts';
import {
  attribute,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  parseXml,
  walk,
} from '../html/markup.ts';
import { cleanTitle } from '../text-builder.ts';
import { isCompoundFile, streamNames } from './compound-file.ts';

/** Maximum inflated bytes of the parts that are read. */
const MAX_INFLATED_BYTES = 200_000_000;
const MAX_ENTRIES = 20_000;

export type OfficeParts = Map<string, Uint8Array>;

/** Inflates the selected parts of an Office file after checking sizes. Throws {@link ExtractionError}. */
export function readOfficeParts(bytes: Uint8Array, isRead: (path: string) => boolean): OfficeParts {
  if (isCompoundFile(bytes)) throw compoundFileError(bytes);
  let total = 0;
  let entries = 0;
  try {
    const files = unzipSync(bytes, {
      filter: (file) => {
        entries += 1;
        if (entries > MAX_ENTRIES) throw tooLarge();
        const path = file.name.replace(/^\/+/, '');
        if (!isRead(path)) return false;
        total += Math.max(file.originalSize, file.size);
        if (total > MAX_INFLATED_BYTES) throw tooLarge();
        return true;
      },
    });
    return new Map(Object.entries(files).map(([name, data]) => [name.replace(/^\/+/, ''), data]));
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw damaged(error);
  }
}

/** Packs parts uncompressed for a library that reads a zip. */
export function repack(parts: OfficeParts): Uint8Array {
  return zipSync(Object.fromEntries(parts), { level: 0 });
}

export function partText(parts: OfficeParts, path: string): string | null {
  const bytes = parts.get(path);
  if (bytes === undefined) return null;
  const charset = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes);
}

export function partXml(parts: OfficeParts, path: string): MarkupNode | null {
  const source = partText(parts, path);
  return source === null ? null : parseXml(source);
}

export function coreTitle(parts: OfficeParts): string | null {
  const core = partXml(parts, 'docProps/core.xml');
  return cleanTitle(core && descendant(core, 'title')?.textContent);
}

interface Relation {
  path: string;
  /** The last segment of the type: 'slide', 'notesSlide', 'chart', 'image'. */
  type: string;
}

/** The relations of a part by ID. */
export function relations(parts: OfficeParts, path: string): Map<string, Relation> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const root = partXml(parts, `${folder}_rels/${path.slice(folder.length)}.rels`);
  const byId = new Map<string, Relation>();
  for (const node of root === null ? [] : descendants(root, 'relationship')) {
    const type = (attribute(node, 'Type') ?? '').replace(/^.*\//, '');
    // The base only resolves '../'. Nothing is fetched.
    const url = URL.parse(attribute(node, 'Target') ?? '', `file:///${folder}`);
    if (url?.protocol === 'file:') {
      byId.set(attribute(node, 'Id') ?? '', { path: decodePath(url.pathname.slice(1)), type });
    }
  }
  return byId;
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The text of a paragraph of Office XML. Tabs and breaks become spaces. */
export function paragraphText(
  paragraph: MarkupNode,
  isSkipped: (name: string) => boolean = () => false,
): string {
  let text = '';
  let reading = 0;
  walk(paragraph, {
    enter(node) {
      const name = localName(node);
      if (name === 't') reading += 1;
      if (name === 'tab' || name === 'br' || name === 'cr') text += ' ';
      return !isSkipped(name);
    },
    leave(node) {
      if (localName(node) === 't') reading -= 1;
    },
    text(data) {
      if (reading > 0) text += data;
    },
  });
  return text.replace(/\s+/gu, ' ').trim();
}

export function damaged(cause?: unknown): ExtractionError {
  return toExtractionError(cause, 'This document is damaged and cannot be opened.');
}

function compoundFileError(bytes: Uint8Array): ExtractionError {
  return streamNames(bytes) === null
    ? damaged()
    : new ExtractionError(
        'unsupported',
        'This document is in a format from before 2007. Save it as docx, xlsx or pptx and upload it again.',
      );
}

export function tooLarge(): ExtractionError {
  return new ExtractionError('too_large', 'This document unpacks to more than can be read safely.');
}
