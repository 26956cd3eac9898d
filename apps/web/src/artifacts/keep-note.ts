import { countWords, TEXT_WORD_LIMIT, uploadArtifacts } from '@engram/contract/browser';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { api } from '../api/api.ts';
import { forgetLists } from './actions.ts';
import { deviceLabel } from '../browser/device.ts';
import { notifyError } from '../components/notify.ts';

/** As many words as a typed text may have, with a sign where that is not all. */
function cutToNote(text: string): string {
  if (countWords(text) <= TEXT_WORD_LIMIT) return text;
  const words = [...text.matchAll(/\S+/gu)];
  return `${text.slice(0, words[TEXT_WORD_LIMIT - 1]?.index).trimEnd()} …`;
}

/**
 * Keeps a text among the files, named by its first words, and says where.
 * @param what What the text is, such as 'answer'.
 * @param files The address of the files list.
 */
export async function keepNote(
  text: string,
  { what, files, queries }: { what: string; files: string; queries: QueryClient },
): Promise<void> {
  try {
    const form = { artifactText: cutToNote(text), source: 'Web' as const, device: deviceLabel() };
    const { data } = await api.upload(uploadArtifacts, [], form);
    forgetLists(queries);
    const [kept] = data.artifacts;
    const name = kept?.fileName ?? '';
    const link = { key: 'note', href: `${files}?q=${encodeURIComponent(name)}` };
    const said = kept?.duplicate ? 'was kept as a note before' : 'is kept as a note';
    notifications.show({
      color: 'green',
      message: [`The ${what} ${said}: `, createElement('a', link, name)],
    });
  } catch (error) {
    notifyError(`The ${what} was not kept`, error);
  }
}
