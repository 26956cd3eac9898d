import {
  entriesOf,
  type Entry,
  paramOf,
  type Property,
  textOf,
  unescaped,
} from './content-lines.ts';
import { momentOf, shortDay } from './moments.ts';
import { decodeText } from '../text/charset.ts';
import { MONTHS } from './date-format.ts';
import type { FormatInput } from '../format.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

const CARDS = new Set(['VCARD']);

export function read({ bytes, builder }: FormatInput): Extraction {
  const text = decodeText(bytes, 'This file is not an address book: it could not be read.');
  const names: string[] = [];
  for (const card of entriesOf(text, CARDS, 'card')) {
    if (builder.full) break;
    if (card.type !== '') names.push(writeCard(builder, card));
  }
  if (names.length === 0) builder.note('This address book contains no contacts.');
  return builder.finish({ title: names.length === 1 ? (names[0] ?? null) : null });
}

const LINES: readonly [name: string, label: string, format: (property: Property) => string][] = [
  ['nickname', 'Nickname', listed],
  ['org', 'Company', listed],
  ['title', 'Title', listed],
  ['role', 'Role', listed],
  ['tel', 'Phone', (property) => listed(property).replace(/^tel:/i, '')],
  ['email', 'Mail', listed],
  ['impp', 'Messenger', listed],
  ['adr', 'Address', addressOf],
  ['bday', 'Birthday', dayOf],
  ['anniversary', 'Anniversary', dayOf],
  ['x-anniversary', 'Anniversary', dayOf],
  ['related', 'Related', listed],
  ['x-abrelatednames', 'Related', listed],
  ['url', 'Web', listed],
  ['categories', 'Groups', listed],
  ['note', 'Note', listed],
];

function writeCard(builder: TextBuilder, card: Entry): string {
  const name = nameOf(card);
  builder.heading(1, name);
  const labels = new Map<unknown, Property>();
  for (const property of card.properties) {
    if (property.name === 'x-ablabel') labels.set(property.params['group'], property);
  }
  for (const [property, label, format] of LINES) {
    for (const entry of card.properties.filter((candidate) => candidate.name === property)) {
      const value = cleanTitle(format(entry));
      if (value === null) continue;
      const use = useOf(entry, labels);
      builder.block('list', `${label}${use === '' ? '' : ` (${use})`}: ${value}`);
    }
  }
  return name;
}

function nameOf(card: Entry): string {
  const [family, given, middle, prefix, suffix] = partsOf(
    card.properties.find(({ name }) => name === 'n')?.values[0],
  );
  const fullName = [prefix, given, middle, family, suffix].filter(Boolean).join(' ');
  const names = [textOf(card, 'fn'), fullName, textOf(card, 'org'), textOf(card, 'email')];
  return names.map(cleanTitle).find((name) => name !== null) ?? 'Contact';
}

function partsOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? (value as unknown[]) : [value ?? ''];
  return parts.map((part) =>
    unescaped(Array.isArray(part) ? part.map(String).join(' ') : String(part)),
  );
}

function listed({ values }: Property): string {
  return values.flatMap(partsOf).filter(Boolean).join(', ');
}

function addressOf({ values }: Property): string {
  const [box, extra, street, town, region, code, country] = partsOf(values[0]);
  const place = [code, town].filter(Boolean).join(' ');
  return [street, extra, box, place, region, country]
    .flatMap((part = '') => part.split('\n'))
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');
}

/** A date in words. One without a year ('--05-21') becomes '21 May'. */
function dayOf({ values: [value] }: Property): string {
  const day = momentOf(value);
  if (day !== null) return shortDay(day);
  const [, month, date] = /^--(\d\d)-?(\d\d)$/.exec(String(value)) ?? [];
  const named = MONTHS[Number(month) - 1];
  return named === undefined ? partsOf(value).join(' ') : `${Number(date)} ${named}`;
}

const USES: Record<string, string> = { cell: 'mobile', fax: 'fax', pager: 'pager' };

function useOf(property: Property, labels: ReadonlyMap<unknown, Property>): string {
  const { group } = property.params;
  const label = group === undefined ? undefined : labels.get(group);
  const customLabel = label === undefined ? '' : listed(label).replace(/^_\$!<(.*)>!\$_$/, '$1');
  if (customLabel !== '') return customLabel.toLowerCase();
  const types = paramOf(property, 'type');
  const place = types.find((type) => type === 'home' || type === 'work') ?? '';
  const kind = types.map((type) => USES[type]).find((use) => use !== undefined) ?? '';
  const relation = property.name === 'related' ? (types[0] ?? '') : '';
  return [place, kind, relation].filter(Boolean).join(' ');
}
