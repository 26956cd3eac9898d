import { typesOfKind, type Question } from '@engram/contract';
import type { Wish } from '../suggestions/wishes.ts';

interface Option {
  optionId: string;
  optionText: string;
  /** What a user who chooses it is recommended first; null changes nothing. */
  wish: Wish | null;
}

interface OnboardingQuestion extends Question {
  options: Option[];
}

const option = (optionId: string, optionText: string, wish: Wish | null): Option => ({
  optionId,
  optionText,
  wish,
});

/**
 * The questions to a new user. Ids are stored with the answers, so a text may change and an id may not.
 */
export const QUESTIONS: readonly OnboardingQuestion[] = [
  {
    questionId: 'files',
    question: 'What will you keep in Engram, most of all?',
    options: [
      option('work', 'Documents and papers for work', {
        fileTypes: [...typesOfKind('document', 'slides', 'spreadsheet')],
        keywords: ['work'],
      }),
      option('household', 'Household papers, contracts and bills', {
        fileTypes: [...typesOfKind('pdf', 'image', 'mail')],
        keywords: ['personal'],
      }),
      option('studies', 'Studies and research', { fileTypes: ['pdf'], keywords: ['education'] }),
      option('notes', 'Notes and journals', { fileTypes: ['txt'], keywords: [] }),
      option('mix', 'A bit of everything', null),
    ],
  },
  {
    questionId: 'look-up',
    question: 'What do you look up most often?',
    options: [
      option('figures', 'Facts, figures and amounts', { subjects: ['amount'] }),
      option('dates', 'Dates and deadlines', { subjects: ['date'] }),
      option('people', 'People and who does what', { subjects: ['name'] }),
      option('instructions', 'How something is done', { subjects: ['steps', 'heading'] }),
      option('meanings', 'What something is, and why', { subjects: ['phrase', 'heading'] }),
    ],
  },
  {
    questionId: 'subject',
    question: 'Which subject matters most to you right now?',
    options: [
      option('work', 'Work and money', { keywords: ['work', 'finance'] }),
      option('health', 'Health', { keywords: ['health'] }),
      option('travel', 'Travel', { keywords: ['travel'] }),
      option('learning', 'Learning', { keywords: ['education'] }),
      option('none', 'None in particular', null),
    ],
  },
  {
    questionId: 'detail',
    question: 'What should Engram suggest you ask?',
    options: [
      option('exact', 'Questions about one exact detail', {
        subjects: ['amount', 'date', 'field'],
      }),
      option('overview', 'Questions that give an overview', { subjects: ['title', 'heading'] }),
      option('mix', 'A good mix of both', null),
    ],
  },
  {
    questionId: 'age',
    question: 'Which files should Engram remind you of?',
    options: [
      option('newest', 'The ones I added last', null),
      option('older', 'Older ones that I may forget', { older: true }),
      option('any', 'It does not matter', null),
    ],
  },
];
