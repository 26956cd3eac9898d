import { detectLanguage } from '@engram/retrieval';
import type { Token } from 'markdown-it';
import { MAX_SPOKEN_CHARACTERS } from '../../platform/speech/speaker.ts';
import { inlineText, parseMarkdown, withoutTags } from './markdown-text.ts';
import { readableText } from './readable-text.ts';

export interface SpokenAnswer {
  /** Text without markup. Sentences end with punctuation, paragraphs with an empty line. */
  text: string;
  language: string;
}

const ENDED = /[.!?…:;。！？؟।]["')\]]*$/u;
const LAST_SENTENCE =
  /^[^]*[.!?。！？؟।\n](?=\s|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|$)/u;

function createWriter(language: string) {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let numbers: { spoken: string; level: number }[] = [];
  const lists: (number | undefined)[] = [];
  let [titles, cells]: [string[], string[]] = [[], []];
  let rows = 0;

  const speak = (text: string): void => {
    const spoken = readableText(text, language);
    if (!/[\p{L}\p{N}]/u.test(spoken)) return;
    const sentence = ENDED.test(spoken) ? spoken : `${spoken.replace(/(?<![,;])[,;]+$/u, '')}.`;
    lines.push(numbers.map((number) => number.spoken).join('') + sentence);
    length += sentence.length;
    numbers = [];
  };

  const beginItem = (level: number): void => {
    const number = lists.pop();
    lists.push(number === undefined ? undefined : number + 1);
    if (number !== undefined) numbers.push({ spoken: `${number}: `, level });
  };

  const endRow = (): void => {
    rows += 1;
    if (rows === 1) titles = cells;
    else {
      const labeled = cells.map((value, i) =>
        titles[i] && value ? `${titles[i]}: ${value}` : value,
      );
      speak(labeled.filter(Boolean).join(', '));
    }
    cells = [];
  };

  const endBlock = (): void => {
    if (lines.length > 0) paragraphs.push(lines.join('\n'));
    lines = [];
  };

  const write = (token: Token, previous: Token | undefined): void => {
    const { type, content, level } = token;
    if (type === 'inline') {
      const text = inlineText(token.children ?? []);
      if (previous?.type === 'th_open' || previous?.type === 'td_open') {
        cells.push(readableText(text, language));
      } else speak(text);
    } else if (type === 'fence' || type === 'code_block') content.split('\n').forEach(speak);
    else if (type === 'html_block') speak(withoutTags(content));
    else if (type === 'bullet_list_open') lists.push(undefined);
    else if (type === 'ordered_list_open') lists.push(Number(token.attrGet('start') ?? 1));
    else if (type.endsWith('_list_close')) lists.pop();
    else if (type === 'list_item_open') beginItem(level);
    else if (type === 'list_item_close') numbers = numbers.filter((number) => number.level < level);
    else if (type === 'table_open') rows = 0;
    else if (type === 'tr_close') endRow();
    else if (type === 'table_close' && rows === 1) speak(titles.filter(Boolean).join(', '));
    if (level === 0 && token.nesting <= 0) endBlock();
  };

  return {
    write,
    text: (): string => [...paragraphs, lines.join('\n')].filter(Boolean).join('\n\n'),
    isFull: (): boolean => length > MAX_SPOKEN_CHARACTERS,
  };
}

/** Cuts a text to {@link MAX_SPOKEN_CHARACTERS} at the end of a sentence or word. */
function truncated(text: string): string {
  if (text.length <= MAX_SPOKEN_CHARACTERS) return text;
  const head = text.slice(0, MAX_SPOKEN_CHARACTERS);
  const whole = LAST_SENTENCE.exec(head)?.[0] ?? head.replace(/\s\S*$/u, '');
  return whole.trim().toWellFormed();
}

export function spokenAnswer(markdown: string): SpokenAnswer {
  const tokens = parseMarkdown(markdown);
  const words = tokens.map(({ type, children }) =>
    type === 'inline' ? inlineText(children ?? []) : '',
  );
  const language = detectLanguage(words.filter(Boolean).join('\n'));
  const writer = createWriter(language);
  for (const [i, token] of tokens.entries()) {
    if (writer.isFull()) break;
    writer.write(token, tokens[i - 1]);
  }
  return { text: truncated(writer.text()), language };
}
