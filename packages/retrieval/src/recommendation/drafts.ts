import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import type { PassageAnalysis } from '../analysis/passage-analysis.ts';
import { TEMPLATES } from './languages.ts';
import { comparisonOf, questionsOfLine } from './records.ts';
import { questionOfName, questionOfSection, titleOf } from './sections.ts';
import { firstMade } from './template.ts';
import type { Passage } from '../types.ts';
import { analyze } from '../analysis/words.ts';

/** A question that one of the files answers. */
export interface Recommendation {
  question: string;
  /** The file that answers it. */
  artifactId: string;
}

/** A question that was made of a sentence, and is not yet known to be answered by it. */
export interface QuestionDraft extends Recommendation {
  /** Where in the file's text the sentences start and end that answer it: all of them are needed. */
  sources: readonly { start: number; end: number }[];
  /** The pattern it was made by: too many of one kind are dull. */
  template: string;
  /** The stems of what it is about. */
  terms: ReadonlySet<string>;
}

/** A draft within the text of a passage, whatever file that is of. */
type LocalDraft = Omit<QuestionDraft, 'artifactId'>;

const MAX_LENGTH = 120;
const LONGEST_SENTENCE = 400;
/** Characters that a passage's language is told by. */
const SAMPLE_LENGTH = 300;

/** What a passage's text alone gives. */
interface Drafted {
  language: string;
  drafts: readonly LocalDraft[];
}

const drafted = new WeakMap<PassageAnalysis, Drafted>();

/**
 * The questions that the passages may answer, of each file in turn: newest files first stay so.
 * `languages` are those of the person's files, where that is known; telling one costs time.
 */
export function draftQuestions(
  passages: readonly Passage[],
  languages: readonly string[] = [],
): QuestionDraft[] {
  const only = languages.length === 1 ? languages[0] : undefined;
  const byFile = new Map<string, QuestionDraft[]>();
  for (const passage of passages) {
    const drafts = byFile.get(passage.artifactId) ?? [];
    drafts.push(...draftsOf(passage, only));
    byFile.set(passage.artifactId, drafts);
  }
  const lists = [...byFile.values()].map(variedFirst);
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((drafts) => drafts.slice(round, round + 1)),
  ).flat();
  // What asks for one thing says more than what asks for all that there is.
  return inTurn.toSorted((a, b) => Number(isBroad(a)) - Number(isBroad(b)));
}

const BROAD = new Set(['about', 'section']);

/** Whether a question asks for all that there is of something. */
export const isBroad = ({ template }: Pick<QuestionDraft, 'template'>): boolean =>
  BROAD.has(template);

/** One of each pattern, then the second of each, and so on. */
function variedFirst(drafts: readonly QuestionDraft[]): QuestionDraft[] {
  const seen = new Map<string, number>();
  return drafts
    .map((draft) => {
      const round = seen.get(draft.template) ?? 0;
      seen.set(draft.template, round + 1);
      return { draft, round };
    })
    .sort((a, b) => a.round - b.round)
    .map(({ draft }) => draft);
}

function draftsOf(passage: Passage, language: string | undefined): QuestionDraft[] {
  const analysis = analyzePassage(passage.text);
  let local = drafted.get(analysis);
  if (local === undefined) {
    local = draftsWithin(passage.text, analysis, language);
    drafted.set(analysis, local);
  }
  const section = sectionDraft(passage, local.language);
  const drafts = section === null ? local.drafts : [...local.drafts, section];
  if (drafts.length === 0) return [];
  const title = contentOf(titleOf(passage) ?? passage.fileName, local.language);
  return drafts
    .filter(({ terms }) => !restates(terms, title))
    .map((draft) => ({
      ...draft,
      artifactId: passage.artifactId,
      sources: draft.sources.map(({ start, end }) => ({
        start: passage.start + start,
        end: passage.start + end,
      })),
    }));
}

/** Whether all that a question names is a title. */
const restates = (terms: ReadonlySet<string>, title: ReadonlySet<string>): boolean =>
  terms.size === 0 || terms.isSubsetOf(title);

/** Words that a question is built of. */
const FRAME = new Set(
  `what who when where why how does say about much many long do you is are was were wann wer was wo warum wie
lautet hoch lang lange steht thema unter bei kann man combien quand quel quelle est que comment cuál cuánto cuándo
qué dónde cómo es сколько когда где что такое какой какая как`.split(/\s+/u),
);

/** The stems of what a question names. */
export function contentOf(text: string, language: string): Set<string> {
  const stops = stopWords(language);
  const words = text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(
      (word) => word !== '' && !stops.has(word.toLowerCase()) && !FRAME.has(word.toLowerCase()),
    );
  return new Set(analyze(words.join(' '), language));
}

function draftsWithin(text: string, analysis: PassageAnalysis, only: string | undefined): Drafted {
  const language = only ?? detectLanguage(text.slice(0, SAMPLE_LENGTH));
  const templates = TEMPLATES.get(language) ?? [];
  const drafts: LocalDraft[] = [];
  const add = (
    made: { question: string; template: string },
    sources: LocalDraft['sources'],
  ): void => {
    if (made.question.length > MAX_LENGTH) return;
    const terms = contentOf(made.question, language);
    drafts.push({ ...made, sources, terms });
  };
  for (const { start, end, kind } of analysis.sentences) {
    if (end - start > LONGEST_SENTENCE) continue;
    const sentence = text.slice(start, end).replace(/\s+/gu, ' ');
    const made = kind === 'row' ? null : firstMade(templates, sentence.replace(/^[-*•] /u, ''));
    if (made === null) {
      for (const line of linesOf(text, start, end)) {
        for (const cell of questionsOfLine(text, line.start, line.end, language)) add(cell, [line]);
      }
    } else add(made, [{ start, end }]);
  }
  const name = nameIn(text, analysis);
  const about = name && questionOfName(name.text, language);
  if (about) add(about, name.sources);
  const [first, second] = drafts.filter(({ template }) => template.startsWith('row-'));
  const other = second && drafts.findLast(({ template }) => template === second.template);
  const compared = first && other && comparisonOf(second.question, other.question, language);
  if (compared)
    add({ question: compared, template: 'compare' }, [...second.sources, ...other.sources]);
  return { language, drafts };
}

const NAME =
  /(?<=(?:^|\s)\p{Ll}+,? )(?:the )?(\p{Lu}[\p{Ll}-]{2,}(?: (?:of |de |von |van |du )?\p{Lu}[\p{Ll}-]{2,}){1,2})(?![\p{L}'’-]| (?:of|and|for|de|von|to|in|the) | \p{Lu})/gu;
const MONTHS =
  /(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Juni|Juli|Oktober|Dezember)/u;

/** A name of several words that a passage holds more than once. */
function nameIn(
  text: string,
  { sentences }: PassageAnalysis,
): { text: string; sources: LocalDraft['sources'] } | null {
  for (const { start, end, kind } of sentences) {
    if (kind !== 'prose') continue;
    for (const [whole, name = ''] of text.slice(start, end).matchAll(NAME)) {
      // A passage that names it once may be about something else.
      const often = text.indexOf(name) !== text.lastIndexOf(name);
      if (often && !MONTHS.test(name))
        return { text: whole, sources: [{ start: 0, end: text.length }] };
    }
  }
  return null;
}

function* linesOf(
  text: string,
  start: number,
  end: number,
): Generator<{ start: number; end: number }> {
  let from = start;
  while (from < end) {
    const stop = text.indexOf('\n', from);
    const to = stop === -1 || stop > end ? end : stop;
    if (to > from) yield { start: from, end: to };
    from = to + 1;
  }
}

/** The question for the section that a passage is in, answered by anything in it. */
function sectionDraft(passage: Passage, language: string): LocalDraft | null {
  if (passage.headings.length === 0) return null;
  const made = questionOfSection(passage, language);
  if (made === null || made.question.length > MAX_LENGTH) return null;
  const sources = [{ start: 0, end: passage.text.length }];
  const heading = contentOf(passage.headings.at(-1) ?? '', language);
  return { ...made, sources, terms: heading };
}
