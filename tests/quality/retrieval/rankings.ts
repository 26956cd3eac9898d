import type { Dataset, EvalQuery } from './datasets.ts';
import { coverage, estimate, formatDifference, formatEstimate, ndcg } from './metrics.ts';
import type { Variant } from './variants.ts';

/** One row per figure of each variant. */
export type Row = Record<string, string>;

/** Whether a document has the answer. */
export const isRelevant = (dataset: Dataset, query: EvalQuery, id: string | undefined): boolean =>
  id !== undefined && (dataset.grades.get(query.id)?.get(id) ?? 0) > 0;

/** The figures of each question with one variant, by measure. */
function measure(dataset: Dataset, { find }: Variant): Map<string, number[]> {
  const figures = new Map<string, number[]>();
  const add = (name: string, value: number): void => {
    const values = figures.get(name);
    if (values === undefined) figures.set(name, [value]);
    else values.push(value);
  };
  for (const query of dataset.queries) {
    const { artifacts, passages } = find(query);
    add('hit@1', Number(isRelevant(dataset, query, artifacts[0])));
    add('hit@5', Number(artifacts.slice(0, 5).some((id) => isRelevant(dataset, query, id))));
    add('nDCG@10', ndcg(artifacts, dataset.grades.get(query.id) ?? new Map(), 10));
    const { references = [] } = query;
    if (references.length === 0) continue;
    const expected = references.map(({ doc_id: artifactId, start, end }) => ({
      artifactId,
      start,
      end,
    }));
    add('coverage@5', coverage(expected, passages));
  }
  return figures;
}

/** The figures of each variant, and their difference from the first one. */
export function rankingRows(dataset: Dataset, variants: readonly Variant[]): Row[] {
  const measured = variants.map((variant) => ({
    variant: variant.name,
    figures: measure(dataset, variant),
  }));
  const base = measured[0]?.figures ?? new Map<string, number[]>();
  return measured.map(({ variant, figures }, i) => {
    const row: Row = { variant };
    for (const [name, values] of figures) {
      row[name] = formatEstimate(estimate(values));
      if (i > 0) row[`${name} over plain`] = formatDifference(values, base.get(name) ?? []);
    }
    return row;
  });
}
