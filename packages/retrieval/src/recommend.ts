import { composeAnswer } from './answer.ts';
import { stopWords } from './languages.ts';
import { analyzePassage } from './passage-analysis.ts';
import { analyzeQuestion } from './question.ts';
import type { Question } from './question.ts';
import { plainText, rankPassages } from './rank.ts';
import type { Answer, Passage } from './types.ts';

/** A question that one of the files answers. */
export interface Recommendation {
  question: string;
  /** The file that answers it. */
  artifactId: string;
}

/** A question made from a sentence, which answers it. */
interface Draft extends Recommendation {
  /** Where the sentence starts and ends in its passage's text. */
  start: number;
  end: number;
  passage: Passage;
  /** The pattern it was made by: too many of one kind are dull. */
  pattern: number;
}

/** Passages that questions are made from and checked on: enough for three, quick enough to wait for. */
const SOURCES = 12;
const MAX_CHECKS = 8;
const MAX_LENGTH = 120;

/**
 * Up to `limit` questions that the passages found along with an answer would answer, too: made from
 * sentences that define or date something, kept when asking them finds that sentence again.
 */
export function recommendQuestions(
  question: Question,
  ranked: readonly Passage[],
  answer: Answer,
  limit = 3,
): Recommendation[] {
  const sources = ranked.slice(0, SOURCES);
  const cited = (passage: Passage, start: number, end: number): boolean =>
    answer.citations.some(
      (citation) =>
        citation.artifactId === passage.artifactId &&
        citation.start < passage.start + end &&
        passage.start + start < citation.end,
    );
  const drafts = sources
    .flatMap(draftsOf)
    .filter(({ passage, start, end }) => !cited(passage, start, end));
  return keepAnswerable(drafts, sources, question.languages, limit, [question.text]);
}

/** Up to `limit` questions that the passages answer, taken from as many files as possible. */
export function curateQuestions(
  passages: readonly Passage[],
  languages: readonly string[],
  limit: number,
): Recommendation[] {
  const byFile = new Map<string, Draft[]>();
  for (const draft of passages.flatMap(draftsOf)) {
    byFile.set(draft.artifactId, [...(byFile.get(draft.artifactId) ?? []), draft]);
  }
  const rounds = Math.max(0, ...[...byFile.values()].map((drafts) => drafts.length));
  const inTurn = Array.from({ length: rounds }, (_, round) =>
    [...byFile.values()].flatMap((drafts) => drafts.slice(round, round + 1)),
  ).flat();
  return keepAnswerable(inTurn, passages, languages, limit, []);
}

function keepAnswerable(
  drafts: readonly Draft[],
  passages: readonly Passage[],
  languages: readonly string[],
  limit: number,
  asked: readonly string[],
): Recommendation[] {
  const known = new Set(asked.map(plainText));
  const kept: Recommendation[] = [];
  const alike = new Map<number, number>();
  const mostAlike = Math.ceil(limit / 3);
  let checks = 0;
  for (const draft of drafts) {
    if (kept.length >= limit || checks >= MAX_CHECKS + limit) break;
    const count = alike.get(draft.pattern) ?? 0;
    if (count >= mostAlike || known.has(plainText(draft.question))) continue;
    known.add(plainText(draft.question));
    checks += 1;
    if (looksAnswerable(draft, passages, languages)) {
      alike.set(draft.pattern, count + 1);
      kept.push({ question: draft.question, artifactId: draft.artifactId });
    }
  }
  return kept;
}

/** Whether asking the question of the passages finds the very sentence it was made from. */
function looksAnswerable(
  draft: Draft,
  passages: readonly Passage[],
  languages: readonly string[],
): boolean {
  const near = [draft.passage, ...passages.filter((passage) => passage !== draft.passage)];
  // The passages' scores belong to another question: here they count alike.
  const alike = near.slice(0, SOURCES).map((passage) => ({ ...passage, score: 1 }));
  const question = analyzeQuestion(draft.question, languages);
  const answer = composeAnswer(question, rankPassages(question, alike), { librarySize: 1 });
  const [first] = answer.citations;
  return (
    first !== undefined &&
    first.artifactId === draft.artifactId &&
    first.start < draft.passage.start + draft.end &&
    draft.passage.start + draft.start < first.end
  );
}

const SUBJECT = String.raw`((?:(?:The|An?) )?(?:[\p{Lu}\p{N}][\p{L}\p{N}'’.&-]*|[\p{L}\p{N}'’-]+)(?: [\p{L}\p{N}'’.&-]+){0,5}?)`;
const ASIDE = String.raw`(?: \([^()]{1,60}\))?`;
const PERSON =
  /^(?:an? |the )(?:[\p{L}-]+ ){0,4}?(?:author|writer|actor|actress|king|queen|president|politician|scientist|engineer|musician|singer|composer|painter|artist|philosopher|general|poet|director|professor|physicist|mathematician|lawyer|founder|minister|historian|explorer|inventor|player)\b/u;
const PAST =
  'founded|built|established|signed|published|created|introduced|opened|completed|launched|designed|invented|discovered|released|elected|adopted|formed|born|approved|delivered|issued|installed';

const WHEN = new RegExp(
  `^${SUBJECT}${ASIDE} (was|were) (?:\\p{Ll}+ly )?(${PAST})\\b[^.]*?\\b(?:in|on|by) (?:\\p{Lu}\\p{Ll}+ )?(?:\\d{1,2},? )?(?:1\\d{3}|20\\d{2})\\b`,
  'u',
);
const WHERE = new RegExp(
  `^${SUBJECT}${ASIDE} (is|are|was|were) (located|situated|based|held) (?:in|at|near|on)\\b`,
  'u',
);
const WHAT = new RegExp(`^${SUBJECT}${ASIDE} (is|are) ((?:an?|the|one of) [^.]{12,})`, 'u');
const WHO = new RegExp(`^${SUBJECT}${ASIDE} (is|was) ((?:an?|the) [^.]{12,})`, 'u');
const DUE = new RegExp(`^${SUBJECT} (is|are) due (?:on|by|in|within)\\b`, 'u');
const COST = new RegExp(`^${SUBJECT} (costs?|cost) [^.]*\\d`, 'u');

/** A labelled value: names of two or three words, the last of which says what it is, tell enough. */
const FACT =
  /^(?:[-*•] )?((?:[A-Z][\w-]*|[a-z-]+)(?: [\w-]+)? (?:amount|address|balance|budget|code|cost|date|deadline|deposit|fee|fare|number|password|payment|period|premium|price|rate|rent|salary|size|term|time|total)): [^:]{1,80}$/u;
const ROLE =
  /^(?:[-*•] )?((?:[A-Z][\w-]+ )?(?:landlord|tenant|manager|lead|leader|director|engineer|teacher|sponsor|owner|chair|editor|author|treasurer|secretary|coordinator|contact|supervisor)): \p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+){0,3}$/iu;

type Pattern = (sentence: string) => string | null;

const PATTERNS: readonly Pattern[] = [
  (sentence) =>
    asked(WHEN.exec(sentence), (subject, [verb, past]) => `When ${verb} ${subject} ${past}?`),
  (sentence) =>
    asked(WHERE.exec(sentence), (subject, [verb, past]) => `Where ${verb} ${subject} ${past}?`),
  (sentence) => asked(DUE.exec(sentence), (subject, [verb]) => `When ${verb} ${subject} due?`),
  (sentence) =>
    asked(
      COST.exec(sentence),
      (subject, [verb]) => `How much ${verb === 'costs' ? 'does' : 'do'} ${subject} cost?`,
    ),
  (sentence) =>
    asked(WHO.exec(sentence), (subject, [verb, rest]) =>
      PERSON.test(rest ?? '') ? `Who ${verb} ${subject}?` : null,
    ),
  (sentence) =>
    asked(WHAT.exec(sentence), (subject, [verb, rest]) =>
      PERSON.test(rest ?? '') || isBareName(subject) ? null : `What ${verb} ${subject}?`,
    ),
  (sentence) => {
    const [, label = ''] = FACT.exec(sentence) ?? [];
    return label === '' ? null : `What is the ${inSentence(label)}?`;
  },
  (sentence) => {
    const [, label = ''] = ROLE.exec(sentence) ?? [];
    return label === '' ? null : `Who is the ${inSentence(label)}?`;
  },
];

/** 'Duck' in 'Duck is a 2019 film': asked without its article it is no English. */
const isBareName = (subject: string): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(subject) || /^\p{L}+$/u.test(subject);

/** 'Invoice number' as it stands within a sentence; 'VAT number' keeps its capitals. */
const inSentence = (label: string): string =>
  label
    .split(' ')
    .map((word) => (/^\p{Lu}\p{Ll}/u.test(word) ? word.toLowerCase() : word))
    .join(' ');

/** The question a pattern makes of a sentence, when its subject can stand in a question. */
function asked(
  match: RegExpExecArray | null,
  make: (subject: string, rest: readonly (string | undefined)[]) => string | null,
): string | null {
  const subject = match === null ? null : subjectOf(match[1] ?? '');
  return match === null || subject === null ? null : make(subject, match.slice(2));
}

const POINTERS = new Set(
  `it this that these those he she they we i you there here his her its their our my your such what who
which one another some many most all each both other others first second third last next he's it's
if when while although since because as in on at for with by from to and but or so however`.split(
    /\s+/u,
  ),
);
/** A subject that holds one of these is a clause, or two nouns that do not agree with the verb. */
const CLAUSE_WORDS =
  /\b(?:that|which|who|whose|when|where|if|because|is|are|was|were|has|have|had|will|would|can|could|and|or|but|also|not|as|than|said|says|with|from|by|to|in|on|at|his|her|their|its|this|these|our|my)\b/iu;

function subjectOf(text: string): string | null {
  const words = text.trim().split(' ');
  const first = (words[0] ?? '').toLowerCase();
  if (POINTERS.has(first) || CLAUSE_WORDS.test(text)) return null;
  const article = /^(?:the|an?)$/u.test(first);
  const bare = article ? words.slice(1) : words;
  const content = bare.filter((word) => !stopWords('en').has(word.toLowerCase()));
  if (content.length === 0 || content.join('').length < 3) return null;
  // 'The company', 'A result': only the text around it says which.
  if (article && content.length === 1 && !/^\p{Lu}/u.test(content[0] ?? '')) return null;
  if (article) return [first, ...bare].join(' ');
  return /^\p{Lu}\p{Ll}+$/u.test(bare[0] ?? '') && bare.length > 1 && /^\p{Ll}/u.test(bare[1] ?? '')
    ? [(bare[0] ?? '').toLowerCase(), ...bare.slice(1)].join(' ')
    : bare.join(' ');
}

function draftsOf(passage: Passage): Draft[] {
  return analyzePassage(passage.text).sentences.flatMap(({ start, end, kind }) => {
    if (kind === 'row' || end - start > 400) return [];
    const sentence = passage.text.slice(start, end).replace(/\s+/gu, ' ');
    for (const [at, pattern] of PATTERNS.entries()) {
      const question = pattern(sentence);
      if (question !== null && question.length <= MAX_LENGTH) {
        return [{ question, artifactId: passage.artifactId, start, end, passage, pattern: at }];
      }
    }
    return [];
  });
}
