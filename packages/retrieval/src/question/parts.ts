import { standaloneQuestion } from './follow-up.ts';

/** One of the questions that somebody asked in one go. */
export interface QuestionPart {
  /** The part as a question that can be understood, and searched for, without the others. */
  text: string;
  /** As it was asked, without what joins it to the others: how it is spoken of. */
  asked: string;
}

/** Parts that are told apart at most; what else is asked stays with the last one. */
const MOST_PARTS = 4;
/** Places looked at where a question might be cut. */
const MOST_JOINTS = 40;

const QUESTION_WORD = String.raw`(?:who|whom|whose|what|when|where|why|which|how|wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|wieso|weshalb|welche[rsmn]?|wie|wieviele?|qui|quand|où|pourquoi|comment|combien|quell?e?s?|quién(?:es)?|qué|cuándo|dónde|cómo|cuánt[oa]s?|cuál(?:es)?|chi|cosa|quando|dove|perché|come|quant[oaie]|quale|quali|кто|что|когда|где|куда|почему|как(?:ой|ая|ое|ие)?|сколько)`;
const PREPOSITION = String.raw`(?:(?:in|on|at|by|from|to|for|with|of|since|until|under|about|bis|seit|ab|von|vom|für|mit|bei|aus|nach|zu|um|de|à|pour|avec|depuis|por|para|con|desde|per|da|в|на|с|для)\s+)?`;
const AND = String.raw`(?:and(?:\s+also|\s+then)?|und(?:\s+auch)?|et|y|e|и|sowie)`;
const BEGINS_QUESTION = new RegExp(`^${PREPOSITION}${QUESTION_WORD}(?!\\p{L})`, 'iu');
const HAS_QUESTION = new RegExp(`(?<!\\p{L})${QUESTION_WORD}(?!\\p{L})`, 'iu');
const NEXT_QUESTION = new RegExp(
  `(?:(?:(?<!\\s)\\s+)?[,;]\\s*|(?<!\\s)\\s+)${AND}\\s+(?=${PREPOSITION}${QUESTION_WORD}\\s)`,
  'giu',
);
const LISTED_QUESTION = new RegExp(
  `(?:(?<!\\s)\\s+)?[,;]\\s*(?=${PREPOSITION}${QUESTION_WORD}\\s)`,
  'giu',
);
const ASKS =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|tell|give|show|list|name|describe|explain|find|summari[sz]e|ist|sind|war|hat|haben|kann|darf|muss|gibt|nenne|zeige?|erkläre|beschreibe|liste|est|sont|peut|donne|es|son|hay|puede|dime)(?!\p{L})/iu;
const FINITE =
  /(?<!\p{L})(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|ist|sind|war|waren|hat|haben|kann|darf|muss|wird|wurden?|kostet|dauert|endet|beginnt|est|sont|était|a|ont|coûte|es|son|era|fue|cuesta|dura|è|sono|costa)(?!\p{L})/iu;
/** Words that may ask for a thing of a clause still to come: 'What colour and what size is it?' */
const NEEDS_VERB =
  /^(?:what|which|how|whose|welche[rsmn]?|wie|quell?e?s?|combien|cuánt[oa]s?|qué|quant[oaie]|quale)\s/iu;
const ENDS_ASKING = new RegExp(`(?<!\\p{L})${QUESTION_WORD}$`, 'iu');
const ASKS_HOW_IT_CAME =
  /^(?:when|where|why|wann|wo|warum|quand|où|cuándo|dónde|quando|dove|когда|где)\s/iu;

/** 'When and where was it built?': two ways to ask one thing. */
const TWO_WORDS =
  /^(when|where|why|how|who|wann|wo|warum|wie|wer|quand|où|pourquoi|cuándo|dónde|quando|dove)\s+(?:and|und|et|y|e)\s+(when|where|why|how|who|wann|wo|warum|wie|wer|quand|où|pourquoi|cuándo|dónde|quando|dove)\s+(\S+\s+\S.*)$/iu;

const COMPARE =
  /^(?:please\s+|bitte\s+)?(?:compare|vergleiche?n?|comparer?|comparez|compara|confronta)\s+(\S.*)$/iu;
/** What parts the two sides of a comparison; the plain 'and' only where there is but one. */
const SIDES = [
  /(?<!\s)\s+(?:with|versus|vs\.?|against|mit|gegenüber|avec|con)\s+/iu,
  /(?<!\s)\s+(?:and|und|et|y|e|to)\s+/iu,
];
/** 'the rent in Berlin' and 'Munich': what stands before the one belongs to the other, too. */
const SHARED_HEAD =
  /^(.*\s(?:of|in|for|at|on|from|under|von|für|im|der|des|de|du|en|del|di|per))\s+\S/iu;

/** 'What are the rent, the deposit and the notice period of the flat?' */
const LISTED_THINGS =
  /^((?:what|how (?:much|high|long|big)|was|wie (?:hoch|lang|lange|groß)|quels?|quelles?|cuáles)\s+(?:is|are|was|were|ist|sind|war|waren|sont|son|est|es))\s+(\S.*)$/iu;
const THING =
  /^(?:the|my|our|your|its|his|her|their|der|die|das|mein|meine|unsere?|ihre?|le|la|les|el|los|las)(?:\s+[\p{L}\p{N}'’-]+){1,3}$/iu;
const TAIL =
  /^(.*?)(\s(?:of|in|for|at|on|from|under|according to|von|vom|für|im|in|der|des|bei|laut|de|du|des|en|del)\s.+)$/isu;

const wordCount = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const trimmed = (text: string): string =>
  text.replace(/^[\s,;]+/u, '').replace(/(?<![\s,;.?!？؟])[\s,;.?!？؟]+$/u, '');

/** 'a? b?' and numbered lines; what follows the last question mark and asks nothing stays with it. */
function bySentences(text: string): string[] {
  const pieces = text
    .split(/(?<=[?？؟])\s*(?=\S)|\n+/u)
    .map((piece) => piece.replace(/^\s*(?:\d{1,2}[.)]|[-*•])\s+/u, '').trim())
    .filter(Boolean);
  const whole: string[] = [];
  for (const piece of pieces) {
    const asks = /[?？؟]$/u.test(piece) || BEGINS_QUESTION.test(piece) || ASKS.test(piece);
    const says =
      wordCount(piece) > 1 || /[\p{scx=Han}\p{scx=Hiragana}\p{Script=Thai}]/u.test(piece);
    if (whole.length === 0 || (asks && says)) whole.push(piece);
    // 'Thanks!' asks nothing.
    else if (asks || wordCount(piece) > 2) whole.push(`${whole.pop() ?? ''} ${piece}`);
  }
  return whole;
}

/** Cuts where a second clause asks anew, if what stands before it asks something, too. */
function byClauses(text: string): string[] {
  const parts = cutAt(text, NEXT_QUESTION);
  return parts.length === 1 ? parts : parts.flatMap((part) => cutAt(part, LISTED_QUESTION));
}

function cutAt(text: string, joint: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(joint).take(MOST_JOINTS)) {
    const left = text.slice(from, match.index);
    const right = text.slice(match.index + match[0].length);
    // 'and what?' asks for a word of the same clause.
    const least = ASKS_HOW_IT_CAME.test(right) ? 2 : 3;
    if (!isClause(left.trim()) || wordCount(right) < least) continue;
    parts.push(left);
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

function isClause(text: string): boolean {
  if (ENDS_ASKING.test(text) || wordCount(text) < 3) return false;
  if (!HAS_QUESTION.test(text) && !ASKS.test(text)) return false;
  return !NEEDS_VERB.test(text) || FINITE.test(text) || wordCount(text) > 5;
}

function byQuestionWords(text: string): string[] {
  const [, first, second, rest] = TWO_WORDS.exec(text) ?? [];
  const alike = first?.toLowerCase() === second?.toLowerCase();
  return rest === undefined || alike ? [text] : [`${first} ${rest}`, `${second} ${rest}`];
}

function byComparison(text: string): string[] {
  const compared = COMPARE.exec(trimmed(text))?.[1];
  if (compared === undefined) return [text];
  for (const side of SIDES) {
    const sides = compared.split(side);
    const [one = '', other = ''] = sides.map(trimmed);
    if (sides.length !== 2 || one.toLowerCase() === other.toLowerCase()) continue;
    const head = /^(?:the|that|der|die|das|le|la|el)\s/iu.test(other)
      ? undefined
      : SHARED_HEAD.exec(one)?.[1];
    return [one, head === undefined || SHARED_HEAD.test(other) ? other : `${head} ${other}`];
  }
  return [text];
}

function byThings(text: string): string[] {
  const [, head, list] = LISTED_THINGS.exec(trimmed(text)) ?? [];
  if (head === undefined || list === undefined) return [text];
  const things = list.split(
    /(?:(?<!\s)\s+)?,\s*(?:(?:and|und|et|y)\s+)?|(?<!\s)\s+(?:and|und|et|y)\s+/iu,
  );
  if (things.length < 2) return [text];
  const [, thing, tail] = TAIL.exec(things.at(-1) ?? '') ?? [];
  const plain = tail === undefined ? things : [...things.slice(0, -1), thing ?? ''];
  if (!plain.every((item) => THING.test(item))) return [text];
  return plain.map((item) => `${head} ${item}${tail ?? ''}`);
}

/**
 * Takes apart what asks for several things: 'What is the rent and when is it due?', 'Compare the
 * rent in Berlin and Munich', two questions in a row. Each part is made whole: 'when is it due'
 * becomes 'when is the rent due'. Names joined by 'and' stay as they are, and so does 'between A and B'.
 * @returns one part for a question that asks for one thing
 */
export function splitQuestion(text: string): QuestionPart[] {
  let pieces = bySentences(text);
  for (const split of [byClauses, byQuestionWords, byComparison, byThings]) {
    pieces = pieces.flatMap(split);
  }
  const asked = pieces.map(trimmed).filter(Boolean);
  if (asked.length < 2) return [{ text, asked: trimmed(text) }];
  const kept = asked.slice(0, MOST_PARTS);
  if (asked.length > MOST_PARTS) {
    kept.push(`${kept.pop() ?? ''}, ${asked.slice(MOST_PARTS).join(', ')}`);
  }
  const parts: QuestionPart[] = [];
  for (const part of kept) {
    const before = parts.map((earlier) => ({ question: earlier.text, answer: '' }));
    parts.push({ text: standaloneQuestion(part, before), asked: part });
  }
  return parts;
}
