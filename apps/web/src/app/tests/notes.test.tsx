import { editNote, getArtifactText } from '@engram/contract';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { anArtifact, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const note = anArtifact({ artifactFileName: 'Spare key.txt', source: 'Text' });
let server: FakeServer;

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  localStorage.clear();
  server = startServerWithFiles([note])
    .on(getArtifactText, () => 'The key hangs in the hall.')
    .on(editNote, () => ({ artifactId: note.artifactId, fileName: 'Key.txt', duplicate: false }));
});

async function openMenu(user: UserEvent): Promise<void> {
  await user.click(await screen.findByLabelText('Options for Spare key.txt'));
  await user.click(await screen.findByText('Edit'));
}

async function openEditor() {
  const { user } = renderApp('/allfiles');
  await openMenu(user);
  await screen.findByDisplayValue('The key hangs in the hall.');
  return { user, field: screen.getByLabelText('Text') };
}

it('Ctrl Enter saves the changed text', async () => {
  const { user, field } = await openEditor();
  await user.type(field, ' Still.{Control>}{Enter}{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(editNote)[0]!.body).toEqual({ text: 'The key hangs in the hall. Still.' });
});

it('the draft survives closing the editor, and a change elsewhere is reported', async () => {
  const { user, field } = await openEditor();
  server.on(editNote, () => new Refusal(409, 'This note was changed elsewhere.'));
  await user.type(field, ' Still.');
  await user.click(screen.getByText('Save'));
  expect(await screen.findByText('This note was changed elsewhere.')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await openMenu(user);
  expect(await screen.findByDisplayValue('The key hangs in the hall. Still.')).toBeTruthy();
});
