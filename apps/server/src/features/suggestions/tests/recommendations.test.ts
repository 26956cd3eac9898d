import {
  answerQuestions,
  deleteArtifact,
  getArtifactText,
  recommendedQuestions,
  search,
  setArtifactArchived,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const NOTES: Record<string, string> = {
  'lease.md': `# How to end the lease early

Send a letter to the landlord.

# Payments

Security deposit: £1,725
Start date: 1 July 2024
Lease number: LS-2291`,
  'bridge.txt':
    'The Harbour Bridge was built in 1931. The Harbour Museum is located in the old customs house.',
  'rudern.txt': `Der Ruderverein Blauwasser wurde am 3. Mai 1921 gegründet. Die Bootshalle befindet sich am Nordufer des Sees.

Jahresbeitrag: 96,00 €
Mitgliedsnummer: RB-118`,
};

describe.each(testDatabases)('recommended questions (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  const ids: Record<string, string> = {};

  const recommended = async (user = ann): Promise<string[]> =>
    (await user.client.call(recommendedQuestions, {})).data;

  const ask = async (text: string) =>
    (await ann.client.call(search, { body: { text, audio: false } })).data;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    const files = Object.entries(NOTES).map(([name, text]) => ({
      name,
      content: new Blob([text]),
    }));
    const { data } = await ann.client.upload(uploadArtifacts, files, {});
    for (const { fileName, artifactId } of data.artifacts) ids[fileName] = artifactId;
    await engram.settled();
  });

  test('each question finds its source, and the questions come from as many files as possible', async () => {
    const questions = await recommended();
    expect(questions).toHaveLength(6);
    const cited = new Set<string>();
    for (const question of questions) {
      const { grounded, citations } = await ask(question);
      expect({ question, grounded }).toEqual({ question, grounded: true });
      const [first] = citations;
      cited.add(first?.artifactId ?? '');
      const params = { artifactId: first?.artifactId ?? '' };
      const text = await ann.client.text(getArtifactText, { params });
      expect(text.slice(first?.start, first?.end)).toBe(first?.quote);
    }
    expect(cited).toEqual(new Set(Object.values(ids)));
  });

  test('requests leave nothing in the history, and repeating them gives the same questions', async () => {
    expect(await recommended()).toEqual(await recommended());
  });

  test("nobody is recommended anything from another user's files", async () => {
    const bob = await engram.signIn('bob@example.org');
    expect(await recommended(bob)).toEqual([]);
  });

  test('answers to the questionnaire change the order, from the next request on', async () => {
    const cara = await engram.signIn('cara@example.org');
    const files = Object.entries(NOTES).map(([name, text]) => ({
      name,
      content: new Blob([text]),
    }));
    await cara.client.upload(uploadArtifacts, files, {});
    await engram.settled();
    const before = await recommended(cara);
    const ofAnn = await recommended();
    const choose = async (selectedOption: string) => {
      const responses = [{ questionId: 'look-up', selectedOption }];
      await cara.client.call(answerQuestions, { body: { responses } });
      return recommended(cara);
    };
    const dates = await choose('dates');
    expect(dates.length).toBeGreaterThanOrEqual(before.length);
    expect(dates[0]).toBe('What is the start date in “lease”?');
    expect((await choose('people'))[0]).toMatch(/^Who\b/u);
    expect((await choose('figures'))[0]).toMatch(/^(?:How much|Welcher Betrag)\b/u);
    expect((await choose('instructions'))[0]).toBe('How to end the lease early?');
    // Recommendations of other users are unchanged.
    expect(await recommended()).toEqual(ofAnn);
  });

  test('a new file soon has its questions', async () => {
    const content = new Blob(['Edith Marsh painted the orchard gate in 1987.']);
    const { data } = await ann.client.upload(uploadArtifacts, [{ name: 'gate.txt', content }], {});
    await engram.settled();
    await expect.poll(() => recommended()).toContain('Who or what is Edith Marsh?');
    await ann.client.call(deleteArtifact, {
      params: { artifactId: data.artifacts[0]?.artifactId ?? '' },
    });
    expect(await recommended()).not.toContain('Who or what is Edith Marsh?');
  });

  test('questions from an archived or deleted file are removed immediately', async () => {
    const about = async () =>
      (await recommended()).filter((text) => /rudern|Ruderverein/u.test(text));
    const archive = (archived: 'true' | 'false') =>
      ann.client.call(setArtifactArchived, {
        params: { artifactId: ids['rudern.txt'] ?? '', archived },
      });
    expect(await about()).not.toEqual([]);
    await archive('true');
    expect(await about()).toEqual([]);
    await archive('false');
    // If enough earlier questions are valid, they are shown until the new ones are generated.
    await expect.poll(about).not.toEqual([]);
    await ann.client.call(deleteArtifact, { params: { artifactId: ids['rudern.txt'] ?? '' } });
    expect(await about()).toEqual([]);
  });
});
