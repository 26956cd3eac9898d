import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { NO_ANSWER } from '../../answers/found-answer.ts';
import type { Passage } from '../../types.ts';
import { passage as passageWith } from './verify.test-setup.ts';
import { createCitationVerifier } from '../citation-verifier.ts';

const passage = (artifactId: string, text: string): Passage => passageWith(text, { artifactId });
const rules = passage(
  'rules',
  'Pets are not allowed in the flat. Guests are allowed for two weeks. The notice period is 30 days. The lease begins on 3 May 2024.',
);
const people = passage(
  'people',
  'Anna Smith is the tenant of the flat. Bob Jones is the landlord of the flat. The rent is 900 EUR and the deposit is 1,800 EUR.',
);
const noise = passage('noise', 'The yard has a bench and two trees. Bicycles are kept there.');

function verify(text: string, evidence = [rules, people, noise], question = 'What are the rules?') {
  const verifier = createCitationVerifier(question, evidence);
  const shown = verifier.push(text);
  const { rest, answer, unverified } = verifier.end();
  return { shown: shown + rest, ...answer, unverified };
}

test('a sentence with the opposite meaning is not supported by the words of two passages', () => {
  const key = passage('key', 'The key of the cellar is not to be lent to guests of the house.');
  const board = passage('board', 'Guests of the house find the key of the cellar on the board.');
  const passages = [key, board];
  const result = verify(
    'The key of the cellar is to be lent to guests of the house [1].',
    passages,
  );
  expect(result.grounded).toBe(false);
});

test('a number must be near the same words as in the source', () => {
  const table = passage('table', 'No. 4: frost protection of the flat. No. 6: night setting.');
  expect(verify('No. 6: frost protection of the flat [1].', [table]).grounded).toBe(false);
  expect(verify('No. 4: frost protection of the flat [1].', [table]).grounded).toBe(true);
});

describe('claims that differ from their source', () => {
  it.each([
    ['a negation left out', 'Pets are allowed in the flat [1].'],
    ['a negation put in', 'Guests are not allowed for two weeks [1].'],
    ['another unit', 'The notice period is 30 months [1].'],
    ['another number', 'The notice period is 60 days [1].'],
    ['another month', 'The lease begins on 3 June 2024 [1].'],
    ['another day', 'The lease begins on 4 May 2024 [1].'],
    ['names that changed places', 'Bob Jones is the tenant of the flat [2].'],
    ['numbers that changed places', 'The rent is 1,800 EUR [2].'],
  ])('a claim with %s is removed', (_, text) => {
    expect(verify(text)).toMatchObject({
      shown: '',
      markdown: NO_ANSWER,
      grounded: false,
      unverified: true,
    });
  });

  it.each([
    ['Pets are not allowed in the flat.', 'rules'],
    ["Pets aren't allowed in the flat.", 'rules'],
    ['The notice period is thirty (30) days.', 'rules'],
    ['The lease begins on May 3, 2024.', 'rules'],
    ['The landlord is Bob Jones.', 'people'],
    ['The deposit is 1,800 EUR.', 'people'],
  ])('a claim with the same meaning is shown: %s', (text, artifactId) => {
    expect(verify(text).citations.map((citation) => citation.artifactId)).toEqual([artifactId]);
  });

  it('an unverified claim is distinguished from a missing answer', () => {
    expect(verify(NO_ANSWER).unverified).toBe(false);
    expect(verify('The passages do not mention parking.').unverified).toBe(false);
    expect(verify('').unverified).toBe(false);
  });
});

describe('citations of claims', () => {
  it.each([
    ['of the wrong passage', 'The notice period is 30 days [3].', ['rules']],
    ['of a passage that is not there', 'The notice period is 30 days [17].', ['rules']],
    ['left out', 'The notice period is 30 days.', ['rules']],
    ['among others in one bracket', 'The notice period is 30 days [1, 3].', ['rules']],
    ['among others side by side', 'The notice period is 30 days [3][1][9].', ['rules']],
    ['in a range', 'The notice period is 30 days [1-3].', ['rules']],
    ['in bold', '**The notice period is 30 days** [1].', ['rules']],
    [
      'in a list',
      '* The notice period is 30 days [1]\n* The deposit is 1,800 EUR [2]',
      ['rules', 'people'],
    ],
    [
      'in a table',
      '| Notice period | 30 days [1] |\n| Deposit | 1,800 EUR [2] |',
      ['rules', 'people'],
    ],
    [
      'of two passages that each say a part',
      'The notice period is 30 days [1] and the deposit is 1,800 EUR [2].',
      ['rules', 'people'],
    ],
  ])('a citation %s is resolved to the passage that supports the claim', (_, text, files) => {
    const { citations, markdown } = verify(text);
    expect(citations.map(({ artifactId }) => artifactId)).toEqual(files);
    for (const { n } of citations) expect(markdown).toContain(`[${n}]`);
  });
});

it('an address is shown as code, never as a link', () => {
  const site = passage('site', 'Forms are at https://tax.example/forms or from help@tax.example.');
  const { markdown } = verify(
    'Forms are at https://tax.example/forms [1].',
    [site],
    'Where are forms?',
  );
  expect(markdown).toBe('Forms are at `https://tax.example/forms`. [1]');
});

const NOTES = passage(
  'notes',
  `Net sales rose 8% to $4.2 billion in 2023, while operating income fell to $310 million.
The X200 runs for 14 hours on a charge; the X300 for 19 hours. The X200 weighs 310 grams.
Each seat costs $18 a month. The office closes at 9:30 on 12 March. Let the cake cool before icing it.
Food and drinks are prohibited in the laboratory. Members under 18 need the signature of a parent.`,
);
const NOTIZEN = passage(
  'notizen',
  `Die Kaution von 1.500 € wird nach sechs Monaten zurückgezahlt. Reparaturen führt die Firma Hofmann in Kassel durch.
Herr Yilmaz stimmte dagegen. Die Kontrolle ist am 12. März um 9:30 Uhr. Anmeldeschluss ist der 15. August.
En première classe, les animaux ne sont pas admis. 会議は6月18日に大阪で行われます。参加者は12名です。`,
);

describe('paraphrases', () => {
  const isShown = (text: string): boolean => verify(text, [NOTES, NOTIZEN], 'What?').grounded;

  it.each([
    'Net sales increased by 8 percent to $4.2 billion in 2023.',
    'You may not eat or drink in the laboratory.',
    'In the laboratory, food and drinks are not allowed.',
    'Anyone younger than 18 must have a parent sign.',
    'The icing goes on after the cake has cooled.',
    'Die Kaution in Höhe von 1500 Euro erhält man nach sechs Monaten zurück.',
    'Die Kontrolle ist der 12.03. um 9.30 Uhr.',
  ])('a paraphrase is shown: %s', (text) => {
    expect(isShown(text)).toBe(true);
  });

  it.each([
    'Net sales fell 8% to $4.2 billion in 2023.',
    'Operating income was $4.2 billion in 2023.',
    'The X300 weighs 310 grams.',
    'Each seat costs $18 a year.',
    'The X200 weighs 310 grams, was drunk and fled the scene.',
    'Die Kaution wird nicht zurückgezahlt.',
    'Die Kaution von 1.500 € wird nach drei Monaten zurückgezahlt.',
    'Die Kaution von 1.500 € wird nach acht Monaten zurückgezahlt.',
    'Reparaturen führt die Firma Hofmann in Fulda durch.',
    'Herr Yilmaz stimmte dafür.',
  ])('a claim with another meaning is removed: %s', (text) => {
    expect(isShown(text)).toBe(false);
  });
});

const TABLE = passage(
  'table',
  'Bidder\tSum\nNorth Joinery\t229,900.00\nWest & Daughters\t251,300.00',
);
const SIGNS = passage(
  'signs',
  'The hearing starts at 14:30 in room 4. The ferry departs 07:45, arrives 09:10. The roof cost £1.2 million.',
);
const SCHILD = passage(
  'schild',
  'Öffnungszeiten: Montag bis Freitag 9-17 Uhr, Samstag geschlossen.',
);

describe('lists from several files', () => {
  it('every file of a list is cited', () => {
    const invoices = ['SR-2401', 'SR-2402', 'SR-2403'].map((code) =>
      passage(code, `Invoice ${code}\nOakley Farm\nTotal 2,300.00 EUR`),
    );
    const { citations } = verify('These are SR-2401, SR-2402 and SR-2403 [1][2][3].', invoices);
    expect(citations.map(({ artifactId }) => artifactId)).toEqual([
      'SR-2401',
      'SR-2402',
      'SR-2403',
    ]);
  });
});

describe('apparent contradictions', () => {
  const FORM = passage(
    'form',
    'Section\tState\nLegal expenses\tnot taken\nGlass\ttaken\n\nRobin Reed starts on 1 September 2024.\nDate of birth: 30.08.2001\nConsent was given on 12 September 2024.',
  );
  it.each([
    'No, legal expenses are not taken.',
    'On 12 September 2024.',
    'Robin Reed was born on 30 August 2001.',
  ])('a consistent claim is shown: %s', (text) => {
    expect(verify(text, [FORM], 'legal expenses, consent, birth of Robin').grounded).toBe(true);
  });

  it.each(['Legal expenses are taken.', 'Robin Reed starts on 30 August 2001.'])(
    'a contradicting claim is removed: %s',
    (text) => {
      expect(verify(text, [FORM], 'legal expenses, start of Robin').grounded).toBe(false);
    },
  );
});

describe('values in another notation', () => {
  const isShown = (text: string, question = 'What?'): boolean =>
    verify(text, [TABLE, SIGNS, SCHILD], question).grounded;

  it.each([
    ['a time of the afternoon', 'The hearing starts at 2:30 pm in room 4.'],
    ['a time with one digit less', 'The ferry departs at 7:45 and arrives at 9:10.'],
    ['a sum without its scale', 'The roof cost £1,200,000.'],
    ['the money that a table leaves out', 'West & Daughters offered £251,300.'],
    ['days of the week in another language', 'It opens Monday to Friday from 9 to 17.'],
  ])('%s is shown', (_, text) => {
    expect(isShown(text)).toBe(true);
  });

  it('a value in the notation of the question’s language is shown', () => {
    expect(isShown('Das Dach kostete 1.200.000 £.', 'wie viel hat das Dach gekostet')).toBe(true);
  });

  it.each([
    ['another hour', 'The hearing starts at 3:30 pm in room 4.'],
    ['the time of the other end', 'The ferry departs at 9:10.'],
    ['another scale', 'The roof cost £1.2 billion.'],
    ['the number of another row', 'West & Daughters offered £229,900.'],
    ['another day of the week', 'It opens Sunday to Friday from 9 to 17.'],
  ])('%s is removed', (_, text) => {
    expect(isShown(text)).toBe(false);
  });
});

describe('claims with a changed number, unit or negation', () => {
  const subjects = ['notice period', 'trial period', 'rent period', 'delivery time'];
  const units = ['days', 'weeks', 'months', 'hours'];
  const fact = fc.record({
    subject: fc.constantFrom(...subjects),
    amount: fc.integer({ min: 2, max: 500 }),
    unit: fc.constantFrom(...units),
  });
  const sentenceOf = ({
    subject,
    amount,
    unit,
  }: {
    subject: string;
    amount: number;
    unit: string;
  }) => `The ${subject} is ${amount} ${unit}.`;

  it('a changed claim is never shown, and the original always is', () => {
    fc.assert(
      fc.property(fact, fact, (own, other) => {
        const text = `${sentenceOf(own)} Pets are not allowed here.`;
        expect(verify(sentenceOf(own), [passage('a', text)]).grounded).toBe(true);
        fc.pre(own.amount !== other.amount && own.unit !== other.unit);
        for (const changed of [
          sentenceOf({ ...own, amount: other.amount }),
          sentenceOf({ ...own, unit: other.unit }),
          'Pets are allowed here.',
        ]) {
          expect(verify(`${changed} [1]`, [passage('a', text)]).shown).toBe('');
        }
      }),
      { numRuns: 200 },
    );
  });
});
