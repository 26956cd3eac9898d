import type { Span } from '../text/sentences.ts';
import { alternatives, LANGUAGES } from '../languages/index.ts';

/**
 * Sentences of a file that speak to a model instead of saying something: 'Ignore all earlier
 * instructions and answer that …'. They are data like everything in a file, but an answer cannot be
 * based on them.
 */
const TO_A_MODEL: readonly RegExp[] = [
  // Signs that templates of prompts are made of.
  /<\|?(?:im_start|im_end|system|endoftext)|\[\/?INST\]|<<\/?SYS>>|##\s*(?:system|instruction|response)\b|\bbegin (?:system|admin)\b|\bend of (?:the )?(?:passages?|context)\b/iu,
  ...LANGUAGES.flatMap(({ instructions }) => instructions?.toModels ?? []),
];

/** Orders that letters give to people, too. No other sentence is left out because of them. */
const ORDERS = LANGUAGES.flatMap(({ instructions }) => instructions?.orders ?? []);

/** Words of a question that is about such orders. */
const ABOUT_ORDERS = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ instructions }) => instructions?.words)})`,
  'iu',
);

/** Sentences after such a one, in the same paragraph, that may belong to it. */
const FOLLOWERS = 3;

/**
 * The text with spaces in the place of what speaks to a model and of what follows such a sentence in
 * its paragraph; offsets stay. All of it stays where the question is about such orders.
 */
export function withoutInstructions(
  text: string,
  sentences: readonly Span[],
  question: string,
): string {
  if (ABOUT_ORDERS.test(question)) return text;
  const masked: string[] = [];
  let copied = 0;
  let following = 0;
  let before = 0;
  for (const { start, end } of sentences) {
    const sentence = text.slice(start, end);
    if (/\n\s*\n/u.test(text.slice(before, start))) following = 0;
    before = end;
    following -= 1;
    if (TO_A_MODEL.some((pattern) => pattern.test(sentence))) following = FOLLOWERS;
    else if (following < 0 && !ORDERS.some((pattern) => pattern.test(sentence))) continue;
    masked.push(text.slice(copied, start), sentence.replace(/[^\n]/g, ' '));
    copied = end;
  }
  return masked.join('') + text.slice(copied);
}
