import type { SearchData } from '@engram/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import {
  historyEntry,
  searchData,
  type SearchServer,
} from '../../tests/search-server.test-setup.tsx';

const input = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ask your AI Brain anything' });

/** Asks a question on the search page. */
export async function askIn(server: SearchServer, text = 'How much notice?') {
  await userEvent.type(input(), `${text}{Enter}`);
  await waitFor(() => expect(server.questions.length).toBeGreaterThan(0));
  return server.questions.at(-1)!;
}

/** Sends a complete answer, and adds it to the history as the server does. */
export async function answerIn(server: SearchServer, changes: Partial<SearchData> = {}) {
  const question = await askIn(server);
  const data = searchData(changes);
  const { keywords } = question.body as { keywords?: string[] };
  server.history = [
    historyEntry(0, {
      id: data.history_id,
      searchText: data.text,
      answers: data.answers,
      citations: data.citations,
      grounded: data.grounded,
      nearest: data.nearest,
      mode: data.mode,
      found: data.found,
      notice: data.notice,
      keywords: keywords ?? [],
    }),
  ];
  question.send('done', data);
  await waitFor(() => expect(input().value).toBe(''));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy());
}
