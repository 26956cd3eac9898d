import {
  createShare,
  getHistoryEntry,
  getSharedAnswer,
  placeArtifact,
  reportDevice,
  search,
  type SearchData,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectOverHttp, GENERATIONS, makeKey } from '../../../tests/mcp-clients.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const FILES: Record<string, string> = {
  'Papers/tax/2025/notice.txt': 'The additional payment is 312.40 euros.\n',
  'Papers/tax/2024/notice.txt': 'The additional payment is 99.10 euros.\n',
  'Papers/Garagenmiete/letter.txt': 'The monthly amount rises to 64 euros in July.\n',
  'Papiere/Steuer/2025/Bescheid.txt': 'Die Nachzahlung beträgt 507,30 Euro.\n',
  'Papiere/Steuer/2024/Bescheid.txt': 'Die Nachzahlung beträgt 208,90 Euro.\n',
  'Papers/boat/letter.txt': 'The monthly amount rises to 41 euros in July.\n',
};

describe.each(testDatabases)('questions about files in folders (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let deviceId: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    const body = { name: 'Home-PC', platform: 'Linux', version: '0.1.0' };
    deviceId = (await ann.client.call(reportDevice, { body })).data.id;
    const paths = Object.keys(FILES);
    const { data } = await ann.client.upload(
      uploadArtifacts,
      paths.map((path) => ({
        name: path.slice(path.lastIndexOf('/') + 1),
        content: new Blob([FILES[path] ?? '']),
      })),
      { meta: JSON.stringify(paths.map((path) => ({ path }))), deviceId },
    );
    for (const [i, path] of paths.entries()) ids[path] = data.artifacts[i]?.artifactId ?? '';
    const manualUpload = [
      { name: 'pool.txt', content: new Blob(['The pool costs 12 euros a month.\n']) },
    ];
    await ann.client.upload(uploadArtifacts, manualUpload, {});
    await engram.settled();
  });

  const ask = async (text: string): Promise<SearchData> =>
    (await ann.client.call(search, { body: { text } })).data;
  const pathsOf = ({ citations }: SearchData) => [...new Set(citations.map(({ path }) => path))];

  test.each([
    ['How much is the additional payment in tax/2024?', '99.10', 'Papers/tax/2024/notice.txt'],
    ['How much is the additional payment in TAX/2025?', '312.40', 'Papers/tax/2025/notice.txt'],
    [
      'Wie hoch ist die Nachzahlung im Ordner Steuer/2024?',
      '208,90',
      'Papiere/Steuer/2024/Bescheid.txt',
    ],
    ['What is the monthly amount in the folder boat?', '41', 'Papers/boat/letter.txt'],
  ])('a question that names a folder is limited to it: %s', async (text, expected, path) => {
    const answer = await ask(text);
    expect(answer.answers[0]).toContain(expected);
    expect(pathsOf(answer)).toEqual([path]);
    expect(answer.similar_vectors.map((file) => file.path)).toEqual([path]);
  });

  test('the files of a folder are listed, with their paths if several have the same name', async () => {
    const answer = await ask('Which files are in the folder Papers/tax?');
    expect(answer.grounded).toBe(true);
    expect(pathsOf(answer).toSorted()).toEqual([
      'Papers/tax/2024/notice.txt',
      'Papers/tax/2025/notice.txt',
    ]);
    expect(answer.answers[0]).toMatch(/^2 files, newest first:/u);
    expect(answer.answers[0]).toContain('Papers/tax/2025/notice.txt');
    const single = await ask('What is in tax/2025?');
    expect(single.answers[0]).toMatch(/^1 file:\n\n- notice\.txt \(/u);
  });

  test('the words of a folder name help to find its files', async () => {
    const answer = await ask('How much does the Garagenmiete rise to in July?');
    expect(answer.found[0]?.path).toBe('Papers/Garagenmiete/letter.txt');
    expect(answer.similar_vectors[0]?.path).toBe('Papers/Garagenmiete/letter.txt');
  });

  test('a file that was not in a folder has no path', async () => {
    expect((await ask('What does the pool cost?')).found).toMatchObject([{ path: null }]);
  });

  test('an earlier answer shows the current folder of its file, and a shared answer does not', async () => {
    const id = ids['Papers/boat/letter.txt'] ?? '';
    const { history_id } = await ask('What is the monthly amount in the folder boat?');
    const path = 'Papers/ships/harbour/letter.txt';
    await ann.client.call(placeArtifact, { params: { artifactId: id }, body: { path, deviceId } });
    await engram.settled();

    const entry = (await ann.client.call(getHistoryEntry, { query: { id: history_id } })).data;
    expect(entry.citations.map((citation) => citation.path)).toEqual([path]);
    expect(entry.similarVectors.map((file) => file.path)).toEqual([path]);

    const share = (await ann.client.call(createShare, { body: { historyId: history_id } })).data;
    const shared = await engram.anonymous.call(getSharedAnswer, { params: { id: share.id } });
    expect(shared.data.sources).toMatchObject([{ fileName: 'letter.txt' }]);
    expect(JSON.stringify(shared.data)).not.toMatch(/harbour|ships/u);

    // The file is found by its new folders and no longer by the old one.
    const atHarbour = await ask('Which amount rises in July at the harbour?');
    expect(atHarbour.found[0]?.path).toBe(path);
    const old = await ask('What is the additional payment in Papers/boat?');
    expect(pathsOf(old)).not.toContain(path);
  });

  test('an assistant gets the folders of files', async () => {
    const client = await connectOverHttp(engram, GENERATIONS[0]!, await makeKey(ann));
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent as {
        results: object[];
        citations: object[];
        files: object[];
        metadata: object;
      };
    const path = 'Papers/tax/2024/notice.txt';
    const question = 'How much is the additional payment in tax/2024?';
    expect((await call('search', { query: question })).results).toMatchObject([{ path }]);
    expect((await call('ask', { question })).citations).toMatchObject([{ path }]);
    expect((await call('list_files', { query: 'pool' })).files).toMatchObject([{ path: null }]);
    expect(await call('fetch', { id: ids[path] })).toMatchObject({ metadata: { path } });
    await client.close();
  });
});
