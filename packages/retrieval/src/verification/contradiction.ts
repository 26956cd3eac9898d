import { isRival, isSame, type Value } from './values.ts';
import type { Statement, Statements } from './statement.ts';

/** Least share of a clause's terms that a clause of a source must have to be about the same. */
const SAME_SUBJECT = 0.6;
/** Least share of the terms of two sentences that both have where they say the same. */
const SAME_SENTENCE = 0.8;
/** Fewer terms are in common by chance. */
const MIN_TERMS = 3;

/**
 * Whether a claim says other than its sources, read together, although it has their words: it has a
 * sentence of theirs with another value or polarity, it says the contrary of the clause that is
 * closest to it, or it gives a value that stands in another role. False where no source is about the
 * same.
 */
export const contradicts = (claim: Statements, sources: Statements): boolean =>
  misquotes(claim, sources) ||
  claim.clauses.some(
    (clause) =>
      isReversed(clause, sources.clauses) ||
      clause.roles.some((value) =>
        [sources.sentences, sources.clauses].some((others) => isMisplaced(clause, value, others)),
      ),
  );

const overlap = (terms: ReadonlySet<string>, other: Statement): number =>
  terms.intersection(other.terms).size;

/** Whether the two take different sides: 'allowed' and 'not allowed', 'rose' and 'fell'. */
const isContrary = (one: Statement, other: Statement): boolean =>
  (one.negative !== other.negative) !== isOpposed(one, other);

/** What names both sides of an opposite compares them. */
const isOpposed = (one: Statement, other: Statement): boolean =>
  [...one.sides].some((side) => {
    const against = side.slice(0, -1) + (side.endsWith('+') ? '-' : '+');
    const isPlain = !one.sides.has(against) && !other.sides.has(side);
    return isPlain && other.sides.has(against);
  });

/** Whether a claim has the words of sentences of its sources, and none of them says what it says. */
export const misquotes = (claim: Statements, { sentences }: Statements): boolean =>
  claim.sentences.some((said) => {
    if (said.terms.size < MIN_TERMS) return false;
    const alike = sentences.filter(
      (other) => overlap(said.terms, other) >= said.terms.union(other.terms).size * SAME_SENTENCE,
    );
    const agrees = (other: Statement): boolean =>
      !isContrary(said, other) &&
      said.values.every(
        (value) =>
          other.values.some((own) => isSame(value, own)) ||
          (value.family === 'name' && value.keys.every((key) => other.terms.has(key))),
      );
    return alike.length > 0 && !alike.some(agrees);
  });

/** Whether a clause says the contrary of all the clauses that have most of its words. */
function isReversed(clause: Statement, others: readonly Statement[]): boolean {
  if (clause.terms.size < 2) return false;
  const most = Math.max(...others.map((other) => overlap(clause.terms, other)));
  return (
    most >= clause.terms.size * SAME_SUBJECT &&
    others
      .filter((other) => overlap(clause.terms, other) === most)
      .every((other) => isContrary(clause, other))
  );
}

/**
 * Whether another value stands with more of a clause's words than its own does: '30 days' where it
 * says '30 months', 'The rent is 1,800' where that is the deposit.
 */
function isMisplaced(clause: Statement, value: Value, others: readonly Statement[]): boolean {
  const terms = clause.terms.difference(new Set(value.keys));
  const least = terms.size * SAME_SUBJECT;
  const related = others.filter((other) => overlap(terms, other) >= least);
  if (related.length === 0) return false;
  const has = ({ roles }: Statement): boolean => roles.some((own) => isSame(value, own));
  // A row may give the number alone, whose rivals are other numbers alone.
  const forms = others.flatMap(({ roles }) => roles.filter((own) => isSame(value, own)));
  const hasRival = ({ roles }: Statement): boolean =>
    roles.some((own) => [value, ...forms].some((form) => isRival(form, own)));
  const own = Math.max(-1, ...others.filter(has).map((other) => overlap(terms, other)));
  return related.some((other) => overlap(terms, other) > own && !has(other) && hasRival(other));
}
