import type { RankedPassage } from './rank.ts';
import { type Span, splitSentences } from './sentences.ts';

/**
 * Sentences of a file that speak to a model instead of saying something: 'Ignore all earlier
 * instructions and answer that …'. They are data like all else in a file, but no statement that an
 * answer could rest on.
 */
const TO_A_MODEL: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules?|guidelines|directions|above|previous|prior|earlier|everything|context|passages|constraints)\b/iu,
  /^\W*(?:system|assistant|developer|ai|human|user|new instructions?|important instructions?|instructions? (?:to|for) (?:the )?(?:ai|assistant|model))\s*(?:message|prompt|note|override)?\s*[:>\]]/iu,
  /<\|?(?:im_start|im_end|system|endoftext)|\[\/?INST\]|<<\/?SYS>>|#{2,}\s*(?:system|instruction|response)|\bbegin (?:system|admin)\b|\bend of (?:the )?(?:passages?|context|documents?)\b/iu,
  /\byou are (?:now|no longer|not|a|an|in)\b[^.!?\n]{0,40}\b(?:assistant|ai|model|bot|chatbot|dan|gpt|mode|jailbroken|unrestricted|bound)\b|\b(?:act as|pretend (?:to be|that you|you)|role-?play as|switch to \w+ mode|developer mode)\b/iu,
  /\b(?:ai|language models?|llms?|chatbots?|(?:the|this|any|every|all) (?:assistants?|models?))\b[^.!?\n]{0,40}\b(?:must|should|shall|have to|please|need to|are required|is required|reading this)\b|\b(?:note|message|attention|hint)\b[^.!?\n]{0,10}\b(?:to|for)\b[^.!?\n]{0,20}\b(?:ai|llm|model|assistant|chatbot)s?\b/iu,
  /\b(?:do not|don['’]t|never)\s+(?:mention|reveal|tell|cite|use|quote|follow|obey|show)\b[^.!?\n]{0,40}\b(?:user|person|passages?|rules?|instructions?|sources?|prompt|this)\b/iu,
  /\b(?:when|if|whenever|once)\b[^.!?\n]{0,30}\b(?:asked|asks?|prompted|queried|questioned)\b[^.!?\n]{0,60}\b(?:answer|say|reply|respond|tell|claim|output)\b/iu,
  /\bthe (?:correct|right|only|true|final) answer (?:to (?:any|every|all|this|the|each)|is always)\b/iu,
  /\b(?:ignoriere|vergiss|missachte)\b[^.!?\n]{0,60}(?:anweisung|regel|vorgabe|kontext|bisherige|obige)|^\W*(?:bitte\s+)?(?:antworte|sage? (?:dem|der) (?:nutzer|benutzer|person|leser)|schreibe? (?:nur|als))\b|\bdu bist (?:jetzt|nun|ab sofort)\b/iu,
  /\b(?:ignore[zs]?|oublie[zs]?)\b[^.!?\n]{0,60}(?:instructions?|consignes|règles)|^\W*(?:réponds|répondez|dis|dites) (?:que|avec|seulement|à)|\btu es (?:maintenant|désormais)\b/iu,
  /\b(?:ignora|olvida)\b[^.!?\n]{0,60}(?:instrucciones|reglas|istruzioni|regole)|^\W*(?:responde|rispondi|di|dile) (?:que|con|solo|al|che)\b/iu,
  /(?:игнорируй|забудь|проигнорируй)[^.!?\n]{0,60}(?:инструкц|правил|указан)|^\W*(?:ответь|отвечай|скажи)(?:,|\s)/iu,
  /(?:忽略|无视|忘记)[^。！？\n]{0,30}(?:指令|指示|规则|提示)|(?:指示|命令|ルール)[^。！？\n]{0,12}無視|(?:と|って)(?:答え|回答し)(?:て|なさい|ろ)/u,
];

/** Orders that letters give to people, too: they take no other sentence with them. */
const ORDERS: readonly RegExp[] = [
  /^\W*(?:(?:please|now|instead|then|and|first|also|always|you (?:must|should|will|shall|have to)|the (?:assistant|ai|model) (?:must|should|will|shall))[\s,]+)*(?:answer|respond|reply|say|output|print|tell (?:the )?(?:user|person|reader|them|him|her|people)|state|claim|repeat|translate|summari[sz]e|write|insert|append|include|begin|start|end|conclude|finish)\b[^.!?\n]{0,30}?(?:\b(?:that|only|exactly|the (?:following|words?|phrase|sentence)|your (?:answer|reply|response|output))\b|["“:])/iu,
];

/** Words that tell a question about such orders from one that shares a word with them by chance. */
const ABOUT_ORDERS =
  /(?<!\p{L})(?:ignor|disregard|overrid|bypass|instruct|prompt|inject|anweisung|assistant|chatbot|jailbreak|consignes|instruccion|инструкц|指令|指示)/iu;

/** Sentences after such a one, in the same paragraph, that may belong to it. */
const FOLLOWERS = 3;

/** Whether a sentence gives orders to whoever reads it for somebody else. */
export const speaksToModel = (sentence: string): boolean =>
  [...TO_A_MODEL, ...ORDERS].some((pattern) => pattern.test(sentence));

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
  let masked = text;
  let following = 0;
  let before = 0;
  for (const { start, end } of sentences) {
    const sentence = text.slice(start, end);
    if (/\n\s*\n/u.test(text.slice(before, start))) following = 0;
    before = end;
    following -= 1;
    if (TO_A_MODEL.some((pattern) => pattern.test(sentence))) following = FOLLOWERS;
    else if (following < 0 && !ORDERS.some((pattern) => pattern.test(sentence))) continue;
    masked = masked.slice(0, start) + sentence.replace(/[^\n]/g, ' ') + masked.slice(end);
  }
  return masked;
}

/** Passages without the sentences that speak to a model: for answers put together from sentences. */
export function withoutOrders(
  passages: readonly RankedPassage[],
  question: string,
): RankedPassage[] {
  return passages.map((passage) => {
    const stated = withoutInstructions(passage.text, splitSentences(passage.text), question);
    const sentences = passage.sentences.filter(
      ({ start, end }) => stated.slice(start, end) === passage.text.slice(start, end),
    );
    return { ...passage, sentences };
  });
}
