import type { Span } from '../text/sentences.ts';
import { alternatives, LANGUAGES } from '../languages/index.ts';

/** Sentences that instruct a model: 'Ignore all earlier instructions'. They are never quoted. */
const TO_A_MODEL: readonly RegExp[] = [
  // Signs that templates of prompts are made of.
  /<\|?(?:im_start|im_end|system|endoftext)|\[\/?INST\]|<<\/?SYS>>|##\s*(?:system|instruction|response)\b|\bbegin (?:system|admin)\b|\bend of (?:the )?(?:passages?|context)\b/iu,
  ...LANGUAGES.flatMap(({ instructions }) => instructions?.toModels ?? []),
];

/** Orders that letters give to people, too. No other sentence is left out because of them. */
const ORDERS = LANGUAGES.flatMap(({ instructions }) => instructions?.orders ?? []);

const ABOUT_ORDERS = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ instructions }) => instructions?.words)})`,
  'iu',
);

const FOLLOWERS = 3;

/** Replaces instructions and their followers by spaces, unless the question is about them. */
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
