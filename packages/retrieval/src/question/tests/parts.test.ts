import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitQuestion } from '../parts.ts';

const textsOf = (question: string): string[] => splitQuestion(question).map(({ text }) => text);

describe('a question that asks for several things', () => {
  it.each([
    ['What is the rent and when is it due?', ['What is the rent', 'when is the rent due?']],
    [
      'Who is the landlord, what is the rent, and when does the lease end?',
      ['Who is the landlord', 'what is the rent', 'when does the lease end'],
    ],
    [
      'Is the flat furnished and when can I move in?',
      ['Is the flat furnished', 'when can I move in'],
    ],
    ['What is the rent? Who is the landlord?', ['What is the rent', 'Who is the landlord']],
    ['What is the rent? Who is the landlord? Thanks!', ['What is the rent', 'Who is the landlord']],
    ['1. What is the rent?\n2. Who is the landlord?', ['What is the rent', 'Who is the landlord']],
    ['When and where was Goethe born?', ['When was Goethe born', 'where was Goethe born']],
    ['Who founded Acme and who runs it today?', ['Who founded Acme', 'who runs Acme today?']],
    [
      'What are the rent, the deposit and the notice period of the flat?',
      [
        'What are the rent of the flat',
        'What are the deposit of the flat',
        'What are the notice period of the flat',
      ],
    ],
    ['Compare the rent in Berlin and Munich', ['the rent in Berlin', 'the rent in Munich']],
    ['Compare the Basic plan with the Premium plan.', ['the Basic plan', 'the Premium plan']],
    [
      'Compare Johnson and Johnson with Procter and Gamble',
      ['Johnson and Johnson', 'Procter and Gamble'],
    ],
    [
      'Wie hoch ist die Miete und wann ist sie fällig?',
      ['Wie hoch ist die Miete', 'wann ist die Miete fällig?'],
    ],
    ['Wann und wo wurde Goethe geboren?', ['Wann wurde Goethe geboren', 'wo wurde Goethe geboren']],
    ['Quel est le loyer et quand est-il dû ?', ['Quel est le loyer', 'quand est le loyer dû?']],
    [
      '¿Cuánto cuesta el plan y cuándo termina?',
      ['¿Cuánto cuesta el plan', 'cuándo termina el plan?'],
    ],
    ['Сколько стоит аренда и когда её платить?', ['Сколько стоит аренда', 'когда её платить']],
    ['家賃はいくらですか？いつ払いますか？', ['家賃はいくらですか', 'いつ払いますか']],
  ])('is taken apart: %s', (question, parts) => {
    expect(textsOf(question)).toEqual(parts);
  });

  it('keeps for each part how it was asked', () => {
    const [, second] = splitQuestion('What is the rent and when is it due?');
    expect(second?.asked).toBe('when is it due');
  });

  it('has at most four parts; the last one holds the others', () => {
    const parts = textsOf('Who is A? Who is B? Who is C? Who is D? Who is E? Who is F?');
    expect(parts).toHaveLength(4);
    expect(parts[3]).toContain('Who is F');
  });
});

describe('a question that asks for one thing', () => {
  it.each([
    'What did Johnson and Johnson earn?',
    'How big is the research and development budget?',
    'What is the distance between A and B?',
    'What is the difference between the basic and the premium plan?',
    'What do cats and dogs eat?',
    'What color and what size is the box?',
    'After the merger of ABC and Capital Cities, what was the company called?',
    'Ctenophores, cnidarians and what other group are labelled diploblastic?',
    'Growth and income are a means rather than what?',
    'The term has been applied to western countries, and which eastern country?',
    'Which person and what did he?',
    'What happened and when?',
    'Who wrote War and Peace?',
    'Was kosten Strom und Gas?',
    'Wer ist der Mann, der die Firma gegründet hat?',
    'terms and conditions',
    'Compare',
    '?',
  ])('stays whole: %s', (question) => {
    expect(textsOf(question)).toEqual([question]);
  });

  it('stays whole whatever it says, and no part is ever empty', () => {
    const words = fc.constantFrom(
      'and',
      'what',
      'is',
      'the rent',
      'when',
      '?',
      ',',
      'Berlin',
      'und',
      'wann',
      'compare',
      'with',
      '家賃',
      '\n',
      '- ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string({ maxLength: 5 })), { maxLength: 25 }),
        (list) => {
          const text = list.join(' ').trim();
          const parts = splitQuestion(text);
          expect(parts.length).toBeGreaterThan(0);
          expect(parts.length).toBeLessThanOrEqual(4);
          const whole = parts.length === 1 ? parts[0]?.text : text;
          expect(whole).toBe(text);
          expect(parts.length > 1 && parts.some(({ asked }) => asked.trim() === '')).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
