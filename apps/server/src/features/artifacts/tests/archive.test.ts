import {
  recommendedQuestions,
  search,
  setArtifactArchived,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let garden: string;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  const { data } = await ann.client.upload(
    uploadArtifacts,
    [
      {
        name: 'boathouse.txt',
        content: new Blob([
          'The deposit for the boathouse is 2,340 euros. The boathouse was built by Jansen in 2014.',
        ]),
      },
      {
        name: 'garden.txt',
        content: new Blob(['The garden shed was built by Petersen in 2019.']),
      },
    ],
    { keywords: '["Property"]' },
  );
  garden = data.artifacts[1]?.artifactId ?? '';
  await engram.settled();
});

const archive = async (archived: 'true' | 'false') => {
  const params = { artifactId: garden, archived };
  return (await ann.client.call(setArtifactArchived, { params })).data;
};

/** The results of a search and the recommended questions, as text. */
async function searchResults(keywords: string[] = []): Promise<string> {
  const text = 'When was the garden shed built?';
  const { data } = await ann.client.call(search, { body: { text, audio: false, keywords } });
  const { data: questions } = await ann.client.call(recommendedQuestions, {});
  const { answers, citations, recommendations } = data;
  // Links are signed again each time.
  const related = data.similar_vectors.map((file) => ({ ...file, presignedUrl: '' }));
  return JSON.stringify([answers, citations, related, recommendations, questions]);
}

test('archiving a file removes it from answers, sources and recommended questions immediately, and restoring brings it back', async () => {
  const before = await searchResults();
  expect(before).toContain('Petersen');
  expect(await archive('true')).toMatchObject({ artifactArchived: true, isVectorReady: true });
  for (const keywords of [[], ['Property']]) {
    expect(await searchResults(keywords)).not.toMatch(/garden|Petersen|2019/iu);
  }
  expect(await archive('false')).toMatchObject({ artifactArchived: false });
  expect(await searchResults(['Property'])).toContain('Petersen');
  expect(await searchResults()).toBe(before);
});
