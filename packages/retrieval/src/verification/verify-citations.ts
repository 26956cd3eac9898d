import { NO_ANSWER } from '../answers/found-answer.ts';
import type { Answer, Citation } from '../types.ts';
import { lineOf, type Prefix, renderSentence } from './answer-markdown.ts';
import { type CheckedPart, checkSentence, type Cited, findsNothing } from './check-sentence.ts';
import { questionEvidence, type Source, sourceOf } from './claim-support.ts';
import { type Citable, type Evidence, UNVERIFIED, unverifiedIn } from './evidence.ts';
import { namesTime, newerRivals } from './newer.ts';
import { verbatim } from './quotes.ts';
import { sentenceEnd } from './sentence-stream.ts';

/** An answer grows no longer than this many words, whatever a model goes on writing. */
const WORD_LIMIT = 400;
/** Longest sentence and longest block of code that are shown, in UTF-16 units. */
const SENTENCE_LIMIT = 400;
const CODE_LIMIT = 2000;
/** Rows cited for one figure; the others are counted. */
const ROWS_LIMIT = 3;

/** Checks a model's answer while it is written. */
export interface CitationVerifier {
  /** Takes what the model was shown meanwhile, numbered on from what it was shown before. */
  add(evidence: Evidence): void;
  /** Takes the next piece of the model's text; answers what may be shown now, often nothing. */
  push(text: string): string;
  /**
   * The model goes on to look for something: what it said last was complete, and what of that could
   * not be verified was said on the way and is forgotten.
   */
  pause(): string;
  /**
   * The model is done: what may still be shown, and the whole answer. `unverified` says that the model
   * claimed to know something, and none of it could be verified; `withheld` that it handed on what a
   * file tells a model to say.
   * @param cut whether it was cut off: a sentence that it did not end then says nothing
   */
  end(cut?: boolean): { rest: string; answer: Answer; unverified: boolean; withheld: boolean };
}

/** A sentence or a block of code that is ready to be shown. */
interface Piece {
  line: Prefix;
  /** Whether it opens its line. */
  opens: boolean;
  verified: boolean;
  parts: readonly CheckedPart[] | { code: string; cited: Cited[] };
}

const FENCE = /^\s{0,3}```/u;
const wordsIn = (text: string): number => text.split(/\s+/u).length;

/**
 * Compares a model's answer with what the model was shown. `[n]` in its text is the n-th piece of
 * evidence, counted from 1. A sentence is shown once it is complete and checked: sources that do not
 * exist are dropped; a source that does not support its sentence is replaced by one that does; a
 * sentence without one is marked as unverified, and waits until one was verified: without any there is
 * no answer. Sentences that hand on what a file tells a model to say are left out. Each citation gets an
 * exact quote, the sentences of its passage that hold most of the claim, and is numbered anew in the
 * order of appearance. Markdown is reduced to paragraphs, lists, bold and code: no HTML, links or
 * images. In which pieces the text arrives makes no difference.
 */
export function createCitationVerifier(
  question: string,
  evidence: readonly Evidence[],
): CitationVerifier {
  const asked = questionEvidence(question);
  const sources: Source[] = evidence.map((each) => sourceOf(each, question));
  const citations: Citation[] = [];
  const seen = new Set<string>();
  const stated: { plain: string; cited: Cited[] }[] = [];
  let held: Piece[] = [];
  let buffer = '';
  let markdown = '';
  /** How the line that is read begins; null before its beginning was read. */
  let prefix: Prefix | null = null;
  let lineIsOpen = false;
  let lastLine: Prefix = 'none';
  let item = 0;
  let words = 0;
  let code: string[] | null = null;
  let [claims, admissions, withheld] = [0, 0, false];

  function citable({ source, quote }: Cited): readonly Citable[] {
    const { figure, artifactId, fileName, text, start } = source.passage;
    if (figure !== undefined) return figure.rows.slice(0, ROWS_LIMIT);
    const exact = text.slice(quote.start, quote.end);
    const [from, to] = [start + quote.start, start + quote.end];
    return [{ artifactId, fileName, quote: exact, start: from, end: to }];
  }

  /** The mark of a citation, known or new. */
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

  /** The Markdown of a piece behind what was shown before. */
  function place({ line, opens, verified, parts }: Piece): string {
    let lead = ' ';
    if (opens) {
      item = line === 'number' && lastLine === 'number' ? item + 1 : 1;
      const between = line !== 'none' && line === lastLine ? '\n' : '\n\n';
      const mark = { none: '', bullet: '- ', number: `${item}. ` }[line];
      lead = (markdown === '' ? '' : between) + mark;
    }
    const mark = verified ? '' : UNVERIFIED;
    // A fence that ends with anything but its end ends nothing: the marks go on a line of their own.
    const said =
      'code' in parts
        ? `\`\`\`\n${parts.code}\n\`\`\`\n${marksOf(parts.cited)}${mark}`
        : `${renderSentence(
            parts.map((part) => ('cited' in part ? { marks: marksOf(part.cited) } : part)),
          )} ${mark}`.trimEnd();
    lastLine = line;
    markdown += lead + said;
    return lead + said;
  }

  function release(): string {
    const shown = held.map(place).join('');
    held = [];
    return shown;
  }

  /** Shows a piece with those that waited for it, or has it wait. */
  function show(piece: Piece, text: string): string {
    const count = wordsIn(text);
    if (words + count > WORD_LIMIT) return '';
    words += count;
    held.push(piece);
    return piece.verified ? release() : '';
  }

  /** What of one sentence may be shown. */
  function admit(raw: string): string {
    if (words >= WORD_LIMIT || raw.length > SENTENCE_LIMIT * 2) return '';
    if (/\p{L}/u.test(raw)) claims += 1;
    if (findsNothing(raw, sources)) admissions += 1;
    const checked = checkSentence(raw, sources, asked);
    if (checked.state === 'withheld') withheld = true;
    if (!('plain' in checked) || checked.plain.length > SENTENCE_LIMIT) return '';
    const key = checked.plain.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (seen.has(key)) return '';
    seen.add(key);
    const [opens, verified] = [!lineIsOpen, checked.state === 'verified'];
    lineIsOpen = true;
    const cited = checked.parts.flatMap((part) => ('cited' in part ? part.cited : []));
    if (verified) stated.push({ plain: checked.plain, cited });
    return show({ line: prefix ?? 'none', opens, verified, parts: checked.parts }, checked.plain);
  }

  /** A block of code is verified where each of its lines stands in one source just so. */
  function closeCode(): string {
    const text = (code ?? []).join('\n').trimEnd();
    code = null;
    lineIsOpen = false;
    if (text.trim() === '' || text.length > CODE_LIMIT || text.includes('```')) return '';
    claims += 1;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const cited = sources
      .map((source) =>
        lines.flatMap((line) => {
          const quote = verbatim(line, source);
          return quote === null ? [] : [{ source, quote }];
        }),
      )
      .find((quotes) => quotes.length === lines.length);
    const parts = { code: text, cited: cited?.slice(0, ROWS_LIMIT) ?? [] };
    return show({ line: 'none', opens: true, verified: cited !== undefined, parts }, text);
  }

  /** Takes one line, or the beginning of one, as far as it is certain; null where nothing is. */
  function takeFromLine(line: string, ended: boolean): { shown: string; taken: number } | null {
    if (prefix === null && (code !== null || FENCE.test(line) || /^\s{0,3}`{0,2}$/u.test(line))) {
      if (!ended) return null;
      const closes = code !== null && FENCE.test(line);
      if (FENCE.test(line)) code ??= [];
      else code?.push(line);
      return { shown: closes ? closeCode() : '', taken: line.length };
    }
    const end = sentenceEnd(line, ended);
    if (end < 0) return null;
    let raw = line.slice(0, end);
    if (prefix === null) {
      const begun = lineOf(raw);
      prefix = begun?.prefix ?? 'none';
      raw = begun?.rest ?? '';
    }
    return { shown: raw === '' ? '' : admit(raw), taken: end };
  }

  /** Takes all sentences that are certain to be complete off the buffer. */
  function drain(atEnd: boolean): string {
    let shown = '';
    while (buffer !== '') {
      const lineEnd = buffer.indexOf('\n');
      const line = lineEnd < 0 ? buffer : buffer.slice(0, lineEnd);
      const taken = takeFromLine(line, atEnd || lineEnd >= 0);
      if (taken === null) break;
      shown += taken.shown;
      buffer = buffer.slice(taken.taken);
      if (buffer.startsWith('\n')) {
        buffer = buffer.slice(1);
        endLine();
      }
    }
    return shown;
  }

  function endLine(): void {
    prefix = null;
    lineIsOpen = false;
  }

  function flush(): string {
    const shown = drain(true) + (code === null ? '' : closeCode());
    endLine();
    return shown;
  }

  /** Points at newer files that give other values than the answer does. */
  function withNewer(): string {
    if (namesTime(question)) return '';
    return newerRivals(stated, sources, markdown)
      .map((cited) => {
        const said = citable(cited).map(({ quote }) => quote.replace(/\s+/gu, ' '));
        const note = `A newer file differs: “${said.join(' ').replace(/[[\]`]/gu, '')}”`;
        return `\n\n${renderSentence([{ text: note }, { marks: marksOf([cited]) }])}`;
      })
      .join('');
  }

  return {
    add(each) {
      sources.push(sourceOf(each, question));
    },
    push(text) {
      buffer += text.replaceAll('\r', '');
      // Half a character says nothing yet about what follows a sentence.
      const half = /[\uD800-\uDBFF]$/u.exec(buffer)?.[0] ?? '';
      buffer = buffer.slice(0, buffer.length - half.length);
      const shown = drain(false);
      buffer += half;
      return shown;
    },
    pause() {
      const shown = flush();
      held = [];
      return shown;
    },
    end(cut = false) {
      if (cut) buffer = '';
      let rest = flush();
      if (citations.length === 0) {
        const unverified = claims > 0 && admissions === 0;
        const answer = { markdown: NO_ANSWER, citations: [], grounded: false };
        return { rest: '', answer, unverified, withheld };
      }
      rest += release();
      const newer = withNewer();
      rest += newer;
      markdown += newer;
      const unverified = unverifiedIn(markdown);
      const answer: Answer = {
        markdown,
        citations: [...citations],
        grounded: true,
        ...(unverified.length === 0 ? {} : { unverified }),
      };
      return { rest, answer, unverified: false, withheld };
    },
  };
}
