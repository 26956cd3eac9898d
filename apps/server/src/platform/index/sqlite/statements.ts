import type {
  DatabaseSync,
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;
type Tagged<Result> = (text: TemplateStringsArray, ...values: SQLInputValue[]) => Result;

/** Statements as templates, each prepared once for a file. */
export interface Statements {
  get: Tagged<Row | undefined>;
  all: Tagged<Row[]>;
  run: Tagged<StatementResultingChanges>;
}

/**
 * Does what Node's own `createTagStore` does, whose statements its `close` does not end: until they are
 * collected, which may be never, the file stays open with its log and its pages. Where many people are
 * looked at in turn, that is one file after the other.
 */
export function createStatements(db: DatabaseSync): Statements {
  const prepared = new Map<TemplateStringsArray, StatementSync>();
  const of = (text: TemplateStringsArray): StatementSync => {
    const known = prepared.get(text);
    if (known) return known;
    const made = db.prepare(text.join('?'));
    prepared.set(text, made);
    return made;
  };
  return {
    get: (text, ...values) => of(text).get(...values),
    all: (text, ...values) => of(text).all(...values),
    run: (text, ...values) => of(text).run(...values),
  };
}
