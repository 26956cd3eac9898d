import * as retrieval from '@engram/retrieval';
import type { Passage } from '@engram/retrieval';
import { ANSWER_LIMIT, markdownDepth } from '@engram/contract';
import { expect, test } from 'vitest';
import { readableText } from '../../../apps/server/src/features/history/readable-text.ts';
import { redactAnswer } from '../../../apps/server/src/features/history/redact.ts';
import { spokenAnswer } from '../../../apps/server/src/features/history/spoken-answer.ts';
import { entryText } from '../../../apps/server/src/features/portability/export-text.ts';
import { readableName } from '../../../apps/server/src/features/suggestions/suggestions.service.ts';
import { growthOf, MAX_GROWTH, processorTime } from './growth.test-setup.ts';

/** Hostile texts repeat one of these. */
const REPEATED = [
  ' ',
  '\n',
  '.',
  '. ',
  '> ',
  '[',
  '[1',
  '(1234567) ',
  '*a ',
  '"',
  '1',
  '1, ',
  'a',
  'a ',
  'A',
  'Aa ',
  'a@',
  'a@b.',
  'www.',
  'x-',
  '|',
  '- a\n',
  'and what ',
  'May ',
  '中',
  '中。',
  '\u0301',
  'é ',
  '&<\\',
];

/** Repetitions for a first, quick measurement. Growth is measured if it takes this many ms. */
const FIRST_REPETITIONS = 12_000;
const SUSPICIOUS_MS = 40;
/** Few repetitions, at which exponential work is already slow but still ends. */
const FEW_REPETITIONS = [2, 4, 6, 8, 10];
const SLOW_MS = 100;
const LARGEST = 64_000;

const QUESTION = 'What is the phone number of the boathouse in May 2024?';
const PLAIN = 'The phone number of the boathouse is 0228 123456. It costs 20 euros in May 2024. ';

const documentOf = (text: string): retrieval.SourceDocument => ({
  text,
  segments: [
    { start: 0, end: text.length, location: { line: 1 }, headings: [], kind: 'prose' as const },
  ],
});

/** A file in a search result, cut to the length that questions read. */
const passagesOf = (text: string): Passage[] =>
  retrieval
    .chunk(documentOf(`The phone number of the boathouse is ${text} x.`))
    .slice(0, 50)
    .map((chunk) => ({ ...chunk, artifactId: 'a', fileName: 'a.txt', score: 1, similarity: 0.5 }));

const libraryOf = (text: string) => [{ ...file(text), ...documentOf(text) }];
const question = retrieval.analyzeQuestion(QUESTION, ['en', 'de']);
const knownPassages = retrieval.rankPassages(question, passagesOf(PLAIN));
const questionOf = (text: string) => retrieval.analyzeQuestion(text, ['en', 'de']);
const rankedOf = (text: string) => retrieval.rankPassages(question, passagesOf(text));
const NO_DOCUMENTS = { documents: new Map<string, retrieval.SourceDocument>(), limit: 10 };
const documentsOf = (text: string): retrieval.SectionOptions => ({
  documents: new Map([['a', documentOf(`The phone number of the boathouse is ${text} x.`)]]),
  limit: 10,
});
/** Two files, of which the second one replaces the first one. */
const findNewerIn = (text: string) =>
  retrieval.createFindNewer(
    ['a', 'b'].map((artifactId) => ({
      artifactId,
      fileName: `${text} ${artifactId}.txt`,
      ...retrieval.factsOf(documentOf(`Amendment 2 to ${text}\nIt replaces ${text}.`), {
        fileName: text,
        title: text,
        language: 'en',
      }),
    })),
  );
const scope = { now: new Date(0), timeZone: 'UTC', languages: ['en', 'de', 'ja'], names: null };
const file = (fileName: string) => ({ artifactId: 'a', fileName, createdAt: new Date(0) });
const position = { start: 0, location: {} };

const language = 'en';
const PAID = '250 euros';
const EQUAL = { column: 'Paid', is: 'equal' } as const;

/** A statement in plain text, with an untrusted text in one of its rows. */
const tablesOf = (text: string) =>
  retrieval.recordsOf(
    documentOf(`Date\tPaid\tAmount\n2024-05-01\t${PAID}\t250\n2024-05-02\t${text}\t310\n`),
    { artifactId: 'a', fileName: 'statement.txt', kind: 'statement', language },
  );

type Call = (text: string) => unknown;

/** A call of each function with untrusted text. */
const RETRIEVAL: Partial<Record<keyof typeof retrieval, Call>> = {
  chunk: (text) => retrieval.chunk(documentOf(text)),
  indexTerms: (text) =>
    retrieval.indexTerms(
      { text, headings: [text] },
      { fileName: text, keywords: [text], language: 'en' },
    ),
  detectLanguage: retrieval.detectLanguage,
  analyzeQuestion: questionOf,
  analyze: (text) => ['en', 'de', 'ja', 'ar'].map((language) => retrieval.analyze(text, language)),
  splitSentences: retrieval.splitSentences,
  rankPassages: (text) => [
    retrieval.rankPassages(question, passagesOf(text)),
    retrieval.rankPassages(questionOf(text), passagesOf(PLAIN)),
  ],
  createCitationVerifier: (text) => {
    const verifier = retrieval.createCitationVerifier(QUESTION, passagesOf(PLAIN));
    verifier.push(text);
    return verifier.end();
  },
  phrasesOf: (text) => retrieval.phrasesOf(documentOf(text), 'en'),
  draftQuestions: (text) => retrieval.draftQuestions(libraryOf(text)),
  chooseQuestions: (text) =>
    retrieval.chooseQuestions(retrieval.draftQuestions(libraryOf(text)), {
      limit: 3,
      ask: async () => retrieval.sectionsOf(question, knownPassages, NO_DOCUMENTS),
    }),
  writtenDrafts: (text) =>
    retrieval.writtenDrafts(
      [{ question: text, passage: { artifactId: 'a', start: 0, end: 1 } }],
      ['en'],
    ),
  recommendQuestions: (text) => retrieval.recommendQuestions(question, rankedOf(text), [], 3),
  hasFirstPerson: (text) => retrieval.hasFirstPerson({ text }),
  isOwnDocument: (text) => retrieval.isOwnDocument({ fileName: text, kind: text }),
  createFindNewer: (text) => findNewerIn(text)('a'),
  preferNewer: (text) => retrieval.preferNewer(rankedOf(text), findNewerIn(text)),
  rerankPassages: (text) => retrieval.rerankPassages(rankedOf(text), [1, 2]),
  relevanceOf: (text) => rankedOf(text).map(retrieval.relevanceOf),
  mergePassages: (text) => retrieval.mergePassages([rankedOf(text), knownPassages]),
  sectionsOf: (text) => [
    retrieval.sectionsOf(question, rankedOf(text), documentsOf(text)),
    retrieval.sectionsOf(questionOf(text), knownPassages, documentsOf(PLAIN)),
  ],
  escapeMarkdown: retrieval.escapeMarkdown,
  foundMarkdown: (text) =>
    retrieval.foundMarkdown([{ n: 1, fileName: text, location: text, text, newer: text }]),
  withRarity: (text) => [
    retrieval.withRarity(questionOf(text), { chunks: 1000, documents: new Map() }),
  ],
  withEarlierTerms: (text) => [
    retrieval.withEarlierTerms(questionOf('And when?'), questionOf(text)),
    retrieval.withEarlierTerms(questionOf(text), question),
  ],
  isFollowUp: (text) => retrieval.isFollowUp(text, [{ question: QUESTION, answer: PLAIN }]),
  mayNameFiles: retrieval.mayNameFiles,
  readQuestion: (text) => retrieval.readQuestion(text, scope),
  createNameIndex: (text) => retrieval.createNameIndex([{ id: 'a', fileName: text, path: text }]),
  foldersOf: (text) => retrieval.foldersOf(text),
  rankByDates: (text) => retrieval.rankByDates(question, rankedOf(text)),
  composeFileList: (text) =>
    retrieval.composeFileList([{ ...file(text), path: text, beginning: { text, ...position } }], {
      total: 1,
      timed: false,
      timeZone: 'UTC',
    }),
  unfoundTerms: (text) => retrieval.unfoundTerms(question, passagesOf(text)),
  correctTypos: (text) =>
    retrieval.correctTypos(retrieval.analyzeQuestion(text, ['en']), ['suger'], ['sugar']),
  factsOf: (text) => retrieval.factsOf(documentOf(text), { fileName: text, title: text, language }),
  recordsOf: (text) => tablesOf(text),
  shapeOf: (text) => tablesOf(text).map(retrieval.shapeOf),
  describeTables: (text) => retrieval.describeTables(tablesOf(text)),
  askRecords: (text) => [
    retrieval.askRecords({ operation: 'sum', column: 'Amount', by: text }, tablesOf(text)),
    retrieval.askRecords({ operation: 'list', where: [{ ...EQUAL, value: text }] }, tablesOf(PAID)),
  ],
  unverifiedIn: (text) => retrieval.unverifiedIn(`${text} [unverified]`),
};

/** Functions of days and instants, and one that needs two typed words. */
const WITHOUT_TEXT = ['dayAt', 'startOfDay', 'isTypo', 'scoreShare'];

const SERVER: Record<string, Call> = {
  readableText: (text) => readableText(text, 'en'),
  spokenAnswer: (text) => spokenAnswer(text.slice(0, ANSWER_LIMIT)),
  redactAnswer: (text) => redactAnswer(text, [], new Set(['a'])),
  markdownDepth,
  readableName,
  entryText: (text) =>
    entryText({
      question: text,
      answer: text,
      citations: [],
      nearest: [],
      date: '',
    } as unknown as Parameters<typeof entryText>[0]),
};

test('each function of the package that takes text is measured', () => {
  const functions = Object.entries(retrieval).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  expect([...Object.keys(RETRIEVAL), ...WITHOUT_TEXT].sort()).toEqual(functions.sort());
});

let used = 0;
/** Each text is new, since results may be cached. */
const workOf =
  (call: Call, sign: string) =>
  (times: number): (() => unknown) => {
    const text = sign.repeat(times);
    return () => {
      used += 1;
      return call(`${text} ${used}`);
    };
  };

const shortestTime = (work: () => unknown, tries: number): number =>
  Math.min(...Array.from({ length: tries }, () => processorTime(work)));

/** How the work grows when the text doubles, if it grows too much. */
function excessiveGrowth(call: Call, sign: string): number | undefined {
  for (const times of FEW_REPETITIONS) {
    const work = workOf(call, sign)(times);
    if (processorTime(work) > SLOW_MS && shortestTime(work, 3) > SLOW_MS) return Infinity;
  }
  if (processorTime(workOf(call, sign)(FIRST_REPETITIONS)) < SUSPICIOUS_MS) return undefined;
  const growth = growthOf(workOf(call, sign), { from: 500, to: LARGEST });
  return growth !== undefined && growth > MAX_GROWTH ? growth : undefined;
}

// Other load can make linear work look slow, so a failure is measured again.
test.each(Object.entries({ ...RETRIEVAL, ...SERVER }))(
  '%s takes at most two and a half times as long for twice as much text',
  { retry: 2 },
  (_, call) => {
    const excessive = REPEATED.map((sign) => [sign, excessiveGrowth(call, sign)]).filter(
      ([, growth]) => growth !== undefined,
    );
    expect(excessive).toEqual([]);
  },
);
