import type { Passage, Span } from '../types.ts';
import { detectLanguage, stopWords } from '../text/languages.ts';
import { SECRET } from '../text/secrets.ts';
import { analyze } from '../text/words.ts';
import { chunk } from '../chunk.ts';
import { typeColumn } from '../records/cells.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { kindOf } from '../documents/facts.ts';
import { headOf } from '../documents/document-head.ts';
import { type Line, linesIn, wordsOfFileName } from '../documents/lines.ts';
import { cellsOf, type Field, fieldOf, readTables } from '../records/table-rows.ts';
import { packOf, UNSPACED } from '../languages/index.ts';
import type { RecommendedQuestions } from '../languages/language.ts';
import { phrasesOf } from '../documents/phrases.ts';
import { interleave, isOwnDocument } from '../ranking/rank.ts';

export interface Recommendation {
  question: string;
  artifactId: string;
}

type TemplateSubject =
  'amount' | 'date' | 'field' | 'heading' | 'steps' | 'name' | 'phrase' | 'title';

export type QuestionSubject = TemplateSubject | 'written';

/** A question made from a part of a file, which may not answer it. */
export interface QuestionDraft extends Recommendation {
  subject: QuestionSubject;
  source: Span;
  /** The stems of the heading, label, phrase or name of the file. */
  terms: ReadonlySet<string>;
}

const MIN = { labels: 2, letters: 4, seen: 2 } as const;
const MAX_LENGTH = { question: 140, heading: 70, key: 40, value: 60, sample: 2000 } as const;
const MAX = { drafts: 40, chunks: 12, phrases: 4, words: 8 } as const;

/** Questions that files may answer: own documents first, then others, whole files last. */
export function draftQuestions(documents: readonly LibraryDocument[]): QuestionDraft[] {
  const files = documents.map((document) => {
    const { fileName, text } = document;
    const context = contextOf(document);
    const kind = kindOf(headOf(document, { fileName, title: null, language: context.language }));
    const pieces = chunk(document).slice(0, MAX.chunks);
    const drafts = [
      ...pieces.flatMap((piece) => draftsOf(piece, context)),
      ...phraseDrafts(document, context),
    ];
    const bySubject = Map.groupBy(drafts.slice(0, MAX.drafts), ({ subject }) => subject);
    return {
      isOwn: isOwnDocument({ kind, fileName }),
      parts: interleave([...bySubject.values()]),
      title: draftOf(context, 'title', context.title, { start: 0, end: text.length }),
    };
  });
  return [true, false].flatMap((isOwn) => {
    const group = files.filter((file) => file.isOwn === isOwn);
    return [...interleave(group.map(({ parts }) => parts)), ...group.flatMap(({ title }) => title)];
  });
}

export const draftsOfPassages = (passages: readonly Passage[]): QuestionDraft[] =>
  passages.flatMap((passage) => {
    const context = contextOf(passage);
    const { text, location, headings, start } = passage;
    const segment = { start: 0, end: text.length, location, headings, kind: 'prose' as const };
    return [
      ...draftsOf(passage, context),
      ...phraseDrafts({ text, segments: [segment] }, context, start),
    ];
  });

interface Context {
  artifactId: string;
  language: string;
  /** The words of its name, or '' for a generated name. */
  title: string;
  templates: RecommendedQuestions | undefined;
}

function contextOf({
  artifactId,
  fileName,
  text,
}: Pick<Passage, 'artifactId' | 'fileName' | 'text'>): Context {
  const language = detectLanguage(text.slice(0, MAX_LENGTH.sample));
  const title = wordsOfFileName(fileName);
  const isReadable = /[\p{Ll}\p{Lo}]{2}/u.test(title) && !/^\p{L}+ ?\d+$/u.test(title);
  const { recommended: templates } = packOf(language);
  return { artifactId, language, title: isReadable ? title : '', templates };
}

/** The question, unless it is unspecific, too long or asks for a secret. */
function draftOf(
  { artifactId, language, title, templates }: Context,
  subject: TemplateSubject,
  text: string,
  source: Span,
): QuestionDraft[] {
  const template = templates && templateOf(templates, subject);
  const terms = new Set(analyze(text, language).filter((term) => !stopWords(language).has(term)));
  if (template === undefined || terms.size === 0) return [];
  if (template.includes('{title}') && title === '') return [];
  const named = new Set(analyze(title, language));
  if (!template.includes('{title}') && terms.isSubsetOf(named)) return [];
  const question = template.replace('{title}', () => title).replace('{}', () => text);
  if (question.length > MAX_LENGTH.question || SECRET.test(question)) return [];
  return [{ question, artifactId, subject, source, terms }];
}

function templateOf(templates: RecommendedQuestions, subject: TemplateSubject): string | undefined {
  if (subject === 'date') return templates.field;
  if (subject !== 'steps') return templates[subject];
  // Such a heading is already a question, so only the template's punctuation is used.
  return templates.heading.replace(/^(¿?).*?(\s?[?？؟])$/u, '$1{}$2');
}

function draftsOf(
  { text, start, headings }: Pick<Passage, 'text' | 'start' | 'headings'>,
  context: Context,
): QuestionDraft[] {
  const labels = labelsIn(text, context);
  // A repeated label does not identify one value. It may be a speaker.
  const isSingle = ({ label }: Label): boolean =>
    labels.filter((other) => other.label === label).length === 1;
  const labeled = labels.length >= MIN.labels ? labels.filter(isSingle) : [];
  return [
    ...headingDrafts(headings.at(-1) ?? '', context, { start, end: start + text.length }),
    ...labeled.flatMap((field) =>
      draftOf(context, subjectOf(field.value, context.language), field.label, {
        start: start + field.start,
        end: start + field.end,
      }),
    ),
  ];
}

function headingDrafts(line: string, context: Context, source: Span): QuestionDraft[] {
  const heading = line
    .replace(/^(?:[\d.]+|\p{L})[.)]?\s+(?=\p{L})/u, '')
    .replace(/(?<![\s.:?？؟])[\s.:?？؟]+$/u, '');
  const words = heading.split(' ').length;
  const isShort = heading.length <= MAX_LENGTH.heading && words <= MAX.words;
  const { capitalNouns = false, recommended } = packOf(context.language);
  // A single word is too vague unless it is a compound.
  const isSpecific = words > 1 || capitalNouns || UNSPACED.test(heading);
  if (!isShort || !isSpecific || /["“”„«»「」{}]/u.test(heading)) return [];
  const first = `${heading.toLowerCase().split(' ')[0]}`;
  const asksHow = recommended?.how.split('|').includes(first) === true;
  return draftOf(context, asksHow ? 'steps' : 'heading', heading, source);
}

interface Label extends Span {
  label: string;
  value: string;
}

const NAME_OF_ROW = /^\p{Lu}[\p{L}\p{N}'’.& -]*$/u;

/** The labels of values. Those of a table include the name of the row. */
function labelsIn(text: string, { language, templates }: Context): Label[] {
  const labeled = (fields: readonly Field[]): Field[] =>
    fields
      .filter(({ name, value }) => isLabel(name, language) && isValue(value))
      .map(({ name, value }) => ({ name: lowered(name, language), value }));
  const tables: Line[][] = [[]];
  const labels: Label[] = [];
  for (const line of linesIn(text)) {
    const [cell = '', ...others] = cellsOf(line.text);
    const above = tables.at(-1)?.at(-1)?.end ?? 0;
    if (others.length === 0 || /\n\s*\n/u.test(text.slice(above, line.start))) tables.push([]);
    if (others.length > 0) {
      tables.at(-1)?.push(line);
      continue;
    }
    for (const { name, value } of labeled([fieldOf(cell)]))
      labels.push({ label: name, value, start: line.start, end: line.end });
  }
  for (const { names, rows } of tables.flatMap((lines) => readTables(lines))) {
    for (const { cells, start, end } of rows) {
      const [row = '', ...values] = cells;
      if (names[0] === '' || row.length > MAX_LENGTH.key || !NAME_OF_ROW.test(row)) continue;
      const fields = values.map((value, index) => ({ name: names[index + 1] ?? '', value }));
      for (const { name, value } of labeled(fields)) {
        const template = templates?.ofRow ?? '{}';
        const label = template.replace('{row}', () => row).replace('{}', () => name);
        labels.push({ label, value, start, end });
      }
    }
  }
  return labels.sort((a, b) => a.start - b.start);
}

/** Whether a text may be a label: only letters and no function words. */
const isLabel = (name: string, language: string): boolean =>
  /^[\p{L}\p{M}’' -]+$/u.test(name) &&
  (name.length >= MIN.letters || UNSPACED.test(name)) &&
  !SECRET.test(name) &&
  !name.split(' ').some((word, i) => i !== 1 && stopWords(language).has(word.toLowerCase()));

/** Whether it is a number, a name or a code, and not a sentence. */
const isValue = (value: string): boolean =>
  value.length <= MAX_LENGTH.value &&
  /^[\p{Lu}\p{Lo}\p{N}€$£+(][^.!?]*(?:\.\S[^.!?]*)*\.?$/u.test(value);

function subjectOf(value: string, language: string): TemplateSubject {
  const { type } = typeColumn({ name: '', cells: [value] }, null, [language, 'en']).column;
  return type === 'date' || type === 'amount' ? type : 'field';
}

/** Lower-cases 'Invoice number' for use in a sentence. 'VAT number' keeps its capitals. */
const lowered = (label: string, language: string): string =>
  packOf(language).capitalNouns
    ? label
    : label.replace(/(?<![\p{L}’'])\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

const NAME = /^\p{Lu}\S*(?: (?:\p{Ll}{1,3} )?\p{Lu}\S*)+$/u;

function phraseDrafts(
  document: Parameters<typeof phrasesOf>[0],
  context: Context,
  offset = 0,
): QuestionDraft[] {
  const { language, templates } = context;
  const text = document.text.toLowerCase();
  // Letters such as 'İ' are longer in lower case.
  const end = Math.min(text.length, document.text.length);
  return phrasesOf(document, language)
    .slice(0, MAX.phrases)
    .flatMap((phrase) => {
      const start = Math.min(end, Math.max(0, text.indexOf(phrase.toLowerCase())));
      const isName = templates?.name !== undefined && NAME.test(phrase);
      const source = { start: offset + start, end: offset + end };
      const isFrequent = text.split(phrase.toLowerCase()).length > MIN.seen;
      if (!isName && !isFrequent) return [];
      return draftOf(context, isName ? 'name' : 'phrase', phrase, source);
    });
}
