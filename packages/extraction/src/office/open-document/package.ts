import { ExtractionError } from '../../errors.ts';
import {
  attribute,
  children,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  parseXml,
} from '../../html/markup.ts';
import { damaged, type OfficeParts, partText, readOfficeParts } from '../zip-package.ts';
import { cleanTitle, type TextBuilder } from '../../text-builder.ts';

/** The longest content that is read of one file, in UTF-16 units: several times the longest book. */
const MAX_CONTENT = 40_000_000;
/** Styles that a style may be derived from, one from the other; a circle ends here. */
const MAX_PARENTS = 20;

export type OdfStyles = ReturnType<typeof readStyles>;

/** Opens the text parts of an OpenDocument file (OASIS 1.3, part 2). Throws {@link ExtractionError}. */
export function openDocument(bytes: Uint8Array, builder: TextBuilder) {
  const parts = readOdfParts(bytes, (path) => /(?:^|\/)(?:content|styles|meta)\.xml$/.test(path));
  const source = partText(parts, 'content.xml');
  if (source === null) throw damaged();
  if (source.length > MAX_CONTENT) {
    const most = MAX_CONTENT.toLocaleString('en-US');
    builder.note(`Only the first ${most} characters of its content were read.`);
  }
  const content = parseXml(source.slice(0, MAX_CONTENT));
  const body = descendant(content, 'body');
  if (body === null) throw damaged();
  const rest = partText(parts, 'styles.xml')?.slice(0, MAX_CONTENT);
  const masters = rest === undefined ? null : parseXml(rest);
  const meta = partText(parts, 'meta.xml')?.slice(0, MAX_CONTENT);
  const title = meta === undefined ? null : descendant(parseXml(meta), 'title')?.textContent;
  const styles = readStyles([content, masters].filter((root) => root !== null));
  return { body, masters, styles, title: cleanTitle(title) };
}

/** The path of a part as the file's list of parts has it: './Pictures/1.png' is 'Pictures/1.png'. */
export const pathInside = (reference: string): string => reference.replace(/^\.\//, '');

/** The parts of an OpenDocument file of any kind; throws a sentence for one with a password. */
export function readOdfParts(bytes: Uint8Array, wanted: (path: string) => boolean): OfficeParts {
  const manifest = 'META-INF/manifest.xml';
  const parts = readOfficeParts(bytes, (path) => path === manifest || wanted(path));
  if (partText(parts, manifest)?.includes('encryption-data') === true) {
    throw new ExtractionError('encrypted', 'This document is password-protected.');
  }
  return parts;
}

function readStyles(roots: readonly MarkupNode[]) {
  const parents = new Map<string, string>();
  const levels = new Map<string, number>();
  const lists = new Map<string, Map<number, number>>();
  const emphases = new Map<string, string[]>();
  for (const root of roots) {
    for (const style of descendants(root, 'style')) {
      const name = attribute(style, 'style:name') ?? '';
      const level = Number(attribute(style, 'style:default-outline-level') ?? '');
      if (level > 0) levels.set(name, level);
      parents.set(name, attribute(style, 'style:parent-style-name') ?? '');
      const text = [...children(style)].find((node) => localName(node) === 'text-properties');
      const emphasis = text === undefined ? [] : emphasisOf(text);
      if (emphasis.length > 0) emphases.set(name, emphasis);
    }
    for (const list of descendants(root, 'list-style')) {
      lists.set(attribute(list, 'style:name') ?? '', numbersOf(list));
    }
  }
  const inherited = <T>(style: string | null, own: (name: string) => T | null): T | null => {
    let name = style ?? '';
    for (let step = 0; name !== '' && step < MAX_PARENTS; step += 1) {
      const found = own(name);
      if (found !== null) return found;
      name = parents.get(name) ?? '';
    }
    return null;
  };
  return {
    /** The level of a heading, 'code', or null for any other paragraph. */
    paragraph: (style: string | null) =>
      inherited(style, (name) => levels.get(name) ?? kindByName(name)),
    /** The elements that show text of a style in HTML: 'strong', 'em', both or none. */
    emphasis: (style: string | null): readonly string[] =>
      inherited(style, (name) => emphases.get(name) ?? null) ?? [],
    /** The number of the first item, or null for a list without numbers. */
    list: (style: string | null, level: number) => lists.get(style ?? '')?.get(level) ?? null,
  };
}

function emphasisOf(properties: MarkupNode): string[] {
  const weight = attribute(properties, 'fo:font-weight') ?? '';
  const slant = attribute(properties, 'fo:font-style') ?? '';
  const isBold = weight === 'bold' || Number(weight) >= 600;
  const isItalic = slant === 'italic' || slant === 'oblique';
  return [...(isBold ? ['strong'] : []), ...(isItalic ? ['em'] : [])];
}

/** Names that every OpenDocument program gives these styles, whatever its language. */
function kindByName(name: string): number | 'code' | null {
  const plain = name.replaceAll('_20_', ' ').toLowerCase();
  const heading = /^heading (\d)$/.exec(plain)?.[1];
  if (heading !== undefined) return Number(heading);
  if (plain === 'title') return 1;
  if (plain === 'subtitle') return 2;
  return plain === 'preformatted text' || plain === 'source text' ? 'code' : null;
}

function numbersOf(list: MarkupNode): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const level of children(list)) {
    if (localName(level) !== 'list-level-style-number') continue;
    if ((attribute(level, 'style:num-format') ?? '') === '') continue;
    const start = Number(attribute(level, 'text:start-value') ?? '1');
    numbers.set(Number(attribute(level, 'text:level') ?? '1'), Number.isFinite(start) ? start : 1);
  }
  return numbers;
}
