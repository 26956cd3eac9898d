import { createCitationVerifier, type Evidence, unverifiedIn } from '@engram/retrieval';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import { contains, type SetQuestion } from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';
import type { Paraphrase } from './paraphrases.ts';

/** How a sentence that is literally in its source was altered. */
export const ALTERATIONS = ['digit', 'date', 'name', 'negation', 'source'] as const;
type Alteration = (typeof ALTERATIONS)[number];

/** The number of sentences of a kind, and how many of them were shown as verified. */
export interface Tally {
  all: number;
  shown: number;
}

export interface Measured {
  right: Tally;
  altered: Record<Alteration, Tally>;
  /** Altered sentences that were shown as verified. */
  passed: { alteration: Alteration; text: string }[];
  /** Correct ones that were not. */
  stopped: string[];
}

const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/u;
const NAME = /(?<=\p{L}[,;]? )\p{Lu}\p{Ll}{2,}/u;
const VERB = /\b(?:is|are|was|were|has|have|can|will|must|may|should)\b(?! not)/u;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentencesOf = (text: string): string[] =>
  Array.from(sentences.segment(text), ({ segment }) => segment.trim());

/** Changes the last digit of a sentence's first number. */
const otherDigit = (text: string): string =>
  text.replace(/\d(?!\d)/u, (digit) => String((Number(digit) + 3) % 10));

/** A sentence with one alteration, or null if it cannot be altered this way. */
function alter(text: string, alteration: Alteration, others: readonly string[]): string | null {
  switch (alteration) {
    case 'digit':
      return /\d/u.test(text) ? otherDigit(text) : null;
    case 'date': {
      const month = MONTHS.exec(text)?.[0];
      return month ? text.replace(month, month === 'June' ? 'October' : 'June') : null;
    }
    case 'name': {
      const name = NAME.exec(text)?.[0];
      const other = others.flatMap((each) => NAME.exec(each)?.[0] ?? []).find((n) => n !== name);
      return name && other && !MONTHS.test(name) ? text.replace(name, other) : null;
    }
    case 'negation':
      if (/\bnot \b/u.test(text)) return text.replace(/\bnot /u, '');
      return VERB.test(text) ? text.replace(VERB, '$& not') : null;
    case 'source':
      return text;
  }
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** The words around the first difference of two texts. For equal texts their first words. */
function aroundChange(text: string, changed: string): string {
  const at = [...changed].findIndex((letter, index) => letter !== text[index]);
  const from = changed.lastIndexOf(' ', Math.max(0, at - 8)) + 1;
  return letters(changed.slice(from, Math.max(0, at) + 8)).replace(/ \S*$/u, '');
}

/** Whether an altered sentence is shown as verified, and its citations. */
function verify({ asked, evidence, text }: Claim, changed: string, n: number) {
  const verifier = createCitationVerifier(asked.q, evidence);
  verifier.push(`${changed.replace(/[.!?]+$/u, '')} [${n}].`);
  const { markdown, grounded, citations } = verifier.end().answer;
  const verified = unverifiedIn(markdown).reduce((all, each) => all.replace(each, ''), markdown);
  const shown = grounded && letters(verified).includes(aroundChange(text, changed));
  return { shown, cited: citations.map(({ start }) => start) };
}

/** A question with its first three sections. */
export interface Asked {
  asked: SetQuestion;
  evidence: Evidence[];
}

interface Claim extends Asked {
  /** A sentence of the evidence that answers, and the number of its passage. */
  text: string;
  n: number;
}

/** Asks the questions of a library. */
export async function askAll(
  folders: readonly string[],
  questions: readonly SetQuestion[],
): Promise<Asked[]> {
  const { files } = await readFolders(folders);
  const library = await buildPrivateLibrary(files);
  return Promise.all(
    questions.map(async (asked) => {
      const { sections } = await library.ask(asked.q, turnsBefore(asked));
      const evidence = sections.slice(0, 3).map((section, ordinal): Evidence => ({
        ...section,
        ordinal,
        location: {},
        places: [],
        headings: [],
        score: section.relevance,
      }));
      return { asked, evidence };
    }),
  );
}

/** For each question a sentence of the first three sections that contains all required facts. */
const claimsOf = (all: readonly Asked[]): Claim[] =>
  all.flatMap(({ asked, evidence }): Claim[] => {
    if (asked.refuse === true) return [];
    for (const [at, { text }] of evidence.entries()) {
      const sentence = sentencesOf(text).find(
        (each) => each.length < 300 && !/[\n|[\]]/u.test(each) && contains(each, asked),
      );
      if (sentence) return [{ asked, evidence, text: sentence, n: at + 1 }];
    }
    return [];
  });

/**
 * Measures which sentences the verifier accepts, for files of folders that answer questions:
 * unchanged sentences, and sentences with one alteration.
 */
export function measureVerifier(asked: readonly Asked[]): Measured {
  const claims = claimsOf(asked);
  const texts = claims.map(({ text }) => text);
  const altered = Object.fromEntries(
    ALTERATIONS.map((each) => [each, { all: 0, shown: 0 }]),
  ) as Measured['altered'];
  const measured: Measured = { right: { all: 0, shown: 0 }, altered, passed: [], stopped: [] };
  for (const claim of claims) {
    const { evidence, text, n } = claim;
    measured.right.all += 1;
    if (verify(claim, text, n).shown) measured.right.shown += 1;
    else measured.stopped.push(text);
    for (const alteration of ALTERATIONS) {
      const changed = alter(text, alteration, texts);
      const other = (n % evidence.length) + 1;
      if (changed === null || (alteration === 'source' && other === n)) continue;
      const tally = altered[alteration];
      tally.all += 1;
      const { shown, cited } = verify(claim, changed, alteration === 'source' ? other : n);
      // A wrong source is corrected if it is replaced by one that contains the sentence.
      const mended =
        alteration === 'source' &&
        cited.every((start) =>
          evidence.some(
            (each) => each.start <= start && start < each.end && each.text.includes(text),
          ),
        );
      if (!shown || mended) continue;
      tally.shown += 1;
      measured.passed.push({ alteration, text: changed });
    }
  }
  return measured;
}

/** Which of some sentences, each about a question of a library, are shown as verified. */
export function shownOf(
  asked: readonly Asked[],
  sentences: readonly Paraphrase[],
): { shown: string[]; stopped: string[] } {
  const isShown = ([id, text]: Paraphrase): boolean => {
    const found = asked.find((each) => each.asked.id === id);
    if (found === undefined) throw new Error(`No question has the id ${id}.`);
    const verifier = createCitationVerifier(found.asked.q, found.evidence);
    verifier.push(text);
    return verifier.end().answer.grounded;
  };
  const shown = sentences.filter(isShown).map(([, text]) => text);
  const stopped = sentences.map(([, text]) => text).filter((text) => !shown.includes(text));
  return { shown, stopped };
}
