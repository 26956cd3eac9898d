import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelRequest } from '../../testing/misbehaving-model.ts';
import { asksForWords, saying, startWithModel } from '../../testing/model-app.ts';

const DO_NOT_KNOW = "Your files don't seem to say.";
/** Files that share words with the questions, so that what answers them is not found at once. */
const NOISE = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `note-${i}.txt`,
    `Note ${i}: how much do we pay the landlord, and for what? Nobody wrote down how much.`,
  ]),
);
const FILES = {
  ...NOISE,
  'lease.txt': 'The monthly Kaltmiete of the apartment amounts to 900 EUR.',
  'house.txt': 'The caretaker of the building is Mr Brandt. Bicycles are kept in the yard.',
};

let setup: Awaited<ReturnType<typeof startWithModel>>;
beforeAll(async () => {
  setup = await startWithModel(FILES);
});
afterAll(() => setup.close());

/** The number under which a request shows the passage that says this. */
const numberOf = ({ prompt }: ModelRequest, said: string): number => {
  const fences = prompt.split('<passage n="').slice(1);
  return fences.findIndex((fence) => fence.includes(said)) + 1;
};

test('a model that does not know looks once more, with words of its own', async () => {
  const before = setup.model.requests.length;
  setup.model.behave(saying(DO_NOT_KNOW), saying('Kaltmiete apartment'), {
    kind: 'answer',
    pieces: (request) => [`The Kaltmiete is 900 EUR [${numberOf(request, '900 EUR')}].`],
  });
  const { deltas, done } = await setup.ann.stream('How much do we pay the landlord?');
  const requests = setup.model.requests.slice(before);
  expect(requests.map(asksForWords)).toEqual([false, true, false]);
  expect(numberOf(requests[0] as ModelRequest, '900 EUR')).toBe(0);
  expect(done.answers[0]).toBe('The Kaltmiete is 900 EUR. [1]');
  expect(deltas.join('')).toBe(done.answers[0]);
  expect(done.notice).toBeNull();
  await setup.ann.expectTrueCitations(done);
});

test('how it was found tells of both rounds', async () => {
  setup.model.behave(saying(DO_NOT_KNOW), saying('Kaltmiete'), {
    kind: 'answer',
    pieces: (request) => [`The Kaltmiete is 900 EUR [${numberOf(request, '900 EUR')}].`],
  });
  const { explain, citations } = await setup.ann.ask('How much do we pay the landlord?', {
    explain: true,
  });
  expect(explain?.stages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['model', 'search words', 'second search']),
  );
  expect(explain?.passages.map(({ artifactId }) => artifactId)).toContain(citations[0]?.artifactId);
});

test.each([
  ['finds nothing new', [saying('how much do we pay the landlord')]],
  ['fails', [{ kind: 'status', status: 401 } as const]],
  ['still does not know', [saying('Kaltmiete'), saying(DO_NOT_KNOW)]],
])('a second round that %s changes nothing, and there is no third', async (_, behaviours) => {
  const before = setup.model.requests.length;
  setup.model.behave(saying(DO_NOT_KNOW), ...behaviours, saying('A third round [1].'));
  const { deltas, done } = await setup.ann.stream('How much do we pay the landlord?');
  expect(setup.model.requests.length - before).toBe(1 + behaviours.length);
  expect(deltas).toEqual([DO_NOT_KNOW]);
  expect(done).toMatchObject({ grounded: false, notice: null, citations: [] });
});

test('a question in words that no file has is looked for in other words', async () => {
  setup.model.behave(saying('caretaker building'), {
    kind: 'answer',
    pieces: (request) => [`The caretaker is Mr Brandt [${numberOf(request, 'Brandt')}].`],
  });
  const { done } = await setup.ann.stream('Hausmeister?');
  expect(done.answers[0]).toBe('The caretaker is Mr Brandt. [1]');
});

test('of a question of two parts no half is shown that another round replaces', async () => {
  setup.model.behave(
    {
      kind: 'answer',
      pieces: (request) => [`The caretaker is Mr Brandt [${numberOf(request, 'Brandt')}].`],
    },
    saying('Kaltmiete'),
    {
      kind: 'answer',
      pieces: (request) => [
        `Mr Brandt is the caretaker of the building [${numberOf(request, 'Brandt')}].`,
        ` The Kaltmiete of the apartment is 900 EUR [${numberOf(request, '900 EUR')}].`,
      ],
    },
  );
  const { deltas, done } = await setup.ann.stream(
    'Who is the caretaker of the building and how much do we pay the landlord?',
  );
  expect(done.answers[0]).toBe(
    'Mr Brandt is the caretaker of the building. [1] The Kaltmiete of the apartment is 900 EUR. [2]',
  );
  expect(deltas.join('')).toBe(done.answers[0]);
  expect(setup.model.requests.at(-1)?.prompt).toContain('- how much do we pay the landlord');
});

test('a part that stays unanswered is named', async () => {
  setup.model.behave(
    {
      kind: 'answer',
      pieces: (request) => [`The caretaker is Mr Brandt [${numberOf(request, 'Brandt')}].`],
    },
    saying('Kaltmiete'),
    saying(DO_NOT_KNOW),
  );
  const { deltas, done } = await setup.ann.stream(
    'Who is the caretaker of the building and how many elephants live in Kenya?',
  );
  expect(done.answers[0]).toBe(
    "The caretaker is Mr Brandt. [1]\n\nYour files don't seem to say: how many elephants live in Kenya?",
  );
  expect(deltas.join('')).toBe(done.answers[0]);
});

test('a follow-up takes what was asked before to the model, and its own words as the question', async () => {
  setup.model.behave({
    kind: 'answer',
    pieces: (request) => [`The caretaker is Mr Brandt [${numberOf(request, 'Brandt')}].`],
  });
  const first = await setup.ann.ask('Who is the caretaker of the building?');
  setup.model.behave({
    kind: 'answer',
    pieces: (request) => [`Bicycles are kept in the yard [${numberOf(request, 'yard')}].`],
  });
  const second = await setup.ann.ask('What is kept in its yard?', { after: first.history_id });
  const prompt = setup.model.requests.at(-1)?.prompt ?? '';
  expect(prompt).toContain(
    '<earlier-question>Who is the caretaker of the building?</earlier-question>',
  );
  expect(prompt).toContain('<earlier-answer>The caretaker is Mr Brandt. </earlier-answer>');
  expect(prompt).toContain('<question>What is kept in its yard?</question>');
  expect(second.answers[0]).toBe('Bicycles are kept in the yard. [1]');
});
