import { countWords, TEXT_WORD_LIMIT, uploadArtifacts } from '@engram/contract/browser';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { api } from '../api/api.ts';
import { clearLists } from './actions.ts';
import { deviceLabel } from '../browser/device.ts';
import { notifyError } from '../components/notify.ts';

/** Truncates a text to the word limit of a note, and marks the cut. */
function truncateNote(text: string): string {
  if (countWords(text) <= TEXT_WORD_LIMIT) return text;
  const words = [...text.matchAll(/\S+/gu)];
  return `${text.slice(0, words[TEXT_WORD_LIMIT - 1]?.index).trimEnd()} …`;
}

/**
 * Stores a text as a note, named by its first words, and shows a link to it.
 * @param what What the text is, such as 'answer'.
 * @param files The address of the files list.
 */
export async function saveNote(
  text: string,
  { what, files, queries }: { what: string; files: string; queries: QueryClient },
): Promise<void> {
  try {
    const form = {
      artifactText: truncateNote(text),
      source: 'Web' as const,
      device: deviceLabel(),
    };
    const { data } = await api.upload(uploadArtifacts, [], form);
    clearLists(queries);
    const [saved] = data.artifacts;
    const name = saved?.fileName ?? '';
    const link = { key: 'note', href: `${files}?q=${encodeURIComponent(name)}` };
    const state = saved?.duplicate ? 'was saved as a note before' : 'is saved as a note';
    notifications.show({
      color: 'green',
      message: [`The ${what} ${state}: `, createElement('a', link, name)],
    });
  } catch (error) {
    notifyError(`The ${what} was not saved`, error);
  }
}
