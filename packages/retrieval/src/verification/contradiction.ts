import type { Statement, Statements } from './statement.ts';
import { isRival, isSame } from './values.ts';

const VARIANT = 0.8;
const SAME_SUBJECT = 0.6;

type Terms = ReadonlySet<string>;
type Test = (other: Statement) => boolean;
type Relation = (terms: Terms, others: Terms) => boolean;

const isVariant: Relation = (terms, others) =>
  terms.intersection(others).size >= terms.union(others).size * VARIANT;
const hasSubject: Relation = (terms, others) =>
  terms.intersection(others).size >= terms.size * SAME_SUBJECT;

/** Whether the sources' closest sentences or clauses have another polarity or value. */
export const contradicts = (claim: Statements, sources: Statements): boolean =>
  claim.sentences.some((said) => isDenied(said, sources.sentences, isVariant)) ||
  claim.clauses.some((said) => isDenied(said, sources.clauses, hasSubject));

function isDenied(said: Statement, others: readonly Statement[], isRelated: Relation): boolean {
  /** Whether a statement that denies a claim has more of its terms than any that confirms it. */
  const isOutweighed = (terms: Terms, denies: Test, confirms: Test): boolean => {
    let [denied, confirmed] = [-1, -1];
    for (const other of others) {
      const shared = terms.intersection(other.terms).size;
      if (shared > confirmed && confirms(other)) confirmed = shared;
      else if (shared > denied && isRelated(terms, other.terms) && denies(other)) denied = shared;
    }
    return denied > confirmed;
  };
  const confirmsSide: Test = (other) => !isContrary(said, other);
  if (said.terms.size > 1 && isOutweighed(said.terms, () => true, confirmsSide)) return true;
  return said.values.some((value) => {
    // A name is a term as well; so is a year, which another one does not stand in the place of.
    const terms = value.family === 'name' ? said.terms.difference(new Set(value.keys)) : said.terms;
    const confirms: Test = ({ values }) => values.some((own) => isSame(value, own));
    // A row may give the number alone, whose rivals are other numbers alone.
    const forms = [
      value,
      ...others.flatMap(({ values }) => values.filter((own) => isSame(value, own))),
    ];
    const denies: Test = ({ values }) =>
      values.some((own) => forms.some((form) => isRival(form, own)));
    return isOutweighed(terms, denies, confirms);
  });
}

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
