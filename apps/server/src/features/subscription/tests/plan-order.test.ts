import { expect, test } from 'vitest';
import { FREE_PLAN, isCheaperOrShorter, type Plan, SEED_PLANS } from '../plans.ts';

const named = (name: string): Plan => SEED_PLANS.find((plan) => plan.name === name) ?? FREE_PLAN;
const short = ({ name }: Plan): string => name.replace('Engram - ', '');

/** The plans that begin immediately after a change from each plan. All others begin at its end. */
const IMMEDIATE: Record<string, string[]> = {
  'Pro - weekly': ['Pro - monthly', 'Pro - quarterly', 'Pro - yearly', 'every Elite'],
  'Pro - monthly': ['Pro - quarterly', 'Pro - yearly', 'every Elite'],
  'Pro - quarterly': ['Pro - yearly', 'every Elite'],
  'Pro - yearly': ['every Elite'],
  'Elite - weekly': ['Elite - monthly', 'Elite - quarterly', 'Elite - yearly'],
  'Elite - monthly': ['Elite - quarterly', 'Elite - yearly'],
  'Elite - quarterly': ['Elite - yearly'],
  'Elite - yearly': [],
};

test.each(Object.entries(IMMEDIATE))('from %s', (from, expected) => {
  const held = named(`Engram - ${from}`);
  const others = SEED_PLANS.filter(({ name }) => name !== held.name);
  const later = others.filter((plan) => isCheaperOrShorter(plan, held, SEED_PLANS));
  const atOnce = others.filter((plan) => !later.includes(plan)).map(short);
  const elites = SEED_PLANS.map(short).filter((name) => name.startsWith('Elite'));
  expect(atOnce).toEqual(expected.flatMap((name) => (name === 'every Elite' ? elites : [name])));
  expect(later).toContain(FREE_PLAN);
});

const planWith = (changes: Partial<Plan>): Plan => ({
  ...named('Engram - Pro - monthly'),
  ...changes,
});

test('tiers without a common period are compared by the price per day, and prices of one plan directly', () => {
  const team = planWith({ name: 'Team', productId: 'team', amount: 7000, billingPeriod: 'yearly' });
  const pro = named('Engram - Pro - monthly');
  expect(isCheaperOrShorter(pro, team, [pro, team])).toBe(true);
  expect(isCheaperOrShorter(team, pro, [pro, team])).toBe(false);
  // If both have the same period, the prices of other periods are ignored.
  expect(isCheaperOrShorter(named('Engram - Pro - weekly'), team, [...SEED_PLANS, team])).toBe(
    true,
  );
  const dearer = planWith({ name: 'Pro of today', amount: 600 });
  expect(isCheaperOrShorter(pro, dearer, SEED_PLANS)).toBe(true);
  expect(isCheaperOrShorter(dearer, pro, SEED_PLANS)).toBe(false);
});
