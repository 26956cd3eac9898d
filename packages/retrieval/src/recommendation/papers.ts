import type { LibraryDocument } from '../documents/document.ts';
import { factsOf } from '../documents/facts.ts';
import { recordsOf } from '../documents/records.ts';
import { dayInWords, monthInWords } from '../languages/date-text.ts';
import { packOf } from '../languages/index.ts';
import { isOwnDocument } from '../ranking/own-documents.ts';
import type { Draft } from './drafts.ts';

/** What is known of a paper, by the names that questions have for it. */
type Known = Readonly<Record<string, string | null | undefined>>;

/** A title without what follows in brackets or behind a comma; none of capitals, and no long one. */
const TITLE = /^(?=[^(,:–]*\p{Ll}{3})[^(,:–]{3,50}(?<! )(?= ?[(,:–]|$)/u;

/**
 * Whether a document is a person's own paper, and what may be asked of it by its kind, its day, its
 * parties and its fields.
 */
export function readPaper(
  document: LibraryDocument,
  language: string,
): { own: boolean; drafts: Draft[] } {
  const { artifactId, fileName, text } = document;
  const { kind, date, parties, title } = factsOf(document, { fileName, title: null, language });
  const known: Known = {
    party: parties.find(({ value }) => /\p{L}{3} \p{L}{3}/u.test(value))?.value,
    date: date && dayInWords(date.value, language),
    month: date && monthInWords(date.value.slice(0, 7), language),
    title: TITLE.exec(title ?? '')?.[0],
  };
  const ask = (key: string, more: Known, about: Partial<Draft> = {}): Draft[] => {
    const all: Known = { ...known, ...more };
    const template = packOf(language).recommended?.papers?.[key]?.find((one) =>
      one.matchAll(/\{(\w+)\}/gu).every(([, name = '']) => all[name]),
    );
    const question = template?.replace(/\{(\w+)\}/gu, (_, name: string) => all[name] ?? '');
    const source = { start: 0, end: text.length };
    if (template === undefined || question === undefined) return [];
    return [{ source, value: null, ...about, question, template }];
  };
  const tables = recordsOf(document, { artifactId, fileName, kind, language });
  const drafts = tables.flatMap((table) => {
    if (!table.fields) return [];
    const cells = table.columns.map(({ name }, at) => [name, table.rows[0]?.cells[at]] as const);
    const number = cells.find(([name]) => name === 'Number')?.[1];
    return cells.flatMap(([name, value]) =>
      ask(
        `${table.name} ${name}`,
        { number: number ? String(number) : null },
        { value: String(value) },
      ),
    );
  });
  if (kind !== null) drafts.push(...ask(kind, {}, { broad: kind !== 'recipe' }));
  return { own: isOwnDocument({ kind, fileName }), drafts };
}
