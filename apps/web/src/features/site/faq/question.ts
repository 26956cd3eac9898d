import type { ReactNode } from 'react';
import type { AppSettings } from '../../../api/settings.ts';

/** A question with its answer. Some answers depend on how this server is set up. */
export interface Question {
  /** Its address on the page, after the '#'. */
  id: string;
  question: string;
  answer: (settings: AppSettings) => ReactNode;
}

/** A tab of the page. */
export interface Topic {
  id: string;
  label: string;
  questions: readonly Question[];
}
