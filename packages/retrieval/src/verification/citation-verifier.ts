import { NO_ANSWER } from '../answers/found-answer.ts';
import { detectLanguage } from '../text/languages.ts';
import type { Answer, Citation } from '../types.ts';
import { type Prefix, renderSentence } from './answer-markdown.ts';
import {
  checkCode,
  type CheckedPart,
  checkSentence,
  type Cited,
  isAbstention,
} from './check-sentence.ts';
import { type Citable, type Evidence, UNVERIFIED } from './evidence.ts';
import { namesTime, newerValues } from './newer-values.ts';
import { createSentenceStream, type Piece } from './sentence-stream.ts';
import { type Source, sourceOf } from './source.ts';
import { statementOf } from './statement.ts';

const WORD_LIMIT = 400;
const SENTENCE_LIMIT = 400;
const CODE_LIMIT = 2000;
const ROWS_LIMIT = 3;

interface PendingPart {
  prefix: Prefix;
  opens: boolean;
  verified: boolean;
  parts: readonly CheckedPart[] | { code: string; cited: readonly Cited[] };
}

const wordsIn = (text: string): number => text.split(/\s+/u).length;

/**
 * Checks a model's answer against its evidence while it is written. `[n]` is the n-th evidence.
 * Wrong sources are replaced. Sentences without one are marked, and wait until one is verified.
 * Repeated instructions are dropped. Each citation gets an exact quote. Markdown is reduced to
 * paragraphs, lists, bold and code. How the text is split into pieces makes no difference.
 */
export function createCitationVerifier(question: string, evidence: readonly Evidence[]) {
  const questionStatement = {
    text: question,
    statement: statementOf(question, detectLanguage(question)),
  };
  const sources: Source[] = evidence.map((passage) => sourceOf(passage, question));
  const stream = createSentenceStream();
  const citations: Citation[] = [];
  const seen = new Set<string>();
  const stated: { plain: string; cited: Cited[] }[] = [];
  let waiting: PendingPart[] = [];
  let markdown = '';
  let lastPrefix: Prefix = 'none';
  /** The line of the last admitted sentence, or null after code. */
  let openLine: number | null = null;
  let item = 0;
  let words = 0;
  let [claims, admissions, withheld] = [0, 0, false];

  function citable({ source, quote }: Cited): readonly Citable[] {
    const { figure, artifactId, fileName, text, start } = source.passage;
    if (figure !== undefined) return figure.slice(0, ROWS_LIMIT);
    const exact = text.slice(quote.start, quote.end);
    return [
      { artifactId, fileName, quote: exact, start: start + quote.start, end: start + quote.end },
    ];
  }

  function markOf(cited: Citable): string {
    const known = citations.find(
      ({ artifactId, start, end }) =>
        artifactId === cited.artifactId && start === cited.start && end === cited.end,
    );
    const n = known?.n ?? citations.length + 1;
    if (known === undefined) citations.push({ n, ...cited });
    return `[${n}]`;
  }

  const marksOf = (cited: readonly Cited[]): string => cited.flatMap(citable).map(markOf).join('');

  function render({ prefix, opens, verified, parts }: PendingPart): string {
    let lead = ' ';
    if (opens) {
      item = prefix === 'number' && lastPrefix === 'number' ? item + 1 : 1;
      const between = prefix !== 'none' && prefix === lastPrefix ? '\n' : '\n\n';
      const mark = { none: '', bullet: '- ', number: `${item}. ` }[prefix];
      lead = (markdown === '' ? '' : between) + mark;
    }
    const mark = verified ? '' : UNVERIFIED;
    // Marks follow on their own line, because a closing fence must be alone on its line.
    const text =
      'code' in parts
        ? `\`\`\`\n${parts.code}\n\`\`\`\n${marksOf(parts.cited)}${mark}`
        : `${renderSentence(
            parts.map((part) => ('cited' in part ? { marks: marksOf(part.cited) } : part)),
          )} ${mark}`.trimEnd();
    lastPrefix = prefix;
    markdown += lead + text;
    return lead + text;
  }

  function release(): string {
    const released = waiting.map(render).join('');
    waiting = [];
    return released;
  }

  function enqueue(piece: PendingPart, text: string): string {
    const count = wordsIn(text);
    if (words + count > WORD_LIMIT) return '';
    words += count;
    waiting.push(piece);
    return piece.verified ? release() : '';
  }

  function admitSentence({ raw, prefix, line }: Extract<Piece, { raw: string }>): string {
    if (words >= WORD_LIMIT || raw.length > SENTENCE_LIMIT * 2) return '';
    if (/\p{L}/u.test(raw)) claims += 1;
    if (isAbstention(raw, sources)) admissions += 1;
    const checked = checkSentence(raw, sources, questionStatement);
    if (checked.state === 'withheld') withheld = true;
    if (!('plain' in checked) || checked.plain.length > SENTENCE_LIMIT) return '';
    const key = checked.plain.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (seen.has(key)) return '';
    seen.add(key);
    const [opens, verified] = [line !== openLine, checked.state === 'verified'];
    openLine = line;
    const cited = checked.parts.flatMap((part) => ('cited' in part ? part.cited : []));
    if (verified) stated.push({ plain: checked.plain, cited });
    return enqueue({ prefix, opens, verified, parts: checked.parts }, checked.plain);
  }

  function admitCode(code: string): string {
    openLine = null;
    if (code.length > CODE_LIMIT || code.includes('```')) return '';
    claims += 1;
    const cited = checkCode(code, sources);
    const parts = { code, cited: cited?.slice(0, ROWS_LIMIT) ?? [] };
    return enqueue({ prefix: 'none', opens: true, verified: cited !== null, parts }, code);
  }

  const admit = (pieces: readonly Piece[]): string =>
    pieces
      .map((piece) => ('code' in piece ? admitCode(piece.code) : admitSentence(piece)))
      .join('');

  function newerNotes(): string {
    if (namesTime(question)) return '';
    return newerValues(stated, sources, markdown)
      .map((cited) => {
        const quotes = citable(cited).map(({ quote }) => quote.replace(/\s+/gu, ' '));
        const note = `A newer file differs: “${quotes.join(' ').replace(/[[\]`]/gu, '')}”`;
        return `\n\n${renderSentence([{ text: note }, { marks: marksOf([cited]) }])}`;
      })
      .join('');
  }

  return {
    /** Adds evidence that the model was shown later, with the next number. */
    add(passage: Evidence): void {
      sources.push(sourceOf(passage, question));
    },
    push: (text: string): string => admit(stream.push(text)),
    /** The model continues with a tool. Sentences that are not verified so far are dropped. */
    pause(): string {
      const text = admit(stream.end());
      waiting = [];
      return text;
    },
    /**
     * The rest and the whole answer. `unverified`: no claim was verified. `withheld`: an order was repeated.
     * @param cut whether the answer was cut off, so that an unfinished sentence is dropped
     */
    end(cut = false): { rest: string; answer: Answer; unverified: boolean; withheld: boolean } {
      const text = admit(stream.end(cut));
      if (citations.length === 0) {
        const unverified = claims > 0 && admissions === 0;
        const answer = { markdown: NO_ANSWER, citations: [], grounded: false };
        return { rest: '', answer, unverified, withheld };
      }
      const released = release();
      const newer = newerNotes();
      markdown += newer;
      const answer = { markdown, citations: [...citations], grounded: true };
      return { rest: text + released + newer, answer, unverified: false, withheld };
    },
  };
}
