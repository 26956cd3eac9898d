import { describe, expect, test } from 'vitest';
import { composeAnswer } from './answer.ts';
import { answerComparison } from './comparison.ts';
import { fileOf, materialFor } from './library.test-setup.ts';
import { THRESHOLD } from './weights.ts';

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
    'kayaks.md',
    `# Kayaks
Model\tPrice\tWeight\tLength
Vesta\t890 €\t21 kg\t420 cm
Corvo\t1,140 €\t18 kg\t390 cm
Merlin\t990 €\t24 kg\t480 cm`,
  ),
  fileOf(
    'tariffs.txt',
    `# Tariffs of the gym
Feature\tBasic\tFamily
Monthly fee\t19 €\t45 €
Sauna\tno\tyes
Guests\t1\t4`,
  ),
  fileOf(
    'heater-manual.txt',
    `# Heater manual
## Eco mode
The heater holds 17 degrees and uses 400 watts.
## Comfort mode
The heater holds 21 degrees and uses 1,200 watts.
## Cleaning
Dust the grid once in a month.`,
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
    'coaches.md',
    `# Coaches for the trip
- Broadline: 52 seats, £640 for the day
- Fellside: 35 seats, £510 for the day
We ask again in June.`,
  ),
  fileOf(
    'stromtarife.md',
    `# Stromtarife
Tarif\tGrundpreis\tLaufzeit
Nordlicht\t11 €\t24 Monate
Seebrise\t14 €\t12 Monate`,
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
    ['How do the Vesta and the Corvo differ?', ['890 €', '1,140 €', '21 kg', '18 kg']],
    ['compare Vesta with Merlin: weight', ['21 kg', '24 kg']],
    ['difference between the basic and the family tariff', ['19 €', '45 €', 'no', 'yes']],
    ['eco mode versus comfort mode', ['17 degrees', '21 degrees']],
    [
      'old and new by-laws of the rowing club: what about the quorum?',
      ['ten members', 'fifteen members'],
    ],
    ['compare the 2018 and the 2024 by-laws', ['60 pounds', '85 pounds', 'ten', 'fifteen']],
    ['compare Broadline and Fellside', ['52 seats', '35 seats']],
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
    ['which is cheaper, Vesta or Corvo?', 'Vesta', '890 €'],
    ['is the Vesta or the Corvo dearer', 'Corvo', '1,140 €'],
    ['which is longer, the Merlin or the Vesta?', 'Merlin', '480 cm'],
    [
      'which quote for the roof is cheaper, Harrow or Penfold?',
      'quote-roof-harrow-2022.pdf',
      '£8,400',
    ],
    ['which quote is newer, Harrow or Penfold?', 'quote-roof-penfold-2024.pdf', '2 September 2024'],
    ['Which coach is cheaper, Broadline or Fellside', 'Fellside', '£510'],
    ['Was ist günstiger, Nordlicht oder Seebrise?', 'Nordlicht', '11 €'],
    ['was läuft länger, Nordlicht oder Seebrise?', 'Nordlicht', '24 Monate'],
  ])('says first which one: %s', (question, label, value) => {
    expect(ask(question)?.split('\n')[0]).toBe(`**${label}** (${value})`);
  });

  test.each([
    'compare the Vesta and the Ptarmigan',
    'which is cheaper, Corvo or Zephyr?',
    'difference between the 2019 and the 2022 quotes',
    'what is the difference between a lease and a loan?',
    'Harrow vs Brightside',
    'which is newer, Vesta or Corvo?',
    'compare the Vesta and the Corvo: colour',
    'compare eco mode and turbo mode',
    'is a cat older than a dog?',
    'what is the price of the Vesta?',
    'who came to the shed and booked boats?',
    'how do I clean the heater and the grid?',
    'when did Harrow and Penfold write?',
    'the quorum of the rowing club',
    'Vesta and Corvo',
    'why is the Corvo dearer than the Vesta?',
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
