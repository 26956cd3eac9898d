import { expect, test } from 'vitest';
import { fileOf, materialFor } from './library.test-setup.ts';
import { answerSummary } from '../summary.ts';

const MAILS = fileOf(
  'harvest-supper.mbox',
  `# Harvest supper
From: Ada Brook <ada@brook.example>
To: allotment list <all@plots.example>
Date: Monday, 2 September 2024, 18:00
The supper is on Saturday 28 September at six in the barn.
# Re: Harvest supper
From: Theo Lark <theo@lark.example>
To: allotment list <all@plots.example>
Date: Tuesday, 3 September 2024, 09:30
I bring twelve benches and the long table.`,
);
const SURVEY = fileOf(
  'roof-survey.pdf',
  `Page 1 of the survey
# Survey of the roof, Mill Lane
## Findings
Nine slates are missing on the north side of the roof.
The gutter leaks at the corner by the yard.
## Summary
The roof needs new slates and lead for about £2,400.
The gutter can wait until next spring.
## Costs
Lead for the valley costs £610 without scaffolding.`,
);

const ask = (text: string): string =>
  answerSummary(materialFor([MAILS, SURVEY], text))?.markdown ?? '';

test('a summary says the main statements of each part, under its heading', () => {
  expect(ask('sum up the roof survey').split('\n')).toEqual([
    '**Survey of the roof, Mill Lane**',
    '',
    expect.stringMatching(/^- \*\*Findings\*\*: Nine slates are missing/u),
    expect.stringMatching(/^- \*\*Summary\*\*: The roof needs new slates.* The gutter can wait/u),
    expect.stringMatching(/^- \*\*Costs\*\*: Lead for the valley costs £610/u),
  ]);
});

test('the heads of mails are no points of it', () => {
  const markdown = ask('gist of the mails on the harvest supper');
  expect(markdown).toContain('six in the barn');
  expect(markdown).toContain('twelve benches');
  expect(markdown).not.toMatch(/From:|To:|Date:/u);
});

test('no summary unless one is asked for', () => {
  expect(answerSummary(materialFor([MAILS, SURVEY], 'When is the harvest supper?'))).toBeNull();
});
