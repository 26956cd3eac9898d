import { expect, test } from 'vitest';
import { FREE_PLAN, isCheaperOrShorter, type Plan, SEED_PLANS } from '../plans.ts';

const named = (name: string): Plan => SEED_PLANS.find((plan) => plan.name === name) ?? FREE_PLAN;
const shortName = ({ name }: Plan): string => name.replace('Engram - ', '');

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

test.each(Object.entries(IMMEDIATE))(
  'the plans that begin immediately after %s',
  (from, expected) => {
    const current = named(`Engram - ${from}`);
    const others = SEED_PLANS.filter(({ name }) => name !== current.name);
    const later = others.filter((plan) => isCheaperOrShorter(plan, current, SEED_PLANS));
    const immediate = others.filter((plan) => !later.includes(plan)).map(shortName);
    const elites = SEED_PLANS.map(shortName).filter((name) => name.startsWith('Elite'));
    expect(immediate).toEqual(
      expected.flatMap((name) => (name === 'every Elite' ? elites : [name])),
    );
    expect(later).toContain(FREE_PLAN);
  },
);

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
  const moreExpensive = planWith({ name: 'Pro of today', amount: 600 });
  expect(isCheaperOrShorter(pro, moreExpensive, SEED_PLANS)).toBe(true);
  expect(isCheaperOrShorter(moreExpensive, pro, SEED_PLANS)).toBe(false);
});
