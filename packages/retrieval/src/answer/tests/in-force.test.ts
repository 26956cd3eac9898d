import { describe, expect, test } from 'vitest';
import { answerInForce } from '../in-force.ts';
import { fileOf, materialFor } from './library.test-setup.ts';
import { THRESHOLD } from '../weights.ts';

const FILES = [
  fileOf(
    'agreement-harbour-2022.txt',
    `# Services agreement, harbour office
Agreement no. HO-4471
Dated 3 March 2022
## 3 Pay
3.1 The adviser is paid a day rate of £380.
## 4 Term
The agreement ends on 31 March 2025.`,
  ),
  fileOf(
    'amendment-harbour-2024.txt',
    `# Amendment to the services agreement, harbour office
Agreement no. HO-4471
Dated 5 February 2024
With effect from 1 March 2024:
1. In clause 3.1 the day rate becomes £410.`,
  ),
  fileOf(
    'endorsement-boat.txt',
    `# Endorsement to the boat insurance
Dated 7 May 2024
Cover\tUntil 31 May 2024\tFrom 1 June 2024
Excess for theft\t£300\t£450
Excess for storm\t£200\t£250`,
  ),
  fileOf(
    'tools-policy-2023.txt',
    `# Tools insurance policy
Policy no. TL-90311
Dated 1 May 2023
Section 2: the excess is £150 for each claim.
Section 3: instruments in custody are covered up to £25,000.`,
  ),
  fileOf(
    'tools-endorsement-2024.txt',
    `# Endorsement to the tools insurance policy
Policy no. TL-90311
Dated 1 May 2024
c) Section 2: the excess is GBP 200 for every claim.
d) Section 3: unchanged at £25,000.`,
  ),
];

const ask = (text: string): string | null => {
  const proposal = answerInForce(materialFor(FILES, text));
  return proposal === null || proposal.confidence < THRESHOLD ? null : proposal.markdown;
};

describe('answerInForce', () => {
  test('says the new value of two papers, with the old one behind it', () => {
    const [lead, before] = ask('What is the day rate for the harbour office?')?.split('\n\n') ?? [];
    expect(lead).toMatch(/^\*\*£410\*\* \(from 1 March 2024\) – .*\[1\]$/u);
    expect(before).toBe('Before: £380 (until 1 March 2024) [2]');
  });

  test.each([
    'What was the old day rate for the harbour office?',
    'What was the day rate for the harbour office in the 2022 agreement?',
  ])('says the old value alone: %s', (question) => {
    expect(ask(question)).toMatch(/^\*\*£380\*\* \(until 1 March 2024\) – .*\[1\]$/u);
  });

  test('reads both values in a row under their days', () => {
    expect(ask('What is the excess for theft of the boat?')).toBe(
      '**£450** (from 1 June 2024) – Excess for theft [1]\n\nBefore: £300 (until 1 June 2024) [1]',
    );
  });

  test('takes no figure of a neighbouring line for the old value', () => {
    const [lead, before] =
      ask('How much is the excess for a claim on the tools policy?')?.split('\n\n') ?? [];
    expect(lead).toMatch(/^\*\*GBP 200\*\*/u);
    expect(before).toMatch(/^Before: £150 /u);
  });

  test.each([
    'Why did the day rate for the harbour office change?',
    'What is the telephone number of the harbour office?',
  ])('is silent: %s', (question) => {
    expect(ask(question)).toBeNull();
  });
});
