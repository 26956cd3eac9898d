import { entriesOf, type Entry, textOf, unescaped, valuesOf } from './content-lines.ts';
import { repetition } from './recurrence.ts';
import { endOf, momentText, momentsOf } from './moments.ts';
import { decodeText } from '../text/charset.ts';
import type { FormatInput } from '../format.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { paragraphs } from '../text/txt.ts';

const ENTRIES = new Set(['VEVENT', 'VTODO', 'VJOURNAL']);
const MAX_ATTENDEES = 50;

export function read({ bytes, builder }: FormatInput): Extraction {
  const text = decodeText(bytes, 'This file is not a calendar: it could not be read.');
  let calendar: string | null = null;
  let zone = '';
  const titles: string[] = [];
  let undated = 0;
  for (const entry of entriesOf(text, ENTRIES, 'calendar')) {
    if (builder.full) break;
    if (entry.type === '') {
      calendar = cleanTitle(textOf(entry, 'x-wr-calname') || textOf(entry, 'name'));
      zone = textOf(entry, 'x-wr-timezone');
      builder.heading(1, calendar ?? '');
    } else titles.push(writeEntry(builder, entry, zone));
    if (entry.type === 'VEVENT' && momentsOf(entry, 'dtstart').length === 0) undated += 1;
  }
  if (titles.length === 0) builder.note('This calendar contains no events.');
  if (undated > 0) {
    builder.note(
      undated === 1
        ? 'The day of 1 event could not be read.'
        : `The days of ${undated} events could not be read.`,
    );
  }
  const [only = null] = titles;
  return builder.finish({ title: calendar ?? (titles.length === 1 ? only : null) });
}

function writeEntry(builder: TextBuilder, entry: Entry, zone: string): string {
  const kind = entry.type === 'VTODO' ? 'Task' : entry.type === 'VJOURNAL' ? 'Entry' : 'Event';
  const title = cleanTitle(textOf(entry, 'summary')) ?? kind;
  builder.heading(2, title);
  for (const [label, value] of linesOf(entry, zone)) {
    const text = cleanTitle(value);
    if (text !== null) builder.block('list', `${label}: ${text}`);
  }
  const description = textOf(entry, 'description');
  for (const { start, end, kind: block } of paragraphs(description, 0, description.length)) {
    builder.block(block, description.slice(start, end));
  }
  return title;
}

function* linesOf(entry: Entry, zone: string): Generator<[label: string, value: string]> {
  const [start] = momentsOf(entry, 'dtstart', zone);
  if (start) yield ['Date', momentText(start, endOf(entry, start, zone))];
  for (const [name, label] of [
    ['due', 'Due'],
    ['completed', 'Done'],
    ['recurrence-id', 'Instead of'],
  ] as const) {
    const [moment] = momentsOf(entry, name, zone);
    if (moment) yield [label, momentText(moment)];
  }
  yield ['Repeats', repetition(entry) ?? ''];
  yield ['Place', textOf(entry, 'location')];
  yield ['Organizer', peopleOf(entry, 'organizer').join(', ')];
  const attendees = peopleOf(entry, 'attendee');
  const more = attendees.length - MAX_ATTENDEES;
  const overflow = more > 0 ? [`${more} more`] : [];
  for (const person of [...attendees.slice(0, MAX_ATTENDEES), ...overflow]) yield ['With', person];
  const status = textOf(entry, 'status').toLowerCase();
  if (status !== 'confirmed') yield ['Status', status.replace('needs-action', 'open')];
  yield [
    'Categories',
    valuesOf(entry, 'categories')
      .map((category) => unescaped(String(category)))
      .join(', '),
  ];
  yield ['Link', textOf(entry, 'url')];
}

const RESPONSES: Record<string, string> = {
  accepted: ' (accepted)',
  declined: ' (declined)',
  tentative: ' (tentative)',
};

/** 'Tom Berg <tom@example.org> (declined)' */
function peopleOf(entry: Entry, name: string): string[] {
  return entry.properties
    .filter((property) => property.name === name)
    .map(({ params, values }) => {
      const mailbox = String(values[0] ?? '').replace(/^mailto:/i, '');
      const label = typeof params['cn'] === 'string' ? params['cn'].trim() : '';
      const response = RESPONSES[String(params['partstat'] ?? '').toLowerCase()] ?? '';
      const person = label === '' || label === mailbox ? mailbox : `${label} <${mailbox}>`;
      return person + response;
    });
}
