import { getHistoryEntry, search, type SearchData, uploadArtifacts } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const LEASE = `Lease of the flat

The landlord of the flat is Bob Jones.
The monthly rent of the flat is 900 EUR.
The rent is due on the third day of each month.
The deposit of the flat is 1,800 EUR.`;
const OFFICE = `Contract of the office

The monthly rent of the office is 2,400 EUR.
The deposit of the office is 7,200 EUR.`;

const engram = useTestApp();
let ann: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  bob = await engram.signIn('bob@example.org');
  const files = [
    { name: 'flat.txt', content: new Blob([LEASE]) },
    { name: 'office.txt', content: new Blob([OFFICE]) },
  ];
  await ann.client.upload(uploadArtifacts, files, {});
  await engram.settled();
});

async function ask(text: string, after?: string, user = ann): Promise<SearchData> {
  const body = { text, audio: false, explain: true, ...(after === undefined ? {} : { after }) };
  return (await user.client.call(search, { body })).data;
}

describe('a follow-up question', () => {
  test('is searched with the words of the previous one, and is stored as it was asked', async () => {
    const first = await ask('What is the monthly rent of the office?');
    const second = await ask('And the deposit?', first.history_id);
    expect(second.found[0]).toMatchObject({ fileName: 'office.txt' });
    expect(second.found[0]?.text).toContain('7,200 EUR');
    expect(second.text).toBe('And the deposit?');
    const { data } = await ann.client.call(getHistoryEntry, { query: { id: second.history_id } });
    expect(data).toMatchObject({ searchText: 'And the deposit?', follows: first.history_id });
  });

  test('is searched with the words of the two previous ones', async () => {
    const first = await ask('What is the monthly rent of the office?');
    const second = await ask('And of the flat?', first.history_id);
    const third = await ask('And the deposit?', second.history_id);
    const texts = third.found.slice(0, 3).map(({ fileName, text }) => `${fileName}: ${text}`);
    expect(texts.join('\n')).toMatch(/flat\.txt: .*1,800 EUR/su);
  });

  test.each([
    [
      'in the history of another user',
      async () => (await ask('What is the rent?', undefined, bob)).history_id,
    ],
    ['unknown', async () => crypto.randomUUID()],
  ])('is refused if its predecessor is %s', async (_, earlier) => {
    await expect(ask('And the deposit?', await earlier())).rejects.toMatchObject({
      status: 404,
      message: 'The question that this one follows up on is not in your history.',
    });
  });
});
