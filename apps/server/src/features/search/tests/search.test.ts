import {
  deleteArtifact,
  getArtifactText,
  getHistoryEntry,
  listHistory,
  search,
  type SearchData,
  setArtifactArchived,
  todaysHistory,
  updateHistory,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const notes: Record<string, string> = {
  'lease.txt':
    'Lease of Rosenthaler Strasse 12.\n\nEither party may end the lease with three months notice to the end of a month, in writing.\n\nThe deposit of 2,340.00 euros is due back within thirty days after the keys are handed over.',
  'boiler.txt':
    'The boiler in the cellar was serviced by Jansen Heating on 4 May 2026.\n\nThe next service is due in May 2028.',
  'porto.md':
    '# Trip to Porto\n\nWe ate at the restaurant Cantinho do Avillez on the second evening.\n\nThe flight home left at 18:40.',
};

describe.each(testDatabases)('search (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    const { data } = await ann.client.upload(
      uploadArtifacts,
      Object.entries(notes).map(([name, text]) => ({ name, content: new Blob([text]) })),
      { filesKeywords: '{"lease.txt": ["Home"], "porto.md": ["Travel"]}' },
    );
    for (const { fileName, artifactId } of data.artifacts) ids[fileName] = artifactId;
    await engram.settled();
  });

  async function ask(
    text: string,
    more: { keywords?: string[]; explain?: boolean } = {},
    user = ann,
  ) {
    const { data } = await user.client.call(search, { body: { text, audio: false, ...more } });
    return data;
  }

  test('an account without files gets advice to upload some', async () => {
    const bob = await engram.signIn('bob-without-files@example.org');
    const advice =
      'There are no files to search yet. Upload files or add a note, and then ask again.';
    expect(await ask('What does the lease cost?', {}, bob)).toMatchObject({
      answers: [advice],
      grounded: false,
      citations: [],
      nearest: [],
    });
    const content = new Blob(['The lease costs 900 euros.']);
    const { data } = await bob.client.upload(uploadArtifacts, [{ name: 'lease.txt', content }], {});
    await engram.settled();
    expect((await ask('What does the lease cost?', {}, bob)).grounded).toBe(true);
    const id = data.artifacts[0]!.artifactId;
    await bob.client.call(setArtifactArchived, { params: { artifactId: id, archived: 'true' } });
    expect((await ask('What does the lease cost?', {}, bob)).answers).toEqual([advice]);
  });

  async function expectTrueQuotes(data: SearchData): Promise<void> {
    expect(data.mode).toBe('found');
    for (const [
      i,
      { artifactId, n, start, end, text, highlights, score },
    ] of data.found.entries()) {
      const whole = await ann.client.text(getArtifactText, { params: { artifactId } });
      expect(whole.slice(start, end)).toBe(text);
      expect([n, score >= 0 && score <= 1]).toEqual([i + 1, true]);
      for (const [from, to] of highlights) expect(text.slice(from, to)).toMatch(/^\S+$/u);
    }
    for (const { artifactId, n, quote, start, end } of data.citations) {
      const section = data.found[n - 1];
      expect(section).toMatchObject({ n, artifactId });
      expect(section?.text.slice(start - section.start, end - section.start)).toBe(quote);
    }
    const marks = [...(data.answers[0] ?? '').matchAll(/\[(\d+)\]/gu)].map((match) =>
      Number(match[1]),
    );
    expect(new Set(marks)).toEqual(new Set(data.citations.map(({ n }) => n)));
  }

  describe('a question', () => {
    test('is answered with citations and their locations', async () => {
      const data = await ask('When was the boiler serviced?');
      expect(data.grounded).toBe(true);
      expect(data.answers[0]).toContain('4 May 2026');
      expect(data.citations[0]).toMatchObject({
        n: 1,
        artifactId: ids['boiler.txt'],
        fileName: 'boiler.txt',
        location: { line: 1 },
      });
      expect(data.similar_vectors[0]).toMatchObject({ artifactId: ids['boiler.txt'] });
      await expectTrueQuotes(data);
      const { data: entry } = await ann.client.call(getHistoryEntry, {
        query: { id: data.history_id },
      });
      expect(entry).toMatchObject({ mode: 'found', found: data.found, writtenBy: 'files' });
    });

    test('gets no invented answer if the files have none', async () => {
      const data = await ask('What is the capital of Mongolia?');
      expect(data.grounded).toBe(false);
      expect(data.citations).toEqual([]);
      expect(data.answers[0]).toContain("Your files don't seem to say");
    });

    test('can be limited to the files of keywords', async () => {
      const data = await ask('When was the boiler serviced?', { keywords: ['Travel'] });
      expect(data.citations.map(({ artifactId }) => artifactId)).not.toContain(ids['boiler.txt']);
      const home = await ask('How long is the notice of the lease?', {
        keywords: ['home', 'Work'],
      });
      expect(home.citations[0]?.artifactId).toBe(ids['lease.txt']);
    });

    test('is explained with passages, terms and stages on request', async () => {
      const data = await ask('When is the deposit due back?', { explain: true });
      expect(data.explain?.passages[0]).toMatchObject({ artifactId: ids['lease.txt'] });
      expect(data.explain?.stages.map(({ name }) => name)).toContain('index');
    });

    test("never finds another user's files", async () => {
      const bob = await engram.signIn('bob@example.org');
      const data = await ask('When was the boiler serviced?', {}, bob);
      expect(data.grounded).toBe(false);
      expect(data.similar_vectors).toEqual([]);
    });

    test('is refused if it has 301 characters or none', async () => {
      await expect(ask('x'.repeat(301))).rejects.toMatchObject({
        status: 400,
        message: 'A question can have at most 300 characters.',
      });
      await expect(ask('   ')).rejects.toMatchObject({
        status: 400,
        message: 'Please enter a question.',
      });
    });

    test('is answered in a stream of sections with citations, text, and the complete answer', async () => {
      const events: string[] = [];
      let text = '';
      const sources: Pick<SearchData, 'citations' | 'found'>[] = [];
      let done: SearchData | undefined;
      for await (const event of ann.client.stream(search, {
        body: { text: 'Where did we eat in Porto?', audio: false },
      })) {
        events.push(event.event);
        if (event.event === 'sources') sources.push(event.data);
        if (event.event === 'delta') text += event.data.text;
        if (event.event === 'done') done = event.data;
      }
      expect(events[0]).toBe('sources');
      expect(events.at(-1)).toBe('done');
      expect(text).toBe(done?.answers[0]);
      expect(text).toContain('Cantinho do Avillez');
      expect(done?.found[0]).toMatchObject({ n: 1, fileName: 'porto.md' });
      expect(sources).toMatchObject([{ citations: done?.citations, found: done?.found }]);
    });
  });

  describe('the history', () => {
    test('stores each question with its answer, visible only to its user', async () => {
      const { history_id: id, answers } = await ask('When did the flight home leave?');
      const { data: entry } = await ann.client.call(getHistoryEntry, { query: { id } });
      expect(entry).toMatchObject({ searchText: 'When did the flight home leave?', answers });
      const today = await ann.client.call(todaysHistory, {});
      expect(today.data[0]?.id).toBe(id);
      const bob = await engram.signIn('bob2@example.org');
      await expect(bob.client.call(getHistoryEntry, { query: { id } })).rejects.toMatchObject({
        status: 404,
      });
      await expect(
        bob.client.call(updateHistory, { body: { historyId: id, isBookmark: true } }),
      ).rejects.toMatchObject({ status: 404 });
    });

    test('can be starred, archived, filtered and paged', async () => {
      const user = await engram.signIn('historian@example.org');
      const ids: string[] = [];
      for (const text of ['First question?', 'Second question?', 'Third question?']) {
        ids.unshift((await ask(text, {}, user)).history_id);
      }
      await user.client.call(updateHistory, {
        body: { historyId: ids[0] ?? '', isBookmark: true },
      });
      await user.client.call(updateHistory, {
        body: { historyId: ids[1] ?? '', isArchived: true },
      });
      const listed = async (query: object) =>
        (await user.client.call(listHistory, { query })).data.map(({ id }) => id);
      expect(await listed({ saved: 'true' })).toEqual([ids[0]]);
      expect(await listed({ archived: 'true' })).toEqual([ids[1]]);
      expect(await listed({ q: 'third' })).toEqual([ids[0]]);
      const first = await user.client.call(listHistory, { query: { limit: 2 } });
      const rest = await user.client.call(listHistory, {
        query: { limit: 2, cursor: first.nextCursor ?? '' },
      });
      expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
      expect([first.total, rest.nextCursor]).toEqual([3, null]);
    });
  });

  describe('archived and deleted files', () => {
    test('an archived file is not in answers until it is restored', async () => {
      const params = (archived: 'true' | 'false') => ({
        params: { artifactId: ids['porto.md'] ?? '', archived },
      });
      await ann.client.call(setArtifactArchived, params('true'));
      const without = await ask('Where did we eat in Porto?');
      expect(without.similar_vectors.map(({ fileName }) => fileName)).not.toContain('porto.md');
      await ann.client.call(setArtifactArchived, params('false'));
      const restored = await ask('Where did we eat in Porto?');
      expect(restored.citations[0]?.artifactId).toBe(ids['porto.md']);
    });

    test('a deleted file is removed from new and earlier answers immediately', async () => {
      const { data } = await ann.client.upload(
        uploadArtifacts,
        [{ name: 'canary.txt', content: new Blob(['The zorblax canary sings at noon in Ulm.']) }],
        {},
      );
      const artifactId = data.artifacts[0]?.artifactId ?? '';
      await engram.settled();
      const before = await ask('When does the zorblax canary sing?');
      expect(before.citations[0]?.artifactId).toBe(artifactId);

      await ann.client.call(deleteArtifact, { params: { artifactId } });
      const after = await ask('When does the zorblax canary sing?');
      expect(JSON.stringify(after)).not.toContain('noon in Ulm');
      const { data: entry } = await ann.client.call(getHistoryEntry, {
        query: { id: before.history_id },
      });
      expect(entry.answers[0]).toContain('Removed: the file was deleted.');
      expect(JSON.stringify(entry)).not.toContain('noon in Ulm');
      expect(entry.citations).toEqual([]);
    });
  });
});
