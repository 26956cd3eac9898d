import {
  deleteArtifact,
  getHistoryEntry,
  historyThread,
  renameArtifact,
  search,
  setArtifactArchived,
  setArtifactKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const POND = 'The heron nests beside the mill pond.';
const RIVER = 'The heron fishes in the river at dawn.';

describe('a question limited to a keyword', () => {
  const engram = useTestApp();
  let ann: SignedInUser;
  let pond: string;
  let river: string;

  const upload = async (name: string, text: string, keywords: string[]): Promise<string> => {
    const file = { name, content: new Blob([text]) };
    const { data } = await ann.client.upload(uploadArtifacts, [file], {
      keywords: JSON.stringify(keywords),
    });
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  };

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    pond = await upload('pond.txt', POND, ['Birds']);
    river = await upload('river.txt', RIVER, []);
  });

  /** Asks the same question each time, and returns the files of the answer. */
  async function filesInAnswer(): Promise<string[]> {
    const body = { text: 'Where is the heron?', audio: false, keywords: ['Birds'] };
    const { data } = await ann.client.call(search, { body });
    return data.similar_vectors.map(({ artifactId }) => artifactId).toSorted();
  }

  const setKeywords = (artifactId: string, keywords: string[]) =>
    ann.client.call(setArtifactKeywords, { body: { artifactId, keywords } });
  const setArchived = (artifactId: string, archived: 'true' | 'false') =>
    ann.client.call(setArtifactArchived, { params: { artifactId, archived } });

  test('applies every change of keywords from the next question on', async () => {
    const both = [pond, river].toSorted();
    expect(await filesInAnswer()).toEqual([pond]);
    await setKeywords(river, ['Birds']);
    expect(await filesInAnswer()).toEqual(both);
    await setKeywords(pond, []);
    expect(await filesInAnswer()).toEqual([river]);
    await upload('pond again.txt', POND, ['Birds']);
    expect(await filesInAnswer()).toEqual(both);
    await setArchived(river, 'true');
    expect(await filesInAnswer()).toEqual([pond]);
    await setArchived(river, 'false');
    expect(await filesInAnswer()).toEqual(both);
    await ann.client.call(deleteArtifact, { params: { artifactId: river } });
    expect(await filesInAnswer()).toEqual([pond]);
    const lake = await upload('lake.txt', 'The heron rests at the lake.', ['Birds']);
    expect(await filesInAnswer()).toEqual([lake, pond].toSorted());
  });
});

describe('a question about selected files', () => {
  const engram = useTestApp();
  let ann: SignedInUser;
  let pond: string;
  let river: string;

  const upload = async (name: string, text: string, keywords: string[]): Promise<string> => {
    const file = { name, content: new Blob([text]) };
    const { data } = await ann.client.upload(uploadArtifacts, [file], {
      keywords: JSON.stringify(keywords),
    });
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  };

  const ask = async (
    artifactIds: string[],
    { text = 'Where is the heron?', keywords = [] as string[], user = ann } = {},
  ) =>
    (await user.client.call(search, { body: { text, audio: false, artifactIds, keywords } })).data;
  const filesOf = ({ similar_vectors }: Awaited<ReturnType<typeof ask>>): string[] =>
    similar_vectors.map(({ artifactId }) => artifactId).toSorted();

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    pond = await upload('pond.txt', POND, ['Birds']);
    river = await upload('river.txt', RIVER, []);
  });

  test('is answered only from them', async () => {
    expect(filesOf(await ask([river]))).toEqual([river]);
    expect((await ask([river])).answers[0]).toContain('river at dawn');
    expect(filesOf(await ask([river, pond]))).toEqual([pond, river].toSorted());
    expect(filesOf(await ask([]))).toEqual([pond, river].toSorted());
  });

  test('is also limited by keywords', async () => {
    expect(filesOf(await ask([river, pond], { keywords: ['birds'] }))).toEqual([pond]);
    expect(filesOf(await ask([river], { keywords: ['birds'] }))).toEqual([]);
  });

  test('finds no other file, even if it contains more of the words', async () => {
    const answer = await ask([river], { text: 'What stands beside the mill?' });
    expect(JSON.stringify(answer)).not.toContain('pond');
  });

  test('lists only the selected files if it asks for a list', async () => {
    expect(filesOf(await ask([river], { text: 'Which files did I upload today?' }))).toEqual([
      river,
    ]);
  });

  test('skips deleted files, and says so if all are deleted', async () => {
    const deletedId = await upload('gone.txt', 'The heron has flown.', []);
    await ann.client.call(deleteArtifact, { params: { artifactId: deletedId } });
    expect(filesOf(await ask([deletedId, river]))).toEqual([river]);
    const message = 'The chosen files were deleted or archived.';
    await expect(ask([deletedId])).rejects.toMatchObject({ status: 404, message });
    await ann.client.call(setArtifactArchived, { params: { artifactId: pond, archived: 'true' } });
    await expect(ask([pond])).rejects.toMatchObject({ status: 404, message });
  });

  test('is stored with them, and the history shows their current names', async () => {
    const denId = await upload('den.txt', 'The fox has a den.', []);
    const nestId = await upload('nest.txt', 'The wren has a nest.', []);
    const answer = await ask([denId, nestId], { text: 'Who has a den?', keywords: ['Animals'] });
    const entry = async () =>
      (await ann.client.call(getHistoryEntry, { query: { id: answer.history_id } })).data;
    await ann.client.call(deleteArtifact, { params: { artifactId: nestId } });
    await ann.client.call(renameArtifact, {
      params: { artifactId: denId },
      body: { name: 'fox.txt' },
    });
    const chosenFiles = [{ artifactId: denId, fileName: 'fox.txt' }];
    expect(await entry()).toMatchObject({ keywords: ['Animals'], chosenFiles });
    const { history_id: id } = await ask([], { text: 'Who has a den?' });
    const { data: thread } = await ann.client.call(historyThread, { query: { id } });
    expect(thread[0]).toMatchObject({ keywords: [], chosenFiles: [] });
  });

  test("is refused for another user's files, and for more than a hundred", async () => {
    const bob = await engram.signIn('bob@example.org');
    await expect(ask([river], { user: bob })).rejects.toMatchObject({ status: 404 });
    const many = Array.from({ length: 101 }, () => river);
    await expect(ask(many)).rejects.toMatchObject({
      status: 400,
      message: 'A question can be asked of at most 100 chosen files.',
    });
  });
});
