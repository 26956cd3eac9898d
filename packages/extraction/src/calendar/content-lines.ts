import ICAL from 'ical.js';
import { decode, detectCharset } from '../text/charset.ts';

export interface Property {
  name: string;
  params: Readonly<Record<string, string | readonly string[]>>;
  values: readonly unknown[];
}

export interface Entry {
  type: string;
  properties: Property[];
}

const MAX_LINE_LENGTH = 100_000;

const DESIGN = { calendar: ICAL.design.icalendar, card: ICAL.design.vcard3 };

/**
 * Yields the entries of `types` in a calendar (RFC 5545) or address book (RFC 6350, RFC 2426 and
 * vCard 2.1). Invalid lines and nested entries are skipped. Properties outside of entries come first,
 * in an entry of type ''.
 */
export function* entriesOf(
  text: string,
  types: ReadonlySet<string>,
  kind: keyof typeof DESIGN,
): Generator<Entry> {
  let entry: Entry | null = { type: '', properties: [] };
  let depth = 0;
  for (const line of logicalLines(text)) {
    const [, edge = '', name = ''] = /^(BEGIN|END):\s*([\w-]{1,40})\s*$/i.exec(line) ?? [];
    const type = name.toUpperCase();
    if (edge.toUpperCase() === 'BEGIN' && types.has(type)) {
      if (entry !== null) yield entry;
      [entry, depth] = [{ type, properties: [] }, 0];
    } else if (edge.toUpperCase() === 'BEGIN') depth += 1;
    else if (edge !== '' && entry?.type === type) {
      yield entry;
      [entry, depth] = [null, 0];
    } else if (edge !== '') depth = Math.max(0, depth - 1);
    else if (entry !== null && depth <= (entry.type === '' ? 1 : 0)) {
      const property = propertyOf(line, kind);
      if (property !== null) entry.properties.push(property);
    }
  }
  if (entry !== null) yield entry;
}

function* logicalLines(text: string): Generator<string> {
  let line = '';
  for (const next of text.split(/\r\n|\r|\n/)) {
    if (line.endsWith('=') && /^[^:]{0,200}QUOTED-PRINTABLE/i.test(line)) {
      line = line.slice(0, -1) + next.replace(/^[ \t]/, '');
    } else if (/^[ \t]/.test(next) && line.length + next.length <= MAX_LINE_LENGTH) {
      line += next.slice(1);
    } else {
      if (line !== '') yield line;
      line = next;
    }
  }
  if (line !== '') yield line;
}

function propertyOf(line: string, kind: keyof typeof DESIGN): Property | null {
  if (line.length > MAX_LINE_LENGTH) return null;
  try {
    const source = kind === 'card' ? asModernCard(line) : line;
    const [name, params, , ...values] = ICAL.parse.property(source, DESIGN[kind]) as [
      string,
      Property['params'],
      string,
      ...unknown[],
    ];
    return { name, params, values };
  } catch {
    return null;
  }
}

/** Converts a line of vCard 2.1, with unnamed parameters and quoted-printable text, to vCard 3. */
function asModernCard(line: string): string {
  const colon = line.indexOf(':');
  const head = line.slice(0, colon);
  if (colon === -1 || head.includes('"')) return line;
  const [name = '', ...params] = head.split(';');
  const quoted = params.some((param) => /^(?:ENCODING=)?QUOTED-PRINTABLE$/i.test(param));
  const parameters = params
    .filter((param) => !/^(?:(?:ENCODING=)?QUOTED-PRINTABLE|CHARSET=.*)$/i.test(param))
    .map((param) => (param.includes('=') ? param : `TYPE=${param}`));
  const value = line.slice(colon + 1);
  const charset = params.find((param) => /^CHARSET=/i.test(param))?.slice(8);
  return `${[name, ...parameters].join(';')}:${quoted ? fromQuoted(value, charset) : value}`;
}

/** Decodes quoted-printable (RFC 2045, 6.7) with line ends as in vCard. */
function fromQuoted(value: string, charset: string | undefined): string {
  const bytes = Buffer.from(
    value.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  );
  const detected = detectCharset(bytes) ?? 'utf-8';
  const text = decode(bytes, detected === 'utf-8' || !charset ? detected : charset);
  return text.replace(/\r\n?|\n/g, String.raw`\n`);
}

export const valuesOf = ({ properties }: Entry, name: string): unknown[] =>
  properties.filter((property) => property.name === name).flatMap(({ values }) => values);

export function textOf(entry: Entry, name: string): string {
  const value = valuesOf(entry, name).find((candidate) => typeof candidate === 'string');
  return typeof value === 'string' ? unescaped(value) : '';
}

export const unescaped = (text: string): string => text.replace(/\\([;:,])/g, '$1').trim();

export function paramOf({ params }: Property, name: string): string[] {
  const value = params[name] ?? [];
  return (typeof value === 'string' ? [value] : [...value]).map((item) => item.toLowerCase());
}
