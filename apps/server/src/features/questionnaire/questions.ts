import { typesOfKind, type Question } from '@engram/contract';
import type { Wish } from '../suggestions/wishes.ts';

interface Option {
  optionId: string;
  optionText: string;
  /** What whoever chooses it would rather be recommended; null changes nothing. */
  wish: Wish | null;
}

interface OnboardingQuestion extends Question {
  options: Option[];
}

/**
 * What a person is asked at the start. Every answer brings recommended questions forward; ids are
 * kept with the answers, so a text may change and an id may not.
 */
export const QUESTIONS: readonly OnboardingQuestion[] = [
  {
    questionId: 'files',
    question: 'What will you keep in Engram, most of all?',
    options: [
      {
        optionId: 'work',
        optionText: 'Documents and papers for work',
        wish: {
          fileTypes: [...typesOfKind('document', 'slides', 'spreadsheet')],
          keywords: ['work'],
        },
      },
      {
        optionId: 'household',
        optionText: 'Household papers, contracts and bills',
        wish: { fileTypes: [...typesOfKind('pdf', 'image', 'mail')], keywords: ['personal'] },
      },
      {
        optionId: 'studies',
        optionText: 'Studies and research',
        wish: { fileTypes: ['pdf'], keywords: ['education'] },
      },
      {
        optionId: 'notes',
        optionText: 'Notes and journals',
        wish: { fileTypes: ['txt'], keywords: [] },
      },
      { optionId: 'mix', optionText: 'A bit of everything', wish: null },
    ],
  },
  {
    questionId: 'look-up',
    question: 'What do you look up most often?',
    options: [
      {
        optionId: 'figures',
        optionText: 'Facts, figures and amounts',
        wish: { subjects: ['amount'] },
      },
      { optionId: 'dates', optionText: 'Dates and deadlines', wish: { subjects: ['date'] } },
      { optionId: 'people', optionText: 'People and who does what', wish: { subjects: ['name'] } },
      {
        optionId: 'instructions',
        optionText: 'How something is done',
        wish: { subjects: ['steps', 'heading'] },
      },
      {
        optionId: 'meanings',
        optionText: 'What something is, and why',
        wish: { subjects: ['phrase', 'heading'] },
      },
    ],
  },
  {
    questionId: 'subject',
    question: 'Which subject matters most to you right now?',
    options: [
      {
        optionId: 'work',
        optionText: 'Work and money',
        wish: { keywords: ['work', 'finance'] },
      },
      { optionId: 'health', optionText: 'Health', wish: { keywords: ['health'] } },
      { optionId: 'travel', optionText: 'Travel', wish: { keywords: ['travel'] } },
      { optionId: 'learning', optionText: 'Learning', wish: { keywords: ['education'] } },
      { optionId: 'none', optionText: 'None in particular', wish: null },
    ],
  },
  {
    questionId: 'detail',
    question: 'What should Engram suggest you ask?',
    options: [
      {
        optionId: 'exact',
        optionText: 'Questions about one exact detail',
        wish: { subjects: ['amount', 'date', 'field'] },
      },
      {
        optionId: 'overview',
        optionText: 'Questions that give an overview',
        wish: { subjects: ['title', 'heading'] },
      },
      { optionId: 'mix', optionText: 'A good mix of both', wish: null },
    ],
  },
  {
    questionId: 'age',
    question: 'Which files should Engram remind you of?',
    options: [
      { optionId: 'newest', optionText: 'The ones I added last', wish: null },
      { optionId: 'older', optionText: 'Older ones that I may forget', wish: { older: true } },
      {
        optionId: 'any',
        optionText: 'It does not matter',
        wish: null,
      },
    ],
  },
];
