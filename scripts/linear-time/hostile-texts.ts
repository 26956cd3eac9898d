import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Signs of every kind that patterns tell apart. */
const PROBES = [...' \t\nax A7.,;:-_/\\([{<>"\'*#@|=&%!?+~`^$€éß中あБא\u0301\u{1F600}'];
/** What a repetition may end in so that the whole does not match. */
const ENDS = ['', '\u0000', '!\n', 'a '];
/** A repetition with so high a bound is as good as one without. */
const MANY = 30;
const MOST_SAMPLES = 5;
const MOST_TEXTS = 160;

const ends = (samples: readonly string[]): string[] => [
  ...new Set([...samples.slice(0, 1), ...samples.slice(-1)]),
];

/** The first ones and the last. */
function few(samples: Iterable<string>): string[] {
  const different = [...new Set(samples)];
  const { length } = different;
  return length <= MOST_SAMPLES
    ? different
    : [...different.slice(0, MOST_SAMPLES - 1), ...different.slice(-1)];
}

/** The first two joined, then each with the other's first, and the last two. */
function joined(before: readonly string[], after: readonly string[]): string[] {
  const [first = ''] = before;
  const [next = ''] = after;
  const last = (before.at(-1) ?? '') + (after.at(-1) ?? '');
  return few([...before.map((each) => each + next), ...after.map((each) => first + each), last]);
}

/** A repetition in a pattern: what may stand before it, and words that it repeats. */
interface Repetition {
  before: string[];
  words: string[];
}

/** Samples of what the parts of a pattern match, and its repetitions. */
function createWalk(flags: string) {
  const repetitions: Repetition[] = [];
  const own = flags.replaceAll(/[gyd]/gu, '');

  const signs = (node: AST.Element): string[] => {
    const alone = new RegExp(`^(?:${node.raw})$`, own);
    const matching = PROBES.filter((sign) => alone.test(sign));
    // The first and the last few: spaces and letters as well as rare signs.
    return few([...matching.slice(0, 3), ...matching.slice(-2)]);
  };

  /** The first has the least of everything, the last the most. */
  const sequence = ({ elements }: AST.Alternative, before: string[]): string[] => {
    let samples = [''];
    for (const element of elements) {
      const next = visit(element, joined(before, samples));
      samples = few(joined(samples, next));
    }
    return samples;
  };

  const either = (alternatives: readonly AST.Alternative[], before: string[]): string[] =>
    few(alternatives.flatMap((each) => ends(sequence(each, before))));

  function visit(node: AST.Element, before: string[]): string[] {
    switch (node.type) {
      case 'Character':
        return [String.fromCodePoint(node.value)];
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return signs(node);
      case 'Group':
      case 'CapturingGroup':
        return either(node.alternatives, before);
      case 'Quantifier': {
        const words = visit(node.element, before).filter(Boolean);
        if (node.max >= MANY) repetitions.push({ before, words });
        const least = words.map((word) => word.repeat(Math.max(1, node.min)));
        return node.min === 0 ? few(['', ...least]) : few(least);
      }
      case 'Assertion':
        if ('alternatives' in node) either(node.alternatives, before);
        return [''];
      case 'Backreference':
        return [''];
    }
  }

  return { repetitions, either };
}

/** A text that repeats something so many times. */
export type TextOf = (times: number) => string;

/**
 * Texts on which a backtracking engine has the most work with a pattern: each of its repetitions on
 * and on and then no match, its beginnings again and again, and each kind of sign by itself.
 */
export function hostileTexts({ source, flags }: RegExp): TextOf[] {
  const parser = new RegExpParser();
  const tree = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const { repetitions, either } = createWalk(flags);
  const wholes = either(tree.alternatives, ['']);
  const texts = new Map<string, TextOf>();
  const add = (before: string, word: string, end: string): void => {
    if (word === '') return;
    texts.set([before, word, end].join('\uFFFF'), (times) => before + word.repeat(times) + end);
  };
  for (const { before, words } of repetitions) {
    for (const start of ends(before)) {
      for (const word of words) for (const end of ENDS) add(start, word, end);
    }
  }
  for (const { before, words } of repetitions) {
    for (const start of ends(before)) {
      add('', start, '!\n');
      for (const word of ends(words)) add('', start + word, '\u0000');
    }
  }
  for (const whole of wholes) add('', whole, '!\n');
  const literal = [...source].filter((sign) => !/[\p{L}\p{N}]/u.test(sign));
  for (const sign of new Set([...PROBES, ...literal])) add('', sign, '\u0000');
  return [...texts.values()].slice(0, MOST_TEXTS);
}
