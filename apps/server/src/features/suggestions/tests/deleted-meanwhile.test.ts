import { expect, test } from 'vitest';
import { createBackground } from '../../../platform/background.ts';
import { tasks } from '../../search/analysis/tasks.ts';
import { createRecommendationsService } from '../recommendations.service.ts';

const TEXT = 'The Harbour Bridge was built in 1931.';

test('a file that is deleted while questions are generated is in none of them', async () => {
  let version = 1;
  const existingIds = new Set(['bridge']);
  const requested = Promise.withResolvers<null>();
  const deleted = Promise.withResolvers<null>();
  const service = createRecommendationsService({
    library: {
      version: async () => version,
      languages: async () => ['en'],
      answerable: async (_, ids) =>
        new Map(ids.filter((id) => existingIds.has(id)).map((id) => [id, id])),
      newestReadable: async () => [
        { id: 'bridge', fileName: 'bridge.txt', fileType: 'txt', keywords: [], older: false },
      ],
      oldestReadable: async () => [],
    },
    texts: {
      beginnings: async () =>
        new Map([
          [
            'bridge',
            {
              text: TEXT,
              segments: [
                { start: 0, end: TEXT.length, kind: 'prose', headings: [], location: { line: 1 } },
              ],
            },
          ],
        ]),
    },
    preferences: async () => [],
    draft: async (_, files) => tasks.draft(files),
    ask: async () => {
      requested.resolve(null);
      await deleted.promise;
      const whole = { start: 0, end: TEXT.length };
      const file = { artifactId: 'bridge', fileName: 'bridge.txt' };
      const found = { text: TEXT, sentence: whole, highlights: [], relevance: 1, scores: {} };
      return [{ ...file, ...whole, ...found }];
    },
    model: null,
    now: () => new Date(0),
    background: createBackground({ warn: () => undefined }),
  });
  const first = service.forUser('ann');
  await requested.promise;
  existingIds.clear();
  version += 1;
  deleted.resolve(null);
  expect(await first).toEqual([]);
});
