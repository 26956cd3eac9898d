import {
  analyzeQuestion,
  hasFirstPerson,
  composeFileList,
  createFindNewer,
  createNameIndex,
  draftQuestions,
  type EarlierTurn,
  isFollowUp,
  isOwnDocument,
  type LibraryDocument,
  type LibraryFile,
  mayNameFiles,
  type Passage,
  preferNewer,
  type Question,
  type RankedPassage,
  rankByDates,
  rankPassages,
  readQuestion,
  recommendQuestions,
  rerankPassages,
  type Section,
  sectionsOf,
  unfoundTerms,
  withEarlierTerms,
} from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { SharedList } from '../../artifacts/library-cache.ts';

/** Passages with text. A file that was found only by its name has no text to quote. */
export const quotable = <T extends { text: string }>(passages: readonly T[]): T[] =>
  passages.filter(({ text }) => text !== '');

/** The files in all cached values of a thread. Each takes about 500 bytes. */
const CACHED_FILES = 100_000;

/** Caches a value that is computed from a list of files. */
function cached<Item, Value extends object>(compute: (items: Item[]) => Value) {
  const values = new LRUCache<string, Value>({ maxSize: CACHED_FILES });
  return ({ key, json }: SharedList): Value => {
    const existing = values.get(key);
    if (existing) return existing;
    const items = JSON.parse(Buffer.from(json).toString()) as Item[];
    const value = compute(items);
    values.set(key, value, { size: items.length + 1 });
    return value;
  };
}

const parseFacts = cached((files: LibraryFile[]) => files);
const nameIndexOf = cached(createNameIndex);

export interface UnderstoodQuestion {
  /** A follow-up has the terms of the earlier question. */
  question: Question;
  followsUp: boolean;
}

interface ReadOptions {
  /** The languages of the user's files (ISO 639-1), most used first. */
  languages: readonly string[];
  /** The names of the user's files; null unless the question may name files. */
  names: SharedList | null;
  timeZone: string;
  now: Date;
}

/** Analyzes a question after earlier turns, oldest first; null if it needs the names of the files. */
function read(text: string, turns: readonly EarlierTurn[], { names, ...options }: ReadOptions) {
  const questions = [text, ...turns.map((turn) => turn.question)];
  if (names === null && questions.some(mayNameFiles)) return null;
  const index = names && nameIndexOf(names);
  const analyze = (text: string, before: readonly EarlierTurn[]): Question => {
    const question = readQuestion(text, { ...options, names: index });
    const last = before.at(-1);
    return last !== undefined && isFollowUp(text, before)
      ? withEarlierTerms(question, analyze(last.question, before.slice(0, -1)))
      : question;
  };
  return { question: analyze(text, turns), followsUp: isFollowUp(text, turns) };
}

interface Search {
  question: Question;
  passages: readonly Passage[];
}

/** The passages of each search, best first, or each search's terms that no passage contains. */
export type Ranked = { lists: RankedPassage[][] } | { unfound: string[][] };

/** @param reportUnfound whether to report terms that no passage contains instead of ranking */
function rank(searches: readonly Search[], reportUnfound: boolean, facts: SharedList): Ranked {
  if (reportUnfound) {
    const unfound = searches.map(({ question, passages }) => unfoundTerms(question, passages));
    if (unfound.some((terms) => terms.length > 0)) return { unfound };
  }
  const files = parseFacts(facts);
  const findNewer = createFindNewer(files);
  const ownDocuments = new Set(
    searches.some(({ question }) => hasFirstPerson(question))
      ? files.filter(isOwnDocument).map(({ artifactId }) => artifactId)
      : [],
  );
  const lists = searches.map(({ question, passages }) => {
    const isOwn = (id: string): boolean => hasFirstPerson(question) && ownDocuments.has(id);
    const ranked = rankByDates(question, rankPassages(question, passages, { isOwn }));
    return preferNewer(ranked, findNewer);
  });
  return { lists };
}

/** @param logits of a reranker for the first passages */
const rerank = (ranked: readonly RankedPassage[], logits: readonly number[], facts: SharedList) =>
  preferNewer(rerankPassages(ranked, logits), createFindNewer(parseFacts(facts)));

/** A section, and the newest document that amends or replaces its file. */
export interface SectionWithNewer extends Section {
  newer: Pick<LibraryFile, 'artifactId' | 'fileName' | 'title' | 'date'> | null;
}

interface SectionsRequest {
  question: Question;
  ranked: readonly RankedPassage[];
  documents: readonly LibraryDocument[];
  facts: SharedList;
  limit: number;
}

function sections(request: SectionsRequest): SectionWithNewer[] {
  const { question, ranked, documents, facts, limit } = request;
  const findNewer = createFindNewer(parseFacts(facts));
  const byId = new Map(documents.map((document) => [document.artifactId, document]));
  return sectionsOf(question, quotable(ranked), { documents: byId, limit }).map((section) => {
    const [newest] = findNewer(section.artifactId).toSorted((a, b) =>
      (b.date ?? '').localeCompare(a.date ?? ''),
    );
    if (newest === undefined) return { ...section, newer: null };
    const { artifactId, fileName, title, date } = newest;
    return { ...section, newer: { artifactId, fileName, title, date } };
  });
}

const analyze = (texts: readonly string[], languages: readonly string[]): Question[] =>
  texts.map((text) => analyzeQuestion(text, languages));

/** The functions that worker threads run. Their arguments must be cloneable. */
export const tasks = {
  read,
  analyze,
  rank,
  rerank,
  sections,
  recommend: recommendQuestions,
  draft: draftQuestions,
  list: composeFileList,
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;

export interface TaskCall {
  name: TaskName;
  input: unknown[];
}

export const runTask = ({ name, input }: TaskCall): unknown =>
  (tasks[name] as (...args: unknown[]) => unknown)(...input);

/** Answers a sample question, so that the user's first one does not wait for tables to load. */
export function warmUp(): void {
  const text =
    'The boathouse at the lake was built in 1931. Its deposit is 2,340 euros, due in May.';
  const at = { artifactId: 'lease', fileName: 'lease.txt', ordinal: 0, start: 0, end: text.length };
  const passage: Passage = {
    ...at,
    text,
    location: { line: 1 },
    places: [],
    headings: [],
    score: 1,
  };
  const facts = { key: '', json: new SharedArrayBuffer(2) };
  Buffer.from(facts.json).write('[]');
  const options = { languages: ['en'], names: null, timeZone: 'UTC', now: new Date(0) };
  const understood = read('When was the boathouse built?', [], options);
  if (understood === null) return;
  const { question } = understood;
  const ranking = rank([{ question, passages: [passage] }], false, facts);
  const [ranked = []] = 'lists' in ranking ? ranking.lists : [];
  sections({ question, ranked, documents: [], facts, limit: 1 });
  recommendQuestions(question, ranked, [], 1);
}
