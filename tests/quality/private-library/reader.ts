import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { splitSentences } from '../../../packages/retrieval/src/index.ts';
import type { SetQuestion } from './questions.ts';

/** What the reader knows about a question. */
type ReaderQuestion = Pick<SetQuestion, 'q' | 'prev' | 'file' | 'must' | 'must_not'>;

/** A passage of a file or a computed figure as the server shows it to a model. */
interface Shown {
  n: string;
  /** Null for a figure. */
  file: string | null;
  text: string;
}

/** The longest sentence that is quoted, in UTF-16 units. */
const LONGEST = 380;
const NOT_FOUND = "Your files don't seem to say.";

/** Normalizes an answer as the scoring program does: case, Markdown, dashes, quotes and spaces. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[*_`#|~]/gu, ' ')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();

/** A number must match as a whole, and so must a word of up to three letters. */
function pattern(entry: string): RegExp {
  const words = plain(entry);
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const before = /^\d/u.test(words) ? String.raw`(?<!\d)(?<!\d[.,])` : '';
  const after = /\d$/u.test(words) ? String.raw`(?:[.,]00?)?(?!\d)(?![.,]\d)` : '';
  const short = /^\p{L}{1,3}$/u.test(words);
  return new RegExp(short ? `(?<!\\p{L})${escaped}(?!\\p{L})` : before + escaped + after, 'u');
}

const holds = (text: string, entry: string | readonly string[]): boolean =>
  (typeof entry === 'string' ? [entry] : entry).some((each) => pattern(each).test(plain(text)));

/** The passages and figures in a prompt and in tool results. */
const shownIn = (text: string): Shown[] =>
  [...text.matchAll(/<(passage|result) ([^>]*)>\n([\s\S]*?)\n<\/\1>/gu)].map(
    ([, kind, about = '', said = '']) => ({
      n: /(?:^|\s)n="(\d+)"/u.exec(about)?.[1] ?? '',
      file: kind === 'result' ? null : (/\sfile="([^"]*)"/u.exec(` ${about}`)?.[1] ?? ''),
      text: said,
    }),
  );

/** The sentences of a passage. Of an overlong one, the text around each required fact. */
function sentencesOf(
  text: string,
  wanted: readonly (string | readonly string[])[],
  barred: readonly (string | readonly string[])[],
): string[] {
  return splitSentences(text).flatMap(({ start, end }) => {
    const whole = text.slice(start, end);
    const sentence = whole.replace(/\s+/gu, ' ').trim();
    // A line of its own, such as a list item, counts as a sentence.
    const lines = whole.split('\n').map((line) => line.replace(/\s+/gu, ' ').trim());
    // Only the relevant items of a list are quoted.
    const entries = barred.some((each) => holds(sentence, each)) ? sentence.split(/[,;] /u) : [];
    if (sentence.length <= LONGEST) return [sentence, ...lines, ...entries];
    return wanted.flat().flatMap((each) => {
      const at = sentence.toLowerCase().indexOf(each.toLowerCase());
      if (at < 0) return [];
      const from = sentence.lastIndexOf(' ', Math.max(0, at - LONGEST / 2)) + 1;
      return sentence.slice(from, from + LONGEST).replace(/\s\S*$/u, '');
    });
  });
}

/**
 * The sentences with all required facts, each with its source: for each fact the shortest sentence
 * of a right file, without text that must not be said first. Null if a fact is missing.
 */
export function readAnswer(question: ReaderQuestion, prompt: string): string | null {
  const { must = [], must_not: mustNot = [], file = [] } = question;
  if (must.length === 0) return null;
  const right = shownIn(prompt).filter((shown) => shown.file === null || file.includes(shown.file));
  const sentences = right.flatMap(({ n, text }) =>
    sentencesOf(text, must, mustNot).map((sentence) => ({
      said: `${sentence.replace(/(?<![.!?…])$/u, '.').replace(/\.$/u, '')} [${n}].`,
      held: must.filter((entry) => holds(sentence, entry)),
      barred: mustNot.filter((entry) => holds(sentence, entry)).length,
      length: sentence.length,
    })),
  );
  sentences.sort(
    (one, other) =>
      one.barred - other.barred || other.held.length - one.held.length || one.length - other.length,
  );
  const chosen: string[] = [];
  const missing = new Set(must);
  for (const { said, held } of sentences) {
    if (!held.some((entry) => missing.has(entry))) continue;
    chosen.push(said);
    for (const entry of held) missing.delete(entry);
  }
  return missing.size === 0 ? chosen.map((said) => `- ${said}`).join('\n') : null;
}

interface Message {
  role: string;
  content?: string | null;
}

/** The passages that the reader saw for a question, its output, and whether that is an answer. */
interface Heard {
  shown: string;
  said: string;
  answered: boolean;
}

/** The reaction of the reader to one request: it answers, or searches once with the question. */
function reply(questions: readonly ReaderQuestion[], messages: readonly Message[]) {
  const contentOf = (role: string): string =>
    messages.flatMap((each) => (each.role === role ? (each.content ?? '') : [])).join('\n');
  const prompt = contentOf('user');
  const questionText = /<question>([\s\S]*?)<\/question>/u.exec(prompt)?.[1]?.trim() ?? '';
  const question = questions.find(({ q }) => q.trim() === questionText);
  if (contentOf('system').includes('refers to earlier questions')) {
    return { text: [question?.prev, questionText].filter(Boolean).join(' ') };
  }
  const looked = messages.some(({ role }) => role === 'tool');
  const shown = `${prompt}\n${contentOf('tool')}`;
  const answer = question === undefined ? null : readAnswer(question, shown);
  if (answer !== null) return { asked: questionText, text: answer, shown, answered: true };
  return looked || questionText === ''
    ? { asked: questionText, text: NOT_FOUND, shown, answered: false }
    : { query: questionText.slice(0, 200) };
}

function send(response: ServerResponse, said: ReturnType<typeof reply>): void {
  const chunk = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const event = { id: 'reader', object: 'chat.completion.chunk', created: 0, model: 'reader' };
    response.write(`data: ${JSON.stringify({ ...event, choices })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (said.query === undefined) {
    chunk({ role: 'assistant', content: said.text });
    chunk({}, 'stop');
  } else {
    const input = { name: 'search', arguments: JSON.stringify({ query: said.query }) };
    const call = { index: 0, id: 'call', type: 'function', function: input };
    chunk({ role: 'assistant', tool_calls: [call] });
    chunk({}, 'tool_calls');
  }
  response.end('data: [DONE]\n\n');
}

async function bodyOf(request: IncomingMessage): Promise<{ messages?: Message[] }> {
  return JSON.parse((await request.toArray()).join('')) as { messages?: Message[] };
}

/**
 * A server with OpenAI's protocol (`OPENAI_BASE_URL` is its url) whose model is right whenever it
 * sees the right passage: it quotes and cites the sentences of a right file that contain the
 * required facts. Otherwise it searches once with the question, and then says that the files do not
 * say.
 */
export async function startReader(questions: readonly ReaderQuestion[]): Promise<{
  url: string;
  heard: (question: string) => Heard | undefined;
  close: () => Promise<void>;
}> {
  const replies = new Map<string, Heard>();
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      ({ messages = [] }) => {
        const answer = reply(questions, messages);
        if (answer.asked !== undefined) {
          const { asked, shown, text, answered } = answer;
          replies.set(asked, { shown, said: text, answered });
        }
        send(response, answer);
      },
      () => response.writeHead(400).end('{}'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard: (question) => replies.get(question.trim()),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
