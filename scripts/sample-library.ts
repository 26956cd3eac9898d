import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client, UploadFile } from '@engram/client';
import { search, uploadArtifacts } from '@engram/contract';
import { untilReady } from '../bench/setup.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Small test files with realistic names. */
const FIXTURES: Record<string, string> = {
  'Lease Amstelkade 12.pdf': 'tests/e2e/files/lease.pdf',
  'Household 2026.csv': 'tests/e2e/files/household.csv',
  'Boiler service.txt': 'tests/e2e/files/boiler.txt',
  'Wind mills.pptx': 'packages/extraction/fixtures/024-pptx/mills.pptx',
  'Harbour dues.xlsx': 'packages/extraction/fixtures/030-xlsx/harbour.xlsx',
  'Lighthouse.jpg': 'packages/extraction/fixtures/040-jpeg-date-and-place/lighthouse.jpg',
  'Coast walk.mp3': 'packages/extraction/fixtures/122-mp3-tags-and-chapters/coast.mp3',
  'Lighthouse at night.mp4': 'packages/extraction/fixtures/123-mp4/lighthouse.mp4',
};

const NOTES: Record<string, string> = {
  'Gym membership.md': `# Gym membership

The membership at Studio Zuid runs until 31 August 2027 and costs 34.50 euros a month.

It can be cancelled with one month's notice to the end of a quarter, by e-mail to the desk.
Freezing it for up to eight weeks a year is free of charge.
`,
  'Trip to Lisbon.md': `# Trip to Lisbon

We fly on 14 April 2027 at 07:25 from gate D and come back on 21 April in the evening.

The flat is in Rua da Bica 44. The deposit of 300 euros is returned within ten days.
Marta has the second key. The tram to Belém is line 15.
`,
  'Insurance letter.txt': `Dear Ms Visser,

your household insurance covers water damage up to 25,000 euros. The excess is 150 euros for each
claim. A claim must be reported within 14 days. The premium is due on 1 February each year.
`,
};

const KEYWORDS: Record<string, string[]> = {
  'Lease Amstelkade 12.pdf': ['Personal', 'Home'],
  'Household 2026.csv': ['Finance', 'Home'],
  'Boiler service.txt': ['Home'],
  'Gym membership.md': ['Health'],
  'Trip to Lisbon.md': ['Travel'],
  'Insurance letter.txt': ['Finance'],
};

/** The folders of synced files. */
const FOLDERS: Record<string, string> = {
  'Lease Amstelkade 12.pdf': 'Papers/Amstelkade',
  'Boiler service.txt': 'Papers/Amstelkade/Maintenance/2026',
  'Insurance letter.txt': 'Papers/Insurance',
  'Lighthouse.jpg': 'Photographs/2026/Summer at the coast',
};

/** The question whose answer the pictures show. */
const SHOWN_QUESTION = 'How much notice does the lease ask for, and when was the boiler serviced?';

const EARLIER_QUESTIONS = [
  'When does the gym membership end?',
  'What does the household insurance cover?',
  'When do we fly to Lisbon?',
  'What is the deposit paid in March?',
];

async function readLibrary(): Promise<UploadFile[]> {
  const fixtures = Object.entries(FIXTURES).map(async ([name, file]) => ({
    name,
    content: new Blob([await readFile(path.join(root, file))]),
  }));
  const notes = Object.entries(NOTES).map(([name, text]) => ({ name, content: new Blob([text]) }));
  return [...(await Promise.all(fixtures)), ...notes];
}

/** A question that the library does not answer, although it mentions the flight. */
const UNANSWERED_QUESTION = 'What does the flight to Lisbon cost?';

async function ask(client: Client, text: string): Promise<string> {
  const { data } = await client.call(search, { body: { text, audio: false } });
  return data.history_id;
}

/** Uploads a small invented library and asks some questions. Returns the history IDs of two. */
export async function fillLibrary(
  client: Client,
): Promise<{ answered: string; unanswered: string }> {
  const library = await readLibrary();
  const filesKeywords = JSON.stringify(KEYWORDS);
  const uploaded = library.filter(({ name }) => FOLDERS[name] === undefined);
  await client.upload(uploadArtifacts, uploaded, { filesKeywords });
  const synced = library.filter(({ name }) => FOLDERS[name] !== undefined);
  await client.upload(uploadArtifacts, synced, {
    filesKeywords,
    source: 'Connector',
    meta: JSON.stringify(synced.map(({ name }) => ({ path: `${FOLDERS[name]}/${name}` }))),
  });
  await untilReady(client);
  const unanswered = await ask(client, UNANSWERED_QUESTION);
  for (const text of EARLIER_QUESTIONS) await ask(client, text);
  return { answered: await ask(client, SHOWN_QUESTION), unanswered };
}
