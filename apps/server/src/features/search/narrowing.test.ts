import {
  deleteArtifact,
  search,
  setArtifactArchived,
  setArtifactKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../testing/test-app.ts';
import { useTestApp } from '../../testing/use-test-app.ts';

const POND = 'The heron nests beside the mill pond.';
const RIVER = 'The heron fishes in the river at dawn.';

describe('a question narrowed to a keyword', () => {
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

  /** The files an answer is taken from, after the same question as before. */
  async function found(): Promise<string[]> {
    const body = { text: 'Where is the heron?', audio: false, keywords: ['Birds'] };
    const { data } = await ann.client.call(search, { body });
    return data.similar_vectors.map(({ artifactId }) => artifactId).toSorted();
  }

  const setKeywords = (artifactId: string, keywords: string[]) =>
    ann.client.call(setArtifactKeywords, { body: { artifactId, keywords } });
  const setArchived = (artifactId: string, archived: 'true' | 'false') =>
    ann.client.call(setArtifactArchived, { params: { artifactId, archived } });

  test('follows every change of the files from the next question on', async () => {
    const both = [pond, river].toSorted();
    expect(await found()).toEqual([pond]);
    await setKeywords(river, ['Birds']);
    expect(await found()).toEqual(both);
    await setKeywords(pond, []);
    expect(await found()).toEqual([river]);
    await upload('pond again.txt', POND, ['Birds']);
    expect(await found()).toEqual(both);
    await setArchived(river, 'true');
    expect(await found()).toEqual([pond]);
    await setArchived(river, 'false');
    expect(await found()).toEqual(both);
    await ann.client.call(deleteArtifact, { params: { artifactId: river } });
    expect(await found()).toEqual([pond]);
    const lake = await upload('lake.txt', 'The heron rests at the lake.', ['Birds']);
    expect(await found()).toEqual([lake, pond].toSorted());
  });
});
