import { listKeywords, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();

test('the files of each keyword are counted on request', async () => {
  const [ann, eve] = [
    await engram.signIn('ann@example.org'),
    await engram.signIn('eve@example.org'),
  ];
  const upload = (user: typeof ann, content: string, keywords: string[]) =>
    user.client.upload(uploadArtifacts, [{ name: 'note.txt', content: new Blob([content]) }], {
      keywords: JSON.stringify(keywords),
    });
  await upload(ann, 'The lease of the boathouse.', ['Work', 'Boats']);
  await upload(ann, 'The bill of the boathouse.', ['boats']);
  await upload(eve, 'The lease of the shed.', ['Work']);
  await engram.settled();

  const { data: counted } = await ann.client.call(listKeywords, { query: { files: 'true' } });
  expect(counted.map(({ keyword, files }) => [keyword, files])).toEqual([
    ['Personal', 0],
    ['Work', 1],
    ['Finance', 0],
    ['Health', 0],
    ['Travel', 0],
    ['Education', 0],
    ['Boats', 2],
  ]);
  const { data: plain } = await ann.client.call(listKeywords, { query: {} });
  expect(plain).toEqual(counted.map((keyword) => Object.assign(keyword, { files: null })));
});
