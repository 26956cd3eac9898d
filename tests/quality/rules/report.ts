import { ndcg } from '../retrieval/metrics.ts';
import { PASSAGES, SENTENCES } from '../../../packages/retrieval/src/ranking/weights.ts';
import { fit, orderOf, RULES } from './fit.ts';
import type { Weights } from './fit.ts';
import { loadSets } from './sets.ts';
import type { QuestionSet } from './sets.ts';

/** Means over a set's questions. */
interface Figures {
  ndcg: number;
  /** The first is right. */
  first: number;
  /** One of the first five is. */
  five: number;
}

function measure({ asked }: QuestionSet, weights: Weights | null): Figures {
  const figures = { ndcg: 0, first: 0, five: 0 };
  for (const one of asked) {
    const order = orderOf(one, weights);
    const isRight = (name: string): boolean => (one.grades.get(name) ?? 0) > 0;
    figures.ndcg += ndcg(order, one.grades, 10) / asked.length;
    figures.first += Number(order.slice(0, 1).some(isRight)) / asked.length;
    figures.five += Number(order.slice(0, 5).some(isRight)) / asked.length;
  }
  return figures;
}

const written = ({ ndcg: mean, first, five }: Figures): string =>
  [mean, first, five].map((figure) => figure.toFixed(3)).join(' / ');

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;

/**
 * Prints, for each set of questions, how the ranking fares on it under weights that were fitted on
 * the others, beside plain BM25 over the same terms; and what each rule is worth there: nDCG@10 with
 * it less nDCG@10 without it, both fitted anew.
 */
export async function reportOnRules(): Promise<void> {
  const all = await loadSets();
  const sets = all.filter(({ asked }) => asked.length > 0);
  for (const { name } of all.filter((set) => !sets.includes(set))) {
    console.log(`The set '${name}' is not on this machine.`);
  }
  const others = (left: QuestionSet) => sets.filter((set) => set !== left);
  const plain = sets.map((set) => measure(set, null));
  const ours = sets.map((set) => measure(set, fit(others(set))));
  const asShipped = { sentences: { ...SENTENCES }, passages: { ...PASSAGES } };
  console.log('\nEach set left out of the fit: nDCG@10 / first right / right among five');
  console.table(
    sets.map((set, i) => ({
      set: `${set.name} (${set.asked.length})`,
      'plain BM25': written(plain[i] as Figures),
      'left out': written(ours[i] as Figures),
      gain: signed((ours[i]?.ndcg ?? 0) - (plain[i]?.ndcg ?? 0)),
      'as it is': written(measure(set, asShipped)),
    })),
  );
  console.log('\nWhat each rule is worth in nDCG@10 on the set that was left out');
  console.table(
    RULES.map((rule) => {
      const worths = sets.map((set, i) => {
        const without = measure(set, fit(others(set), rule));
        return (ours[i]?.ndcg ?? 0) - without.ndcg;
      });
      const mean = worths.reduce((sum, worth) => sum + worth, 0) / worths.length;
      const row = worths.map((worth, i) => [sets[i]?.name ?? '', signed(worth)]);
      return { rule, ...Object.fromEntries(row), mean: signed(mean) };
    }),
  );
  console.log('\nFitted on all sets:');
  console.log(fit(sets));
}
