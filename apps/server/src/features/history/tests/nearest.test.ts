import {
  createShare,
  deleteArtifact,
  getArtifactText,
  getHistoryEntry,
  getSharedAnswer,
  listHistory,
  search,
  suggestions,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  belongings,
  exportOf,
  importOf,
  unpack,
  upload,
} from '../../../tests/exports.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const REFUSED = "Your files don't seem to say.";
const LETTER = 'The boathouse in Havelberg was painted blue by the brothers Lindqvist.';
const QUESTION = 'How much is the insurance of the museum in Havelberg?';
/** Unrelated files, so that the words of the question are rare. */
const NOTES = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`note${n}.txt`, `Pump ${n} stands in cellar ${n}.`]),
);

describe.each(testDatabases)('a question without an answer (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  let ann: SignedInUser;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    await upload(ann, { 'letter.txt': LETTER, ...NOTES });
    await engram.settled();
  });

  const ask = async (text = QUESTION, { client } = ann) =>
    (await client.call(search, { body: { text, audio: false } })).data;
  const entryOf = async (id: string) =>
    (await ann.client.call(getHistoryEntry, { query: { id } })).data;

  test('shows the exact nearest passages, now and in the history', async () => {
    const data = await ask();
    expect(data).toMatchObject({
      answers: [REFUSED],
      grounded: false,
      citations: [],
      mode: 'found',
      nearest: [{ n: 1, fileName: 'letter.txt', location: { line: 1 } }],
    });
    for (const { artifactId, quote, start, end } of data.nearest) {
      const text = await ann.client.text(getArtifactText, { params: { artifactId } });
      expect(text.slice(start, end)).toBe(quote);
    }
    const stored = await entryOf(data.history_id);
    expect(stored.nearest).toEqual(data.nearest);
    const list = async (brief: 'true' | 'false') =>
      (await ann.client.call(listHistory, { query: { brief } })).data[0]?.nearest;
    expect(await list('false')).toEqual(data.nearest);
    expect(await list('true')).toEqual([]);
  });

  test('has a shared link that names source locations without quotes', async () => {
    const { history_id: historyId } = await ask();
    const { data: link } = await ann.client.call(createShare, { body: { historyId } });
    const { data: shared } = await engram.anonymous.call(getSharedAnswer, {
      params: { id: link.id },
    });
    expect(shared).toMatchObject({
      answer: REFUSED,
      sources: [],
      nearest: [{ n: 1, fileName: 'letter.txt', location: { line: 1 } }],
    });
    expect(JSON.stringify(shared)).not.toContain('Lindqvist');
  });

  test('is exported with passages that can be imported again', async () => {
    await ask();
    const bytes = await exportOf(ann);
    const text = String((await unpack(bytes))['history.md']);
    expect(text).toContain(
      `The nearest passages, which don't answer the question:\n\n- letter.txt, line 1: “${LETTER}”`,
    );
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await importOf(bob, bytes);
    await engram.settled();
    const { history } = await belongings(bob);
    expect(history).toEqual((await belongings(ann)).history);
    expect(history[0]?.nearest).toMatchObject([{ fileName: 'letter.txt', quote: LETTER }]);
  });

  test('loses a passage when its file is deleted', async () => {
    const { history_id: id, nearest } = await ask();
    const artifactId = nearest[0]?.artifactId ?? '';
    await ann.client.call(deleteArtifact, { params: { artifactId } });
    await engram.settled();
    const stored = await entryOf(id);
    expect(stored.nearest.map((passage) => passage.fileName)).not.toContain('letter.txt');
    expect(JSON.stringify(stored)).not.toContain('Lindqvist');
  });

  test('is not suggested again until it is answered', async () => {
    const suggested = async () => (await ann.client.call(suggestions, {})).data;
    await ask();
    expect(await suggested()).not.toContain(QUESTION);
    await upload(ann, {
      'policy.txt': 'The insurance of the museum in Havelberg is 1,240 euros a year.',
    });
    await engram.settled();
    expect((await ask()).grounded).toBe(true);
    expect(await suggested()).toContain(QUESTION);
  });
});
