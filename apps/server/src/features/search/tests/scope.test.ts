import {
  deleteArtifact,
  getArtifactText,
  getHistoryEntry,
  search,
  type SearchData,
  setArtifactArchived,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const DAY_MS = 86_400_000;

/** A picture without text, of one white pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

/** The files, with the number of days between their upload and the questions. */
const uploads: [daysBefore: number, name: string, content: string | Buffer][] = [
  [100, 'budget.csv', 'Item,Planned\nTravel,5000\nEquipment,8000\n'],
  [90, 'budget_2027.csv', 'Item,Planned\nTravel,7250\nEquipment,9500\n'],
  [60, 'clean-a.txt', 'Brightline Cleaning\nDate: 2026-03-31\nTotal due: 400.00\n'],
  [59, 'clean-b.txt', 'Brightline Cleaning\nDate: 30 April 2026\nTotal due: 455.00\n'],
  [10, 'lease.txt', 'Lease of Mill Lane 6.\n\nThe rent is 980 euros a month.\n'],
  [9, 'view.png', PIXEL],
  [1, 'router.txt', 'The upload speed of the router is 38 megabits a second.\n'],
];

describe('questions that name files', () => {
  const engram = useTestApp({
    // The questions are asked 100 days later, on a Friday in UTC and a Thursday evening in the time zone.
    startAt: new Date('2026-08-12T01:30:00Z'),
    env: { ENGRAM_TIME_ZONE: 'America/Los_Angeles' },
  });
  let ann: SignedInUser;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    let day = 100;
    for (const [daysBefore, name, content] of uploads) {
      engram.advance((day - daysBefore) * DAY_MS);
      day = daysBefore;
      // A sign-in lasts a week.
      ann = await engram.signIn('ann@example.org');
      const files = [{ name, content: new Blob([new Uint8Array(Buffer.from(content))]) }];
      const { data } = await ann.client.upload(uploadArtifacts, files, {
        filesKeywords: JSON.stringify({ [name]: [name.startsWith('clean') ? 'Bills' : 'Home'] }),
      });
      ids[name] = data.artifacts[0]?.artifactId ?? '';
    }
    engram.advance(day * DAY_MS);
    await engram.settled();
    ann = await engram.signIn('ann@example.org');
  });

  async function ask(text: string, keywords: string[] = []): Promise<SearchData> {
    const { data } = await ann.client.call(search, { body: { text, audio: false, keywords } });
    return data;
  }

  const filesOf = ({ similar_vectors: files }: SearchData): string[] =>
    files.map(({ fileName }) => fileName);

  test.each([
    ['How much is planned for travel in budget.csv?', 'budget.csv', '5000'],
    ['How much is planned for travel in Budget-2027?', 'budget_2027.csv', '7250'],
    ['According to "budget 2027", what is planned for equipment?', 'budget_2027.csv', '9500'],
  ])('%s', async (text, fileName, answer) => {
    const data = await ask(text);
    expect(data.citations[0]?.fileName).toBe(fileName);
    expect(data.answers[0]).toContain(answer);
    expect(filesOf(data)).toEqual([fileName]);
  });

  test('a named file that does not exist does not limit the search, and no answer is invented', async () => {
    const data = await ask('What is planned for the moon colony in moon-base.xlsx?');
    expect(data.grounded).toBe(false);
    expect(filesOf(data)).not.toEqual([]);
  });

  test.each([
    ['What was the total due of Brightline in March?', 'clean-a.txt'],
    ['What was the total due of Brightline in April 2026?', 'clean-b.txt'],
  ])('%s', async (text, fileName) => {
    const data = await ask(text);
    expect(data.citations[0]?.fileName).toBe(fileName);
    expect(filesOf(data)[0]).toBe(fileName);
  });

  describe('questions for a list of files', () => {
    test('files are listed with their dates, and cited with exact quotes', async () => {
      const data = await ask('What did I upload last week?');
      expect(data.grounded).toBe(true);
      expect(data.answers[0]).toBe(
        '2 files, newest first:\n\n- view.png (10 November 2026)\n- lease.txt (9 November 2026) [1]',
      );
      expect(filesOf(data)).toEqual(['view.png', 'lease.txt']);
      const [citation] = data.citations;
      expect(citation).toMatchObject({ n: 1, fileName: 'lease.txt', location: { line: 1 } });
      const artifactId = ids['lease.txt'] ?? '';
      const text = await ann.client.text(getArtifactText, { params: { artifactId } });
      expect(text.slice(citation?.start, citation?.end)).toBe(citation?.quote);
      expect(citation?.quote).toBe('Lease of Mill Lane 6.');
    });

    test('the names of deleted files are removed from lists in the history, cited or not', async () => {
      const bea = await engram.signIn('bea@example.org');
      const deletedIds: string[] = [];
      for (const [name, content] of [
        ['kept.txt', 'Kept.'],
        ['removed.txt', 'Gone.'],
        ['removed.png', PIXEL],
      ] as const) {
        const files = [{ name, content: new Blob([new Uint8Array(Buffer.from(content))]) }];
        const { data } = await bea.client.upload(uploadArtifacts, files, {});
        if (name !== 'kept.txt') deletedIds.push(data.artifacts[0]?.artifactId ?? '');
      }
      await engram.settled();
      const body = { text: 'What did I upload today?', audio: false };
      const { data: answer } = await bea.client.call(search, { body });
      expect(answer.answers[0]).toContain('removed.png');
      for (const artifactId of deletedIds)
        await bea.client.call(deleteArtifact, { params: { artifactId } });
      const query = { id: answer.history_id };
      const { data: entry } = await bea.client.call(getHistoryEntry, { query });
      expect(JSON.stringify({ ...entry, id: '' })).not.toContain('removed.');
      expect(entry.answers[0]?.match(/- Removed: the file was deleted\./gu)).toHaveLength(2);
      expect(entry.answers[0]).toContain('- kept.txt');
    });

    test('days are those of the time zone of the server', async () => {
      const data = await ask('Which files did I add yesterday?');
      expect(filesOf(data)).toEqual(['router.txt']);
      expect(filesOf(await ask('Files from today'))).toEqual([]);
    });

    test('the list can be limited by file type and keyword', async () => {
      expect(filesOf(await ask('List my spreadsheets'))).toEqual(['budget_2027.csv', 'budget.csv']);
      const bills = await ask('How many files do I have?', ['Bills']);
      expect(bills.answers[0]).toMatch(/^2 files/u);
      expect(filesOf(bills)).toEqual(['clean-b.txt', 'clean-a.txt']);
    });

    test('German questions are understood', async () => {
      const data = await ask('Welche Bilder habe ich letzte Woche hochgeladen?');
      expect(filesOf(data)).toEqual(['view.png']);
    });

    test('the answer says so if no file matches', async () => {
      const data = await ask('What did I upload in May 2025?');
      expect(data.grounded).toBe(false);
      expect(data.answers).toEqual(['You uploaded no such files in that time.']);
      expect(data.citations).toEqual([]);
      expect(data.similar_vectors).toEqual([]);
    });

    test("archived files and other users' files are not listed", async () => {
      const params = { artifactId: ids['view.png'] ?? '' };
      await ann.client.call(setArtifactArchived, { params: { ...params, archived: 'true' } });
      expect(filesOf(await ask('What did I upload last week?'))).toEqual(['lease.txt']);
      const bob = await engram.signIn('bob@example.org');
      const body = { text: 'What did I upload last week?', audio: false };
      const { data } = await bob.client.call(search, { body });
      expect(data.similar_vectors).toEqual([]);
    });
  });

  test('a misspelled question finds its file', async () => {
    const data = await ask('What was due at Brihgtline?');
    expect(new Set(filesOf(data))).toEqual(new Set(['clean-a.txt', 'clean-b.txt']));
    expect(filesOf(await ask('Brixhtlymo'))).toEqual([]);
  });

  test('a question whose only significant word is misspelled is answered', async () => {
    const data = await ask('Where is the ruoter?');
    expect(filesOf(data)).toContain('router.txt');
    expect(data.grounded).toBe(true);
  });

  test('a question with an upload time is limited to the files of that time', async () => {
    const data = await ask('How much is the rent in the document I uploaded last week?');
    expect(data.citations[0]?.fileName).toBe('lease.txt');
    expect(filesOf(data)).toEqual(['lease.txt']);
  });

  test('a question about the word upload is not a question for uploaded files', async () => {
    const data = await ask('What is the upload speed of the router?');
    expect(data.answers[0]).toContain('38 megabits');
  });
});
