import {
  findPassages,
  getArtifactText,
  listHistory,
  saveWebContent,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;

const find = async (text: string, user = ann, keywords: string[] = []) =>
  (await user.client.call(findPassages, { body: { text, keywords } })).data;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  const lease = new Blob(['The flat has a balcony.\n\nThe lease needs three months of notice.\n']);
  await ann.client.upload(uploadArtifacts, [{ name: 'Lease.txt', content: lease }], {
    keywords: '["Home"]',
  });
  const page = new Blob(['<title>Ferry</title><p>The ferry needs forty minutes.'], {
    type: 'text/html',
  });
  const url = 'https://example.org/ferry';
  await ann.client.upload(saveWebContent, [{ name: 'ferry.html', content: page }], { url });
  await engram.settled();
});

describe('passages without an answer', () => {
  test('are returned best first, with their best sentence, its location and a score', async () => {
    const [best] = await find('How much notice does the lease need?');
    expect(best).toMatchObject({ fileName: 'Lease.txt', path: null });
    expect(best?.quote).toContain('three months of notice');
    expect(best?.text).toContain(best?.quote);
    expect(best?.score).toBeGreaterThan(0);
    const text = await ann.client.text(getArtifactText, {
      params: { artifactId: best?.artifactId ?? '' },
    });
    expect(text.slice(best?.start, best?.end)).toBe(best?.quote);
  });

  test('are limited to keywords', async () => {
    const passages = await find('What needs how long?', ann, ['Home']);
    expect(new Set(passages.map(({ fileName }) => fileName))).toEqual(new Set(['Lease.txt']));
  });

  test("never come from another user's files", async () => {
    const bob = await engram.signIn('bob@example.org');
    expect(await find('How much notice does the lease need?', bob)).toEqual([]);
  });

  test('leave no entry in the history', async () => {
    expect((await ann.client.call(listHistory, { query: {} })).data).toEqual([]);
  });

  test('need a question', async () => {
    await expect(find(' ')).rejects.toMatchObject({ status: 400 });
  });
});
