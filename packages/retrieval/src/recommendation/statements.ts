import { certain, definite, SUBJECT } from './subject.ts';
import { template } from './template.ts';
import type { Template } from './template.ts';

const pairs = (words: string): ReadonlyMap<string, string> =>
  new Map(words.split(/\s+/u).map((pair) => pair.split(':') as [string, string]));

const STATES =
  pairs(`provides:provide allows:allow enables:enable prohibits:prohibit protects:protect
defines:define describes:describe explains:explain recommends:recommend governs:govern regulates:regulate
forbids:forbid guarantees:guarantee manages:manage publishes:publish teaches:teach produces:produce`);
const STATED =
  pairs(`argued:argue claimed:claim stated:state found:find held:hold showed:show suggested:suggest
estimated:estimate concluded:conclude noted:note reported:report announced:announce proposed:propose
demonstrated:demonstrate predicted:predict recommended:recommend warned:warn became:become invented:invent
discovered:discover wrote:write designed:design built:build founded:found won:win created:create published:publish
introduced:introduce developed:develop produced:produce rejected:reject banned:ban`);
const COMPLEMENTS =
  'part of|home to|made of|made from|made up of|derived from|based on|divided into|composed of|associated with|responsible for|known for|best known for|well known for|famous for|named after|designed for|designed to|intended for|dedicated to|characterized by|characterised by|caused by|surrounded by|connected to|bordered by|similar to|limited to|replaced by|followed by|preceded by|opposed to|required for|measured by|measured in';
const joined = (words: Iterable<string>): string => [...words].join('|');

/** What questions are made of English sentences by that state something of a certain thing. */
export const ENGLISH_STATEMENTS: readonly Template[] = [
  template(
    'complement',
    new RegExp(`^${SUBJECT} (is|are|was|were) (${COMPLEMENTS}) \\p{L}`, 'u'),
    definite,
    (subject, [verb = '', complement = '']) => `What ${verb} ${subject} ${complement}?`,
  ),
  template(
    'states',
    new RegExp(
      `^${SUBJECT} (${joined(STATES.keys())}) (?!for\\b|to\\b|in\\b|by\\b)\\p{L}[^.]{12,}`,
      'u',
    ),
    certain,
    (subject, [verb = '']) => `What does ${subject} ${STATES.get(verb) ?? verb}?`,
  ),
  template(
    'stated',
    new RegExp(
      `^${SUBJECT} (?:\\p{Ll}+ly )?(${joined(STATED.keys())}) (?!in\\b|by\\b|on\\b|at\\b|for\\b|to\\b|with\\b)\\p{L}[^.]{12,}`,
      'u',
    ),
    certain,
    (subject, [verb = '']) => `What did ${subject} ${STATED.get(verb) ?? verb}?`,
  ),
];
