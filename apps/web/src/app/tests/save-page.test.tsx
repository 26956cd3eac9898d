import { getArtifact, saveWebPage, uploadArtifacts } from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const PAGE = 'https://news.example/ferry';
let server: FakeServer;

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'false');
  server = startServerWithFiles().on(saveWebPage, () => ({
    artifactId: crypto.randomUUID(),
    fileName: 'The ferry.html',
    duplicate: false,
  }));
});

async function openPanel() {
  const { user } = renderApp('/keywords');
  await user.click((await screen.findAllByRole('button', { name: 'Upload' }))[0]!);
  const panel = within(await screen.findByRole('dialog', { name: /^Upload your files/u }));
  return { user, panel, field: panel.getByLabelText('Web page') };
}

it('a page is saved by its address with the keywords of the upload', async () => {
  const { user, panel, field } = await openPanel();
  await user.type(panel.getByLabelText('Keywords for the whole upload'), 'Work{Enter}');
  await user.type(field, `${PAGE}{Enter}`);
  expect(await screen.findByText('Saved: The ferry.html')).toBeTruthy();
  expect(server.callsOf(saveWebPage)[0]!.body).toEqual({ url: PAGE, keywords: ['Work'] });
  await waitFor(() => expect((field as HTMLInputElement).value).toBe(''));
  expect(server.callsOf(uploadArtifacts)).toEqual([]);
});

it('an invalid address is reported, and an address that could not be saved stays', async () => {
  const { user, field } = await openPanel();
  await user.type(field, 'the ferry{Enter}');
  expect(
    await screen.findByText('A web address must begin with https:// or http://.'),
  ).toBeTruthy();
  server.on(saveWebPage, () => new Refusal(422, "news.example responds with '404 Not Found'."));
  await user.clear(field);
  await user.type(field, `${PAGE}{Enter}`);
  expect(await screen.findByText(/news\.example responds with '404 Not Found'/u)).toBeTruthy();
  expect((field as HTMLInputElement).value).toBe(PAGE);
});

it('the palette offers to save a pasted address', async () => {
  const { user } = renderApp('/keywords');
  await screen.findByRole('heading', { level: 1 });
  const palette = await waitFor(async () => {
    if (!screen.queryByRole('combobox', { name: /^Find files/u })) {
      await user.keyboard('{Control>}k{/Control}');
    }
    return screen.getByRole('combobox', { name: /^Find files/u });
  });
  await user.click(palette);
  await user.paste(PAGE);
  expect(screen.getAllByRole('option')[0]!.textContent).toBe(`Save this page${PAGE}`);
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Saved: The ferry.html')).toBeTruthy();
  expect(server.callsOf(saveWebPage)[0]!.body).toEqual({ url: PAGE });
  expect(server.callsOf(getArtifact)).toEqual([]);
});

it('the bookmark opens the panel with its address, which Upload saves', async () => {
  const { user } = renderApp(`/share?url=${encodeURIComponent(PAGE)}`);
  const panel = within(await screen.findByRole('dialog', { name: /^Upload your files/u }));
  const field = await panel.findByDisplayValue<HTMLInputElement>(PAGE);
  expect(server.callsOf(saveWebPage)).toEqual([]);
  await user.click(panel.getByRole('button', { name: 'UPLOAD' }));
  expect(await screen.findByText('Saved: The ferry.html')).toBeTruthy();
  expect(server.callsOf(saveWebPage)[0]!.body).toEqual({ url: PAGE, keywords: [] });
  await waitFor(() => expect(field.value).toBe(''));
  expect(server.callsOf(uploadArtifacts)).toEqual([]);
});

it('a link can pass only web addresses', async () => {
  renderApp(`/share?url=${encodeURIComponent('javascript:alert(1)')}`);
  const panel = within(await screen.findByRole('dialog', { name: /^Upload your files/u }));
  expect(panel.getByLabelText<HTMLInputElement>('Web page').value).toBe('');
});
