import { describe, expect, test } from 'vitest';
import { composeAnswer } from '../answer.ts';
import { answerComparison } from '../comparison.ts';
import { fileOf, materialFor } from './library.test-setup.ts';
import { THRESHOLD } from '../weights.ts';

const FILES = [
  fileOf(
    'quote-roof-harrow-2022.pdf',
    `# Quote for the roof
Harrow Roofing Ltd
Date: 14 March 2022
Total price: £8,400
Guarantee: 10 years
Start of work: May 2022
Scaffolding: included`,
  ),
  fileOf(
    'quote-roof-penfold-2024.pdf',
    `# Quote for the roof
Penfold & Sons Ltd
Date: 2 September 2024
Total price: £9,150
Guarantee: 15 years
Start of work: October 2024
Scaffolding: included`,
  ),
  fileOf(
    'club-bylaws-2018.txt',
    `# By-laws of the rowing club
Adopted on 3 May 2018
## 1 Subscription
The annual subscription is 60 pounds.
## 2 Quorum
The quorum at a general meeting is ten members.
## 3 Boats
Boats are booked in the shed.`,
  ),
  fileOf(
    'club-bylaws-2024.txt',
    `# By-laws of the rowing club
Adopted on 9 May 2024
## 1 Subscription
The annual subscription is 85 pounds.
## 2 Quorum
The quorum at a general meeting is fifteen members.
## 3 Boats
Boats are booked in the shed.`,
  ),
  fileOf(
    'stromvertrag-nordlicht.txt',
    `# Stromvertrag
Nordlicht Energie GmbH
Grundpreis: 11 €
Laufzeit: 24 Monate`,
    'de',
  ),
  fileOf(
    'stromvertrag-seebrise.txt',
    `# Stromvertrag
Seebrise Strom GmbH
Grundpreis: 14 €
Laufzeit: 12 Monate`,
    'de',
  ),
];

const ask = (text: string, languages = ['en', 'de']): string | null => {
  const proposal = answerComparison(materialFor(FILES, text, languages));
  return proposal === null || proposal.confidence < THRESHOLD ? null : proposal.markdown;
};

describe('answerComparison', () => {
  test.each([
    ['compare the 2022 and 2024 quotes', ['£8,400', '£9,150', '10 years', '15 years']],
    ['Harrow vs Penfold', ['£8,400', '£9,150', 'May 2022', 'October 2024']],
    [
      'what is the difference between the Harrow and the Penfold quote in the guarantee?',
      ['10 years', '15 years'],
    ],
    [
      'old and new by-laws of the rowing club: what about the quorum?',
      ['ten members', 'fifteen members'],
    ],
    ['compare the 2018 and the 2024 by-laws', ['60 pounds', '85 pounds', 'ten', 'fifteen']],
    [
      'Was ist der Unterschied zwischen Nordlicht und Seebrise?',
      ['11 €', '14 €', '24 Monate', '12 Monate'],
    ],
    ['Nordlicht und Seebrise im Vergleich', ['11 €', '14 €']],
  ])('%s', (question, values) => {
    const markdown = ask(question);
    expect(markdown).toMatch(/^\| {2}\| .+ \| .+ \|$/mu);
    for (const value of values) expect(markdown).toContain(value);
    for (const row of markdown?.split('\n').slice(2) ?? [])
      expect(row.match(/\[\d+\]/gu)).toHaveLength(2);
  });

  test.each([
    'compare the Harrow and the Ptarmigan',
    'which is cheaper, Harrow or Zephyr?',
    'difference between the 2019 and the 2022 quotes',
    'what is the difference between a lease and a loan?',
    'Harrow vs Brightside',
    'which is heavier, Harrow or Penfold?',
    'compare the Harrow and the Penfold quote: colour',
    'is a cat older than a dog?',
    'who came to the shed and booked boats?',
    'when did Harrow and Penfold write?',
    'the quorum of the rowing club',
    'Harrow and Penfold',
    'why is Penfold dearer than Harrow?',
    'old and new statutes of the chess club',
    'which is heavier, a swan or a goose?',
    'Was ist der Unterschied zwischen Nordlicht und Südwind?',
    'was ist teurer, Gas oder Öl?',
    'compare',
    'compare it with that',
    'which is cheaper?',
  ])('is silent: %s', (question) => {
    expect(ask(question)).toBeNull();
  });

  test('cites each cell where it stands, and leaves out what is the same', () => {
    const material = materialFor(FILES, 'compare the 2022 and 2024 quotes');
    const { markdown, citations, grounded } = composeAnswer(
      material.question,
      material.ranked,
      material,
    );
    expect(grounded).toBe(true);
    expect(markdown).toContain('| Guarantee | 10 years [');
    expect(markdown).not.toContain('included');
    for (const { artifactId, start, end, quote } of citations)
      expect(material.documents.get(artifactId)?.text.slice(start, end)).toBe(quote);
    expect(new Set(citations.map(({ fileName }) => fileName))).toEqual(
      new Set(['quote-roof-harrow-2022.pdf', 'quote-roof-penfold-2024.pdf']),
    );
  });
});
