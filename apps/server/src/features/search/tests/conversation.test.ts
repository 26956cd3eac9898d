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

describe('a question that follows up on another', () => {
  test('is understood with it, and the history shows the person’s own words', async () => {
    const first = await ask('What is the monthly rent of the office?');
    const second = await ask('And the deposit?', first.history_id);
    expect(second.answers[0]).toMatch(/^The deposit of the office is \*\*7,200 EUR\*\*/u);
    expect(second.text).toBe('And the deposit?');
    const { data } = await ann.client.call(getHistoryEntry, { query: { id: second.history_id } });
    expect(data).toMatchObject({ searchText: 'And the deposit?', follows: first.history_id });
  });

  test('is understood through three questions before it', async () => {
    const first = await ask('What is the monthly rent of the office?');
    const second = await ask('And of the flat?', first.history_id);
    const third = await ask('And the deposit?', second.history_id);
    expect(third.answers[0]).toMatch(/^The deposit of the flat is \*\*1,800 EUR\*\*/u);
  });

  test.each([
    ['of somebody else', async () => (await ask('What is the rent?', undefined, bob)).history_id],
    ['that never was', async () => crypto.randomUUID()],
  ])('%s is not found, with a sentence, and counts for nothing', async (_, earlier) => {
    await expect(ask('And the deposit?', await earlier())).rejects.toMatchObject({
      status: 404,
      message: 'The question that this one follows up on is not in your history.',
    });
  });
});

describe('a question of several parts', () => {
  test('gets a direct sentence for each of them', async () => {
    const { answers, citations } = await ask(
      'What is the deposit of the office and who is the landlord of the flat?',
    );
    const [first, second] = (answers[0] ?? '').split('\n\n');
    expect(first).toBe('The deposit of the office is **7,200 EUR**. [1]');
    expect(second).toMatch(/^The landlord of the flat is \*\*Bob Jones\*\*\. .*\[2\]$/u);
    expect(citations.map(({ fileName }) => fileName).slice(0, 2)).toEqual([
      'office.txt',
      'flat.txt',
    ]);
  });

  test('is told which of them the files do not answer', async () => {
    const { answers, grounded } = await ask(
      'What is the deposit of the office and who painted the Mona Lisa?',
    );
    expect(answers[0]).toContain('The deposit of the office is **7,200 EUR**. [1]');
    expect(answers[0]).toContain("Your files don't seem to say: who painted the Mona Lisa?");
    expect(grounded).toBe(true);
  });
});
