import { expect, test } from 'vitest';
import { ChildCrash } from '../../../platform/processes/task-process.ts';
import { createFileViews } from '../file-views.ts';

const WHOLE = { from: 0 };
const { signal } = new AbortController();

/** Views with a fake lane, and the users whose views have started. */
function setUp(view: () => Promise<{ html: string }>) {
  const started: string[] = [];
  const storage = {
    artifactsRepository: {
      find: async (userId: string, id: string) => ({
        userId,
        id,
        fileName: 'a.md',
        fileType: 'md',
      }),
    },
    filePasswords: { of: async () => [] },
    files: { withLocalFiles: async (_: unknown, use: (paths: string[]) => unknown) => use(['a']) },
  } as unknown as Parameters<typeof createFileViews>[0];
  const lane = {
    run: (_: 'view', { group }: { group: string }) => {
      started.push(group);
      return view();
    },
  } as unknown as Parameters<typeof createFileViews>[1];
  const views = createFileViews(storage, lane);
  return { started, views };
}

test('many views of one user do not occupy all processes', async () => {
  const ended = Promise.withResolvers<{ html: string }>();
  const { started, views } = setUp(() => ended.promise);
  const requests = ['1', '2', '3'].map((id) => views.html('ann', id, WHOLE, signal));
  requests.push(views.html('bob', '4', WHOLE, signal));
  await expect.poll(() => started).toEqual(['ann', 'bob']);
  ended.resolve({ html: '' });
  await Promise.all(requests);
  expect(started).toEqual(['ann', 'bob', 'ann', 'ann']);
});

test('a view that crashed its process is not retried, unlike other parts of the file', async () => {
  const { started, views } = setUp(() => Promise.reject(new ChildCrash('timeout')));
  for (const window of [WHOLE, WHOLE, { from: 9 }])
    await expect(views.html('ann', '1', window, signal)).rejects.toMatchObject({ status: 422 });
  expect(started).toHaveLength(2);
});
