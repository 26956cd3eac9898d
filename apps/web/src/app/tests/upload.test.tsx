import {
  addKeyword,
  appSettings,
  fileTypeEntry,
  fileTypes,
  getMetrics,
  listArtifacts,
  listKeywords,
  uploadArtifacts,
} from '@engram/contract';
import type { Artifact } from '@engram/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aKeyword,
  anArtifact,
  someMetrics,
  someSettings,
  startServerWithFiles,
} from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeCall, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;

const namesIn = ({ form }: FakeCall): string[] =>
  form.getAll('files').map((file) => (file as File).name);
const fieldOf = ({ form }: FakeCall, name: string): unknown =>
  JSON.parse(String(form.get(name))) as unknown;

const textIn = ({ form }: FakeCall): unknown => form.get('artifactText');

/** Stores every file, unless its name requests another result. */
const store = (call: FakeCall) => ({
  artifactGroupId: crypto.randomUUID(),
  artifacts: [...namesIn(call), ...(textIn(call) ? ['A note.txt'] : [])]
    .filter((name) => !name.startsWith('bad'))
    .map((fileName) => ({
      artifactId: crypto.randomUUID(),
      fileName,
      duplicate: fileName.startsWith('known'),
    })),
  rejected: namesIn(call)
    .filter((name) => name.startsWith('bad'))
    .map((fileName) => ({
      fileName,
      message: 'Its bytes are not a PDF.',
      code: 'type_not_supported',
    })),
});

const pdf = (name: string): File => new File(['%PDF-1.7'], name, { type: 'application/pdf' });

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'false');
  server = startServerWithFiles().on(uploadArtifacts, store);
});

async function openPanel() {
  const app = renderApp('/keywords', userEvent.setup({ applyAccept: false, delay: null }));
  await app.user.click((await screen.findAllByRole('button', { name: 'Upload' }))[0]!);
  const panel = await screen.findByRole('dialog', {
    name: 'Upload your files to start organizing your content',
  });
  const button = (name: string | RegExp) => within(panel).getByRole('button', { name });
  const choose = (...files: File[]) =>
    app.user.upload(panel.querySelector<HTMLInputElement>('input[type="file"]')!, files);
  return { ...app, panel: within(panel), button, choose };
}

it('an empty upload shows a message', async () => {
  const { user, panel, button } = await openPanel();
  await user.click(button('UPLOAD'));
  expect(
    await panel.findByText('Please upload at least one file or provide artifact text.'),
  ).toBeTruthy();
  expect(server.callsOf(uploadArtifacts)).toHaveLength(0);
});

it('unsupported files are named, and the others accepted', async () => {
  const { panel, choose } = await openPanel();
  const gif = Object.defineProperty(new File(['x'], 'big.gif', { type: 'image/gif' }), 'size', {
    value: 3_000_000,
  });
  await choose(pdf('Lease.pdf'), new File(['x'], 'setup.exe'), gif, new File([], 'void.txt'));
  expect(await panel.findByText('File type not supported: setup.exe')).toBeTruthy();
  expect(panel.getByText('File too large: big.gif exceeds 2MB.')).toBeTruthy();
  for (const heading of [
    'File type is not supported',
    'File size is too big',
    'File size is too small',
  ]) {
    expect(panel.getByText(heading)).toBeTruthy();
  }
  const chosen = within(panel.getByRole('list', { name: 'Chosen files' }));
  expect(chosen.getAllByRole('listitem')).toHaveLength(1);
});

it('files, text and keywords are uploaded, the file list opens, and the tray shows the progress', async () => {
  const { promise, resolve } = Promise.withResolvers<Artifact[]>();
  server
    .on(uploadArtifacts, (call) => {
      const result = store(call);
      resolve(
        result.artifacts.map(({ artifactId, fileName }) =>
          anArtifact({ artifactId, artifactFileName: fileName }),
        ),
      );
      return result;
    })
    .on(listArtifacts, () => promise);
  const { user, router, panel, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'), pdf('known.pdf'));
  await user.type(await panel.findByLabelText('Keywords for the whole upload'), 'work{Enter}');
  await user.click(button('Keywords of Lease.pdf'));
  await user.type(panel.getByLabelText('Keywords of this file'), 'my Flat{Enter}');
  await user.type(panel.getByLabelText('Text'), 'Deposit is due');
  await user.click(button('UPLOAD'));

  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
  const [call] = server.callsOf(uploadArtifacts);
  expect(namesIn(call!)).toEqual(['Lease.pdf', 'known.pdf']);
  expect(fieldOf(call!, 'keywords')).toEqual(['Work']);
  expect(fieldOf(call!, 'filesKeywords')).toEqual({ 'Lease.pdf': ['myFlat'] });
  expect(textIn(call!)).toBe('Deposit is due');
  expect(sessionStorage.getItem('a_exist')).toBe('true');
  const tray = within(await screen.findByRole('region', { name: 'Incoming files' }));
  expect(await tray.findByText('1 was uploaded before. Keywords were merged.')).toBeTruthy();
  expect(await tray.findByText('3 files ready')).toBeTruthy();
});

it('the panel stays open with the reason beside a refused file', async () => {
  const { user, router, panel, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'), pdf('bad scan.pdf'));
  await user.click(button('UPLOAD'));
  expect(
    await panel.findByText(/Its bytes are not a PDF\. Save it in one of the formats/u),
  ).toBeTruthy();
  const chosen = within(panel.getByRole('list', { name: 'Chosen files' }));
  expect(chosen.getAllByRole('listitem')).toHaveLength(1);
  expect(router.state.location.pathname).toBe('/keywords');
  expect(sessionStorage.getItem('a_exist')).toBe('true');
});

it('files with the same name are sent separately, each with its own keywords', async () => {
  const { user, router, panel, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'), pdf('Lease.pdf'));
  await user.click((await panel.findAllByRole('button', { name: 'Keywords of Lease.pdf' }))[1]!);
  await user.type(panel.getByLabelText('Keywords of this file'), 'Second{Enter}');
  await user.click(button('UPLOAD'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
  const calls = server.callsOf(uploadArtifacts);
  expect(calls.map((call) => fieldOf(call, 'filesKeywords'))).toEqual([
    {},
    { 'Lease.pdf': ['Second'] },
  ]);
});

it('files that were not sent stay in the panel with the reason, and can be sent again', async () => {
  server.on(uploadArtifacts, () => new Refusal(402, 'Your storage is full.'));
  const { user, router, panel, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'));
  await user.type(panel.getByLabelText('Text'), 'Deposit is due');
  await user.click(button('UPLOAD'));
  expect(await panel.findAllByText('Your storage is full.')).toHaveLength(2);
  expect(button('Remove Lease.pdf')).toBeTruthy();
  expect(button('Remove Deposit is due.txt')).toBeTruthy();
  server.on(uploadArtifacts, store);
  await user.click(button('UPLOAD'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
  const sent = server.callsOf(uploadArtifacts).map((call) => [...namesIn(call), textIn(call)]);
  expect(sent).toEqual(Array.from(sent, () => ['Lease.pdf', 'Deposit is due']));
});

it('an upload continues in the tray when the panel is closed', async () => {
  const answer = Promise.withResolvers<void>();
  server.on(uploadArtifacts, async (call) => {
    await answer.promise;
    return store(call);
  });
  const { user, router, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'));
  await user.click(button('UPLOAD'));
  expect(screen.queryByRole('region', { name: 'Incoming files' })).toBeNull();
  await user.click(button('CLOSE'));
  const tray = within(await screen.findByRole('region', { name: 'Incoming files' }));
  expect(await tray.findByText('Sending 1 file')).toBeTruthy();
  answer.resolve();
  await waitFor(() => expect(tray.queryByText('Sending 1 file')).toBeNull());
  expect(router.state.location.pathname).toBe('/keywords');
});

it('the sign-in page opens if the token is missing', async () => {
  const { user, router, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'));
  sessionStorage.removeItem('authToken');
  await user.click(button('UPLOAD'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(server.callsOf(uploadArtifacts)).toHaveLength(0);
});

it('the closed panel keeps its content', async () => {
  const { user, panel, button, choose } = await openPanel();
  await choose(pdf('Lease.pdf'));
  await user.type(panel.getByLabelText('Text'), 'A note');
  await user.click(button('CLOSE'));
  await user.click((await screen.findAllByRole('button', { name: 'Upload' }))[0]!);
  expect(await screen.findByDisplayValue('A note')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Remove Lease.pdf' }));
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull();
});

it('uploads with an expired plan are refused', async () => {
  server.on(getMetrics, () => someMetrics({ status: 'Expired' }));
  const { panel, button } = await openPanel();
  expect(
    await panel.findByText(
      'Your subscription has expired. Please renew to continue accessing the services.',
    ),
  ).toBeTruthy();
  expect(button('UPLOAD')).toHaveProperty('disabled', true);
});

it('existing keywords are offered, and new ones created', async () => {
  const keywords = [aKeyword('Finance'), aKeyword('Old', { isActive: false })];
  server
    .on(listKeywords, () => keywords)
    .on(addKeyword, ({ params }) => {
      keywords.push(aKeyword(params['keyword'] ?? '', { isDefault: false }));
      return keywords.at(-1)!;
    });
  const { user, panel } = await openPanel();
  const field = await panel.findByLabelText('Keywords for the whole upload');
  await user.type(field, 'FIN');
  // Elements have no position in jsdom, so the list counts as invisible.
  await user.click(await panel.findByRole('option', { name: 'Finance', hidden: true }));
  // Selected and archived keywords are not offered.
  await user.type(field, 'fin');
  expect(panel.queryByRole('option', { hidden: true })).toBeNull();
  await user.clear(field);
  await user.type(field, 'old');
  expect(panel.queryByRole('option', { hidden: true })).toBeNull();
  await user.clear(field);
  await user.type(field, 'Ber lin');
  expect(field).toHaveProperty('value', 'Berlin');
  await user.click(panel.getByRole('button', { name: 'Add the keyword Berlin' }));
  expect(await panel.findByText('Berlin')).toBeTruthy();
  expect(server.callsOf(addKeyword)[0]?.params).toEqual({ keyword: 'Berlin' });
  expect(sessionStorage.getItem('keywords')).toContain('Berlin');
  await user.type(field, 'a'.repeat(30));
  expect(field).toHaveProperty('value', 'a'.repeat(25));
  await user.clear(field);
  await user.type(field, 'no-hyphen');
  expect(panel.queryByRole('button', { name: /^Add the keyword/u })).toBeNull();
  await user.keyboard('{Enter}');
  expect(field).toHaveProperty('value', 'no-hyphen');
  expect(panel.getByText('A keyword can only contain letters and digits.')).toBeTruthy();
});

it('the text may have 500 words, which the panel says', async () => {
  const { user, panel } = await openPanel();
  await user.click(panel.getByLabelText('Text'));
  await user.paste('word '.repeat(510));
  expect(panel.getByText('500 / 500 words')).toBeTruthy();
  expect(panel.getByText('Maximum word limit reached of 500 words')).toBeTruthy();
});

it('a keyword that could not be added is reported, and its input stays', async () => {
  server.on(addKeyword, () => new Refusal(503, 'The database is busy.'));
  const { user, panel } = await openPanel();
  const field = await panel.findByLabelText('Keywords for the whole upload');
  await user.type(field, 'Berlin');
  await user.click(panel.getByRole('button', { name: 'Add the keyword Berlin' }));
  expect(
    await panel.findByText('The keyword could not be added. The database is busy.'),
  ).toBeTruthy();
  expect(field).toHaveProperty('value', 'Berlin');
});

it('the panel shows the formats and limits that the server accepts', async () => {
  server.on(appSettings, () => someSettings({ mediaLimitMb: 5, uploadLimitMb: 64 }));
  const { panel } = await openPanel();
  const help = await panel.findByText(
    /JPEG, PNG, GIF and MP4 up to 5 MB, everything else up to 64 MB/u,
  );
  const helpText = help.textContent.toLowerCase();
  for (const type of fileTypes) {
    const { endings } = fileTypeEntry(type);
    expect(helpText).toMatch(new RegExp(`\\b(?:${endings.join('|')})\\b`, 'u'));
  }
  expect(helpText).not.toContain('svg');
});

describe('a photo that is too large', () => {
  const large = (name: string, type: string): File =>
    Object.defineProperty(new File(['x'], name, { type }), 'size', { value: 3_000_000 });

  beforeEach(() => {
    vi.stubGlobal('createImageBitmap', () =>
      Promise.resolve({ width: 4000, height: 3000, close: () => undefined }),
    );
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined });
        convertToBlob = () => Promise.resolve(new Blob(['small'], { type: 'image/jpeg' }));
      },
    );
  });

  it('is shrunk before it is sent, which its row shows', async () => {
    const answer = Promise.withResolvers<void>();
    server.on(uploadArtifacts, async (call) => {
      await answer.promise;
      return store(call);
    });
    const { user, router, panel, button, choose } = await openPanel();
    await choose(large('Pier.png', 'image/png'), large('Dance.gif', 'image/gif'), pdf('Lease.pdf'));
    expect(panel.getByText('File too large: Dance.gif exceeds 2MB.')).toBeTruthy();
    expect(panel.getByText('Larger than 2 MB. It is shrunk before it is sent.')).toBeTruthy();
    await user.type(await panel.findByLabelText('Keywords for the whole upload'), 'work{Enter}');
    await user.click(button('UPLOAD'));
    expect(
      await panel.findByText('Shrunk from 2.9 MB to 5 B to fit the limit of 2 MB.'),
    ).toBeTruthy();
    answer.resolve();
    await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
    const [call] = server.callsOf(uploadArtifacts);
    expect(namesIn(call!)).toEqual(['Pier.jpg', 'Lease.pdf']);
    expect(fieldOf(call!, 'keywords')).toEqual(['Work']);
  });

  it('that cannot be shrunk is refused with the limit, and the others are sent', async () => {
    vi.stubGlobal('createImageBitmap', () =>
      Promise.reject(new DOMException('Not decoded.', 'InvalidStateError')),
    );
    const { user, panel, button, choose } = await openPanel();
    await choose(large('Pier.png', 'image/png'), pdf('Lease.pdf'));
    await user.click(button('UPLOAD'));
    expect(await panel.findByText(/^File too large: Pier\.png exceeds 2MB\./u)).toBeTruthy();
    expect(server.callsOf(uploadArtifacts).map(namesIn)).toEqual([['Lease.pdf']]);
    expect(button('Remove Pier.png')).toBeTruthy();
  });

  it('whose shrinking is stopped stays in the list', async () => {
    const picture = Promise.withResolvers<object>();
    vi.stubGlobal('createImageBitmap', () => picture.promise);
    const { user, panel, button, choose } = await openPanel();
    await choose(large('Pier.png', 'image/png'));
    await user.click(button('UPLOAD'));
    await user.click(button('STOP'));
    picture.resolve({ width: 40, height: 30, close: () => undefined });
    await waitFor(() => expect(button('UPLOAD')).toBeTruthy());
    expect(await panel.findByRole('button', { name: /^Remove Pier/u })).toBeTruthy();
    expect(server.callsOf(uploadArtifacts)).toHaveLength(0);
  });
});

it('chosen and dropped files are added to the list, and can be removed from it', async () => {
  const { user, panel, choose } = await openPanel();
  const list = () => within(panel.getByRole('list', { name: 'Chosen files' }));
  const names = () =>
    list()
      .getAllByRole('button', { name: /^Remove /u })
      .map((element) => element.ariaLabel);
  await choose(pdf('One.pdf'));
  await choose(pdf('Two.pdf'));
  const dropped = pdf('Three.pdf');
  fireEvent.drop(panel.getByText('Drop files anywhere in this panel'), {
    dataTransfer: {
      files: [dropped],
      items: [{ kind: 'file', type: dropped.type, getAsFile: () => dropped }],
      types: ['Files'],
    },
  });
  await waitFor(() =>
    expect(names()).toEqual(['Remove One.pdf', 'Remove Two.pdf', 'Remove Three.pdf']),
  );
  await user.click(panel.getByRole('button', { name: 'Remove Two.pdf' }));
  expect(names()).toEqual(['Remove One.pdf', 'Remove Three.pdf']);
});

it('each file shows its progress, and complete ones are marked', async () => {
  const secondCall = Promise.withResolvers<void>();
  server.on(uploadArtifacts, async (call) => {
    if (server.callsOf(uploadArtifacts).length > 1) await secondCall.promise;
    return store(call);
  });
  const { user, router, panel, button, choose } = await openPanel();
  // Files with the same name are sent in separate calls.
  await choose(pdf('Lease.pdf'), pdf('Lease.pdf'));
  await user.click(button('UPLOAD'));
  expect(await panel.findByText('Uploaded')).toBeTruthy();
  const bars = panel.getAllByRole('progressbar', { name: 'Upload of Lease.pdf' });
  expect(bars.map((bar) => bar.ariaValueNow)).toEqual(['100', '50']);
  secondCall.resolve();
  await waitFor(() => expect(router.state.location.pathname).toBe('/allfiles'));
});
