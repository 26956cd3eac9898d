import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../text/languages.ts';
import { splitSentences } from '../../text/sentences.ts';
import { contradicts } from '../support.ts';
import { statementsOf } from '../statement.ts';

const agrees = (claim: string, source: string): boolean => {
  const sentences = splitSentences(source).map(({ start, end }) => source.slice(start, end));
  const language = detectLanguage(source);
  return !contradicts(statementsOf([claim], language), statementsOf(sentences, language));
};

describe('contradictions by negation', () => {
  const rules =
    'Pets are not allowed in the flat, but guests are allowed for two weeks. Smoking is prohibited on the balcony. Bicycles may be kept in the yard.';
  it.each([
    ['Pets are not allowed in the flat.', true],
    ['Pets are allowed in the flat.', false],
    ["Pets aren't allowed in the flat.", true],
    ['No pets are allowed in the flat.', true],
    ['Guests are allowed for two weeks.', true],
    ['Guests are not allowed for two weeks.', false],
    ['Smoking is not permitted on the balcony.', true],
    ['Smoking is permitted on the balcony.', false],
    ['Bicycles may not be kept in the yard.', false],
    ['Bicycles may be kept in the yard.', true],
  ])('negations are compared: %s', (claim, holds) => {
    expect(agrees(claim, rules)).toBe(holds);
  });

  it.each([
    [
      'Haustiere sind in der Wohnung erlaubt.',
      'Haustiere sind in der Wohnung nicht erlaubt. Die Miete beträgt 900 Euro im Monat.',
      false,
    ],
    [
      'Die Kündigung ist ohne Angabe von Gründen möglich.',
      'Die Kündigung ist ohne Angabe von Gründen möglich, sagt der Vertrag über die Wohnung.',
      true,
    ],
    [
      "Les animaux sont admis dans l'appartement.",
      "Les animaux ne sont pas admis dans l'appartement. Le loyer est payable chaque mois.",
      false,
    ],
    [
      'Se permiten mascotas en el apartamento.',
      'No se permiten mascotas en el apartamento. El alquiler se paga cada mes.',
      false,
    ],
    ['Животные в квартире разрешены.', 'Животные в квартире не разрешены.', false],
    ['ペットの飼育は認められます。', 'ペットの飼育は認められません。', false],
    ['At most 5 kg may be carried.', 'Bags that are carried must not exceed 5 kg.', true],
    [
      'Up to three guests may stay in the flat.',
      'No more than three guests may stay in the flat.',
      true,
    ],
    [
      'Pets are allowed with the written consent of the landlord.',
      'Pets are not allowed without the written consent of the landlord.',
      true,
    ],
  ])('negations are compared: %s (source: %s)', (claim, source, holds) => {
    expect(agrees(claim, source)).toBe(holds);
  });
});

describe('contradictions by number', () => {
  it.each([
    ['The notice period is 30 days.', 'The notice period is 30 months.', false],
    ['The notice period is 30 days.', 'The notice period is thirty (30) days.', true],
    ['The notice is three months.', 'The notice is 3 months.', true],
    ['Sales were $5 billion.', 'Sales were $5 million.', false],
    ['Sales were $5 million.', 'Sales were $5M.', true],
    ['The rent is 900 euros.', 'The rent is 900 € a month.', true],
    ['The weight is 12 kg.', 'The weight is 12 g.', false],
    ['A share of 20% was sold.', 'A share of 20 percent was sold.', true],
    ['It was in use in the 1990s.', 'It was in use in the 1990s.', true],
    ['The rent is 1,800 EUR.', 'The rent is 900 EUR. The deposit is 1,800 EUR.', false],
    ['The deposit is 1,800 EUR.', 'The rent is 900 EUR. The deposit is 1,800 EUR.', true],
    ['The rent is 1,800 EUR.', 'The rent is 900 EUR and the deposit is 1,800 EUR.', false],
    ['The rent is 900 EUR.', 'The rent is 900 EUR and the deposit is 1,800 EUR.', true],
    ['The plan costs 5 EUR.', 'The plan began in 2020. It costs 5 EUR.', true],
    ['There are 12 members.', 'There are 30 members and 12 guests.', false],
    ['There are 12 guests.', 'There are 30 members and 12 guests.', true],
    ['In 2023 the fee was 50 EUR.', 'Fee in 2023: 40 EUR\nFee in 2024: 50 EUR', false],
    ['In 2024 the fee was 50 EUR.', 'Fee in 2023: 40 EUR\nFee in 2024: 50 EUR', true],
  ])('numbers are compared: %s (source: %s)', (claim, source, holds) => {
    expect(agrees(claim, source)).toBe(holds);
  });
});

describe('contradictions by date', () => {
  const source = 'The lease begins on 3 May 2024 and the keys are returned on June 9, 2026.';
  it.each([
    ['The lease begins on 3 May 2024.', true],
    ['The lease begins on May 3rd, 2024.', true],
    ['The lease begins on 2024-05-03.', true],
    ['The lease begins on 3 June 2024.', false],
    ['The lease begins on 9 May 2024.', false],
    ['The keys are returned on 9 June 2026.', true],
    ['The keys are returned on 3 May 2024.', false],
  ])('dates are compared: %s', (claim, holds) => {
    expect(agrees(claim, source)).toBe(holds);
  });
});

describe('contradictions by name', () => {
  it.each([
    ['Bob Jones is the tenant.', 'Anna Smith is the tenant. Bob Jones is the landlord.', false],
    ['Anna Smith is the tenant.', 'Anna Smith is the tenant. Bob Jones is the landlord.', true],
    ['Every month Bob is paid by Anna.', 'Every month Anna pays Bob.', true],
    ['The contract was signed by Anna Smith.', 'Anna Smith signed the contract.', true],
  ])('names are compared: %s (source: %s)', (claim, source, holds) => {
    expect(agrees(claim, source)).toBe(holds);
  });
});
