import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankFollowUp } from '../../ranking/follow-up.ts';
import { standaloneQuestion } from '../follow-up.ts';
import { rankPassages } from '../../ranking/rank.ts';
import { findPassages } from '../../testing.ts';
import { topicOf } from '../topic.ts';

const after = (question: string, text: string, answer = ''): string =>
  standaloneQuestion(text, [{ question, answer }]);

describe('a question that leans on the one before', () => {
  it.each([
    [
      'What is the rent of the flat in Berlin?',
      'and when is it due?',
      'when is the rent of the flat in Berlin due?',
    ],
    ['When does the lease end?', 'Who signed it?', 'Who signed the lease?'],
    ['What law did Maria Gold sign?', 'When was it changed?', 'When was law Maria Gold changed?'],
    ['What law did Maria Gold sign?', 'Where does she live?', 'Where does Maria Gold live?'],
    ['What color is the car?', 'Who owns it?', 'Who owns the car?'],
    [
      'Is the flat furnished?',
      'How many rooms does it have?',
      'How many rooms does the flat have?',
    ],
    ['When was Goethe born?', 'Where did he die?', 'Where did Goethe die?'],
    [
      'Where did Anna Smith study medicine?',
      'And when did she graduate?',
      'when did Anna Smith graduate?',
    ],
    [
      'When are travel expenses refunded?',
      'Who gets the receipts for them?',
      'Who gets the receipts for travel expenses?',
    ],
    ['How much does the plan cost?', 'What are its limits?', 'What are the plan’s limits?'],
    ['Wann beginnt der Mietvertrag?', 'und wann endet er?', 'wann endet der Mietvertrag?'],
    ['Was kostet die Versicherung?', 'Was deckt sie?', 'Was deckt die Versicherung?'],
    ['Wie hoch ist die Miete?', 'Und wann ist sie fällig?', 'wann ist die Miete fällig?'],
    [
      'Quel est le loyer de l’appartement ?',
      'et quand est-il dû ?',
      'quand est le loyer de l’appartement dû?',
    ],
  ])('gets the thing it speaks of: %s %s', (question, text, whole) => {
    expect(after(question, text)).toBe(whole);
  });

  it.each([
    ['What was the revenue in 2023?', 'and in 2024?', 'What was the revenue in 2024?'],
    ['What was the revenue in 2023?', 'In 2024?', 'What was the revenue in 2024?'],
    [
      'How much did we spend at Green Door in March 2024 altogether?',
      'and in November?',
      'How much did we spend at Green Door in November 2024 altogether?',
    ],
    ['What is due on 5 May 2024?', 'and on 7 June?', 'What is due on 7 June 2024?'],
    [
      'Was kostete der Strom im März 2024?',
      'und im April?',
      'Was kostete der Strom im April 2024?',
    ],
    ['What is the rent in Munich?', 'what about Berlin?', 'What is the rent in Berlin?'],
    ['What is the rent of the office?', 'And of the flat?', 'What is the rent of the flat?'],
    ['What is the rent?', 'And in Berlin?', 'What is the rent in Berlin?'],
    [
      'How much does the basic plan cost?',
      'And the premium plan?',
      'How much does the premium plan cost?',
    ],
    [
      'What is the rent of the flat in Berlin?',
      'And the deposit?',
      'What is the deposit of the flat in Berlin?',
    ],
    ['When does the lease end?', 'Why?', 'Why does the lease end?'],
    ['Wie hoch ist die Miete in Berlin?', 'und in München?', 'Wie hoch ist die Miete in München?'],
    [
      'Wie hoch ist die Kaution für die Wohnung?',
      'Und die Miete?',
      'Wie hoch ist die Miete für die Wohnung?',
    ],
    ['¿Cuánto cuesta el plan básico?', '¿y el plan premium?', 'Cuánto cuesta el plan premium?'],
  ])('takes the place of what it replaces: %s %s', (question, text, whole) => {
    expect(after(question, text)).toBe(whole);
  });

  it('is about what the other clause does not name', () => {
    expect(after('When does the course take place?', 'and on what day is it?')).toContain('course');
    expect(after('Who gets the deposit?', 'Does the landlord keep it?')).toContain('deposit');
  });

  it('is about whom the answer named', () => {
    const said = 'The landlord is Bob Jones, of 5 High Street. [1]';
    expect(after('Who is the landlord?', 'What is his phone number?', said)).toBe(
      'What is Bob Jones’s phone number?',
    );
  });

  it('is made whole through questions that leaned on others themselves', () => {
    const turns = [
      { question: 'How much does the basic plan cost?', answer: '' },
      { question: 'And the premium plan?', answer: '' },
    ];
    expect(standaloneQuestion('How much data does it include?', turns)).toBe(
      'How much data does the premium plan include?',
    );
  });
});

describe('a question that stands on its own', () => {
  it.each([
    'What is the deposit of the flat in Munich?',
    'Is there a parking space at the office?',
    'Gibt es einen Parkplatz am Büro?',
    'electricity provider',
    'Who wrote the annual report?',
    '家賃はいくらですか？',
    'What does the contract say about its termination?',
    'Why did the firm change its name?',
    'Which employees have finished their probation?',
    'Who painted the Mona Lisa and when did he die?',
    'What is IT security?',
    'How far is it from Berlin to Hamburg?',
    'What time is it in Tokyo when the call starts?',
    'Is it possible to work from home?',
    'Welche Mitarbeiter haben ihre Probezeit beendet?',
    'Warum hat die Firma ihren Namen geändert?',
    'Welche Unterlagen brauchen Sie von mir?',
    'Comment la société a-t-elle changé son nom ?',
  ])('stays as it is: %s', (text) => {
    expect(after('When does the lease end?', text)).toBe(text);
  });

  it('stays as it is when nothing was asked before', () => {
    expect(standaloneQuestion('when is it due?', [])).toBe('when is it due?');
  });
});

it.each([
  ['What is the rent of the flat in Berlin?', 'the rent of the flat in Berlin'],
  ['How much does the premium plan cost?', 'the premium plan'],
  ['Who wrote the report?', 'the report'],
  ['At what age did President Biden get elected?', 'President Biden'],
  ['Wie hoch ist die Kaution für die Wohnung?', 'die Kaution für die Wohnung'],
  ['why?', ''],
])('%s is about %s', (question, topic) => {
  expect(topicOf(question)).toBe(topic);
});

it('any two questions give a bounded one', () => {
  const scrap = fc.constantFrom(
    'it',
    'and',
    'what about',
    'Berlin',
    'the rent',
    'er',
    'und',
    'in 2024',
    '?',
    ' ',
    'his',
    'is',
    '$&',
    'le',
    'il',
  );
  const text = fc
    .array(fc.oneof(scrap, fc.string({ maxLength: 6 })), { maxLength: 30 })
    .map((list) => list.join(' '));
  fc.assert(
    fc.property(text, text, text, (question, answer, next) => {
      const whole = after(question, next, answer);
      expect(whole.length).toBeLessThanOrEqual(Math.max(400, next.length));
    }),
    { numRuns: 300 },
  );
});

it('files that the answer cites come first, what it quoted already comes later', () => {
  const files = [
    { name: 'a.txt', blocks: ['The rent is 900 EUR.', 'The rent is due in May.'] },
    { name: 'b.txt', blocks: ['The rent is 950 EUR.'] },
  ];
  const { question, passages } = findPassages(files, 'What is the rent?');
  const ranked = rankPassages(question, passages);
  const quote = { artifactId: 'artifact-0', start: 0, end: 20 };
  const [first] = rankFollowUp(ranked, [quote]);
  const before = ranked.find(({ artifactId }) => artifactId === 'artifact-0');
  const gain = (start: number): number => {
    const of = (passage: typeof first): number =>
      passage?.sentences.find((sentence) => sentence.start === start)?.score ?? NaN;
    return of(first) / of(before);
  };
  expect(first?.artifactId).toBe('artifact-0');
  expect(gain(0)).toBeLessThan(1);
  expect(gain(22)).toBeGreaterThan(1);
});
