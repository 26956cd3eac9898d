import { expect, test } from 'vitest';
import { extract } from '../../index.ts';

async function linesOf(...properties: string[]): Promise<string[]> {
  const source = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...properties, 'END:VEVENT', 'END:VCALENDAR'];
  const bytes = Buffer.from(source.join('\r\n'));
  const { text } = await extract({ bytes, fileName: 'a.ics', type: 'ics' });
  return text.split('\n').filter((line) => line !== '' && line !== 'Event');
}

test.each([
  ['FREQ=DAILY', 'every day'],
  ['FREQ=DAILY;COUNT=1', 'every day, once'],
  ['FREQ=WEEKLY;BYDAY=MO,WE,FR', 'every week on Monday, Wednesday and Friday'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1', 'every month on the first Monday'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,-1', 'every month on day 15 and the last day'],
  ['FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1', 'every year on day 1 in March and September'],
  ['FREQ=WEEKLY;INTERVAL=3;UNTIL=20261231', 'every 3 weeks until 31 December 2026 (2026-12-31)'],
])('%s is described as %s', async (rule, words) => {
  expect(await linesOf(`RRULE:${rule}`)).toEqual([`Repeats: ${words}`]);
});

test.each([
  [['DTSTART:20260306T190000'], 'Friday, 6 March 2026, 19:00 (2026-03-06)'],
  [['DTSTART:20260306T190000Z'], 'Friday, 6 March 2026, 19:00 (2026-03-06, UTC)'],
  [
    ['DTSTART;TZID=Europe/Oslo:20260306T190000', 'DTEND;TZID=Europe/Oslo:20260306T203000'],
    'Friday, 6 March 2026, 19:00 to 20:30 (2026-03-06, Europe/Oslo)',
  ],
  [
    ['DTSTART:20260306T190000', 'DURATION:P1DT2H'],
    'Friday, 6 March 2026, 19:00 to Saturday, 7 March 2026, 21:00 (2026-03-06 to 2026-03-07)',
  ],
  [
    ['DTSTART;VALUE=DATE:20260306', 'DTEND;VALUE=DATE:20260307'],
    'Friday, 6 March 2026 (2026-03-06)',
  ],
  [
    ['DTSTART:20260306T190000', 'DTEND:20260305T190000'],
    'Friday, 6 March 2026, 19:00 (2026-03-06)',
  ],
  [['DTSTART:20260306T190000', 'DURATION:soon'], 'Friday, 6 March 2026, 19:00 (2026-03-06)'],
])('%j is shown as %s', async (properties, words) => {
  expect(await linesOf(...properties)).toEqual([`Date: ${words}`]);
});

test('each event is a section with the location of its line', async () => {
  const events = ['Walk', 'Swim'].map(
    (name) => `BEGIN:VEVENT\nSUMMARY:${name}\nDTSTART:20260306\nLOCATION:Lake\nEND:VEVENT`,
  );
  const bytes = Buffer.from(
    `BEGIN:VCALENDAR\nX-WR-CALNAME:Club\n${events.join('\n')}\nEND:VCALENDAR`,
  );
  const { segments, text } = await extract({ bytes, fileName: 'a.ics', type: 'ics' });
  const sections = segments.map(({ start, end, headings, location }) => [
    ...headings,
    text.slice(start, end),
    location,
  ]);
  expect(sections.at(-1)).toEqual(['Club', 'Swim', 'Place: Lake', { line: 11 }]);
});

test('attendees beyond a limit are counted, and events are read up to a limit', async () => {
  const crowd = Array.from({ length: 500 }, (_, index) => `ATTENDEE:mailto:p${index}@example.org`);
  expect((await linesOf(...crowd)).at(-1)).toBe('With: 450 more');
  const event = 'BEGIN:VEVENT\nSUMMARY:Walk\nDTSTART:20260306\nEND:VEVENT\n';
  const bytes = Buffer.from(`BEGIN:VCALENDAR\n${event.repeat(5000)}END:VCALENDAR`);
  const input = { bytes, fileName: 'a.ics', type: 'ics' } as const;
  const { text, notes } = await extract(input, { maxTextLength: 2000 });
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(notes).toContain('Only the first 2,000 characters were read.');
});
