import { stopWords } from '../analysis/languages.ts';
import { wordSet } from './template.ts';

/** What may be the subject of a sentence. */
export const SUBJECT = String.raw`((?:(?:The|An?) )?(?:[\p{Lu}\p{N}][\p{L}\p{N}'’.&-]*|[\p{L}\p{N}'’-]+)(?: [\p{L}\p{N}'’.&-]+){0,5}?)`;

/** 'Duck' in 'Duck is a 2019 film': asked without its article it is no English. */
export const isBareName = (subject: string): boolean => /^\p{L}+$/u.test(subject);

const POINTERS = wordSet(
  `it this that these those he she they we i you there here his her its their our my your such what who
which one another some many most all each both other others first second third last next he's it's
if when while although since because as in on at for with by from to and but or so however none neither either
every everyone no not nothing anything something part much more another yet still then thus`,
);
/** A subject that holds one of these is a clause, or two nouns that do not agree with the verb. */
const CLAUSE_WORDS =
  /\b(?:that|which|who|whose|when|where|if|because|is|are|was|were|has|have|had|will|would|can|could|and|or|but|also|not|as|than|said|says|with|from|by|to|in|on|at|his|her|their|its|this|these|our|my|your|only|main|same|following|above|below|often|usually|sometimes|later|still|reason|problem|question|thing|way|aspect|example|kind|type|after|before|during|until|under|over|between|about|against|through|since|into|upon|within|without|despite|due|result|answer|point|goal|idea|difference|fact|first|second|third|last|next|another|other|latter|former)\b/iu;
/** Words that only the text around a sentence gives a meaning. */
export const POINTING =
  /\b(?:it|this|that|these|those|he|she|they|him|them|his|her|its|their|here|there|such|same|former|latter|above|below|following|i|we|our|my|us|me)\b/iu;

/** Words in -ly and -ing that are part of a thing's name. */
const NOUNS =
  wordSet(`monthly yearly weekly daily quarterly hourly early family supply assembly meeting building
training heating parking wedding evening morning hearing ceiling opening painting ring king spring string wing
housing lighting filing warning booking funding pricing briefing offering clothing banking shipping printing
engineering marketing accounting planning hosting reading writing landing rating setting finding cleaning
swimming dining living hiring catering billing mailing ruling pudding stuffing filling`);

/** One word that begins a sentence, and would be small within it. */
const ABSTRACT =
  /^(?:\p{Lu}\p{Ll}+(?:ion|ment|ity|ing|ness|ship|ance|ence|ure|th|ics|s|ism|al|er|y))$/u;

/** The subject as it stands within a question; null where it says too little by itself. */
export function subjectOf(text: string): string | null {
  const words = text.trim().split(' ');
  const first = (words[0] ?? '').toLowerCase();
  if (POINTERS.has(first) || CLAUSE_WORDS.test(text) || POINTING.test(text)) return null;
  // A second article begins another name, but for 'the bank of the river'; 'Traditionally' is none.
  if (/(?<!\bof) (?:the|an?) /iu.test(text) || /^\p{Lu}\p{Ll}+ly$/u.test(words[0] ?? ''))
    return null;
  const article = /^(?:the|an?)$/u.test(first);
  const bare = article ? words.slice(1) : words;
  const content = bare.filter((word) => !stopWords('en').has(word.toLowerCase()));
  if (content.length === 0 || content.join('').length < 3) return null;
  if (bare.some((word) => /^\p{Ll}+(?:ly|ing)$/u.test(word) && !NOUNS.has(word))) return null;
  // 'The company', 'A result': only the text around it says which.
  if (article && content.length === 1 && !/^\p{Lu}/u.test(content[0] ?? '')) return null;
  if (/\bof the \p{Ll}+$/u.test(text) || (bare.length === 1 && !article && ABSTRACT.test(text)))
    return null;
  if (article) return [first, ...bare].join(' ');
  if (!/^\p{Lu}[\p{Ll}-]+$/u.test(bare[0] ?? '') || !/^\p{Ll}/u.test(bare[1] ?? ''))
    return bare.join(' ');
  // 'Korean economist Hoesung Lee': what begins the sentence may be a name or not.
  if (/^\p{Lu}/u.test(bare.at(-1) ?? '')) return null;
  return [(bare[0] ?? '').toLowerCase(), ...bare.slice(1)].join(' ');
}

/** The name of one certain thing. */
export const definite = (text: string): string | null => {
  const subject = subjectOf(text);
  return subject === null || /^an? /u.test(subject) ? null : subject;
};

/** … that does things: a name, or 'the' and what it is. */
export const certain = (text: string): string | null => {
  const subject = definite(text);
  return subject !== null && /^(?:the |\p{Lu}|\p{N})/u.test(subject) ? subject : null;
};
