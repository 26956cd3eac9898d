import { countWords, TEXT_WORD_LIMIT, uploadArtifacts } from '@engram/contract/browser';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { api } from '../api/api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { deviceLabel } from '../browser/device.ts';
import { notifyError } from '../components/notify.ts';
import type { Answer } from '../features/search/answer.ts';
import { copiedAnswer } from '../features/search/copied-answer.ts';
import { paths } from './paths.ts';

/** The words of a note: as many as a typed text may have, with a sign where that is not all. */
export function noteOf(answer: Answer): string {
  const text = `${answer.question}\n\n${copiedAnswer(answer)}`;
  if (countWords(text) <= TEXT_WORD_LIMIT) return text;
  const words = [...text.matchAll(/\S+/gu)];
  return `${text.slice(0, words[TEXT_WORD_LIMIT - 1]?.index).trimEnd()} …`;
}

/** Keeps an answer with its sources among the files, named by its question, and says where. */
export async function keepAsNote(answer: Answer, queries: QueryClient): Promise<void> {
  try {
    const form = { artifactText: noteOf(answer), source: 'Web' as const, device: deviceLabel() };
    const { data } = await api.upload(uploadArtifacts, [], form);
    void queries.invalidateQueries({ queryKey: queryKeys.artifacts });
    const [kept] = data.artifacts;
    notifications.show({
      color: 'green',
      message: [
        kept?.duplicate ? 'This answer was kept before: ' : 'The answer is kept as a note: ',
        createElement(
          'a',
          {
            key: 'note',
            href: `${paths.files}?q=${encodeURIComponent(kept?.fileName ?? '')}`,
          },
          kept?.fileName,
        ),
      ],
    });
  } catch (error) {
    notifyError('The answer was not kept', error);
  }
}
