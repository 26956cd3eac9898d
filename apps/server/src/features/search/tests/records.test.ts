import {
  deleteArtifact,
  getArtifactText,
  search,
  type SearchData,
  setArtifactArchived,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const invoice = (number: string, client: string, total: string, status: string): string =>
  `INVOICE\n\nInvoice no: ${number}\n\nDate: 4 May 2024\n\nBill to: ${client}\n\nTotal due: ${total}\n\nStatus: ${status}\n`;

const FILES: Readonly<Record<string, string>> = {
  'ferry-2023.csv': 'Day,Route,Fare (EUR)\n2023-03-01,Island,10.00\n2023-03-09,Island,12.00\n',
  'ferry-2024.csv':
    'Day,Route,Fare (EUR)\n2024-03-01,Island,11.50\n2024-03-02,Mainland,8.00\n2024-04-09,Island,12.50\n',
  'inv-1.txt': invoice('R-1', 'Halden Ltd', '£300.00', 'paid'),
  'inv-2.txt': invoice('R-2', 'Halden Ltd', '£120.50', 'open'),
  'inv-3.txt': invoice('R-3', 'Mill Trust', '£75.00', 'open'),
  'inv-4.txt': invoice('R-4', 'Orchard House', '£41.00', 'open'),
};

describe.each(testDatabases)('figures and lists over records (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let bob: SignedInUser;
  const ids: Record<string, string> = {};

  const put = async (user: SignedInUser, files: Readonly<Record<string, string>>) => {
    const { data } = await user.client.upload(
      uploadArtifacts,
      Object.entries(files).map(([name, text]) => ({ name, content: new Blob([text]) })),
      { filesKeywords: '{"inv-1.txt": ["Done"], "inv-2.txt": ["Work"], "inv-3.txt": ["Work"]}' },
    );
    await engram.settled();
    return data.artifacts;
  };

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
    for (const { fileName, artifactId } of await put(ann, FILES)) ids[fileName] = artifactId;
    await put(bob, { 'inv-9.txt': invoice('B-9', 'Halden Ltd', '£9,999.00', 'open') });
  });

  const ask = async (text: string, user = ann, keywords: string[] = []): Promise<SearchData> =>
    (await user.client.call(search, { body: { text, audio: false, keywords } })).data;

  /** What stands in bold at the begin of an answer. */
  const figureOf = ({ answers: [answer = ''] }: SearchData): string =>
    /^\*\*([^*]+)\*\*/u.exec(answer)?.[1] ?? answer;

  const citedIn = ({ citations }: SearchData): string[] =>
    [...new Set(citations.map(({ fileName }) => fileName))].toSorted();

  test('a figure comes with its rows, each cited where it stands', async () => {
    const data = await ask('How much did we pay for the Island route in total?');
    expect(data.grounded).toBe(true);
    expect(figureOf(data)).toBe('€46.00');
    expect(data.citations).toHaveLength(4);
    for (const { artifactId, quote, start, end } of data.citations) {
      const text = await ann.client.text(getArtifactText, { params: { artifactId } });
      expect(text.slice(start, end)).toBe(quote);
      expect(quote).toContain('Island');
    }
  });

  test('days choose among files of the same columns', async () => {
    const data = await ask('How much did we pay for the Island route in 2024 in total?');
    expect(figureOf(data)).toBe('€24.00');
    expect(data.citations).toHaveLength(2);
    expect(citedIn(data)).toEqual(['ferry-2024.csv']);
  });

  test('a list has every match, and never one of other people', async () => {
    const data = await ask('Which invoices are still open?');
    expect(citedIn(data)).toEqual(['inv-2.txt', 'inv-3.txt', 'inv-4.txt']);
    expect(figureOf(data)).toBe('3 matches');
    expect(data.answers[0]?.split(/\s+/u).length).toBeLessThanOrEqual(400);
    expect(citedIn(await ask('Which invoices are still open?', bob))).toEqual(['inv-9.txt']);
  });

  test('keywords narrow the rows', async () => {
    const data = await ask('Which invoices are still open?', ann, ['Work']);
    expect(citedIn(data)).toEqual(['inv-2.txt', 'inv-3.txt']);
  });

  test('rows of archived and of deleted files are gone at once', async () => {
    const total = 'What is the total of all invoices?';
    expect(figureOf(await ask(total))).toBe('£536.50');
    const artifactId = ids['inv-4.txt'] ?? '';
    await ann.client.call(setArtifactArchived, { params: { artifactId, archived: 'true' } });
    expect(figureOf(await ask(total))).toBe('£495.50');
    await ann.client.call(deleteArtifact, { params: { artifactId: ids['inv-2.txt'] ?? '' } });
    expect(figureOf(await ask(total))).toBe('£375.00');
    expect(citedIn(await ask('Which invoices are still open?'))).toEqual(['inv-3.txt']);
    await ann.client.call(deleteArtifact, { params: { artifactId: ids['ferry-2023.csv'] ?? '' } });
    const left = await ask('How much did we pay for the Island route in total?');
    expect(figureOf(left)).toBe('€24.00');
  });
});

describe('two files of one kind', () => {
  const engram = useTestApp();
  let cara: SignedInUser;

  beforeAll(async () => {
    const quote = (no: number, firm: string, total: string): string =>
      `# Quote No. ${no}\n\nFirm: ${firm}\n\nTotal price: ${total}\n\nGuarantee: ${no * 5} years\n`;
    cara = await engram.signIn('cara@example.org');
    await cara.client.upload(
      uploadArtifacts,
      Object.entries({
        'roof-quote-1.md': quote(1, 'Harrow Roofing', '£8,400'),
        'roof-quote-2.md': quote(2, 'Penfold Roofing', '£9,150'),
        'diary.md': 'The roof leaks again. I asked for a quote.',
      }).map(([name, text]) => ({ name, content: new Blob([text]) })),
      {},
    );
    await engram.settled();
  });

  test.each([
    'compare quote 1 and quote 2',
    'What is the difference between quote no. 1 and quote no. 2?',
  ])('stand side by side: %s', async (text) => {
    const { data } = await cara.client.call(search, { body: { text, audio: false } });
    for (const value of ['£8,400', '£9,150', '5 years', '10 years']) {
      expect(data.answers[0]).toContain(value);
    }
  });
});

describe('how something is done', () => {
  const engram = useTestApp();

  test('is the section that is headed with it, and not all of a short file', async () => {
    const dan = await engram.signIn('dan@example.org');
    const text =
      '# Garden\n\nThe meter is behind the ivy.\n\n## Pruning the pear\n\n1. Wait for a dry day.\n2. Cut back to two buds.\n\n## Compost\n\nIt is turned on Saturdays.\n';
    await dan.client.upload(
      uploadArtifacts,
      [{ name: 'garden.md', content: new Blob([text]) }],
      {},
    );
    await engram.settled();
    const body = { text: 'how do i prune the pear', audio: false };
    const { data } = await dan.client.call(search, { body });
    expect(data.answers[0]).toMatch(
      /^1\. Wait for a dry day\. \[1\]\n2\. Cut back to two buds\. \[\d\]$/u,
    );
  });
});
