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
 * Like Node's `createTagStore`, whose statements its `close` does not end, so that files would stay open
 * until the statements are garbage collected.
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
