import { listTypes, mediaTypesText } from '@engram/contract/browser';
import type { AppSettings } from '../../api/settings.ts';
import { sectionsOf, type TextValues } from '../../components/app-text.tsx';
import markdown from './faq.md?raw';

/** The tabs with their questions. Ids are hashes of the page. */
export const topics = sectionsOf(markdown, '# ').map(({ title, id, body }) => ({
  id,
  title,
  questions: sectionsOf(body, '## '),
}));

export const answerValues = (settings: AppSettings): TextValues => ({
  fileTypes: listTypes(),
  mediaTypes: mediaTypesText,
  mediaLimitMb: settings.mediaLimitMb,
  uploadLimitMb: settings.uploadLimitMb,
  google: settings.google !== null,
  codesInLog: settings.codesInLog,
  stripe: settings.payments.provider === 'stripe',
});
