import {
  getArtifactSegments,
  getArtifactView,
  getArtifactWords,
  signArtifact,
  type Citation,
  type DataOf,
} from '@engram/contract';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryRouter } from 'react-router';
import { EvidenceLayout } from '../../../../app/evidence-layout.tsx';
import { Providers } from '../../../../app/providers.tsx';
import { createQueryClient } from '../../../../app/query-client.ts';
import {
  Refusal,
  startFakeServer,
  type FakeServer,
} from '../../../../tests/fake-server.test-setup.ts';
import { SourceViewer } from '../source-viewer.tsx';

const artifactId = '00000000-0000-4000-8000-000000000001';
type Segment = DataOf<typeof getArtifactSegments>[number];

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  // jsdom has no layout, and a list without height renders no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
});

interface Shown {
  fileName: string;
  path?: string | null;
  fileType: string;
  /** The segments of the text with their locations, joined by empty lines. */
  parts: [text: string, location: Citation['location'], fields?: Partial<Segment>][];
  /** The cited segment. */
  quote: string;
}

/** Opens a file at a quote. */
function show({ fileName, path = null, fileType, parts, quote }: Shown): FakeServer {
  let text = '';
  const segments = parts.map(([part, location, fields]): Segment => {
    const start = text.length;
    text += `${part}\n\n`;
    return {
      start,
      end: start + part.length,
      location,
      kind: 'prose',
      headings: [],
      ...fields,
    };
  });
  const start = text.indexOf(quote);
  const end = start + quote.length;
  const citedSegment = segments.find((segment) => segment.start <= start && segment.end >= end)!;
  const { location } = citedSegment;
  const server: FakeServer = startFakeServer()
    .on(getArtifactSegments, ({ query }) => {
      const [from, to] = [Number(query.get('from')), Number(query.get('to') ?? Infinity)];
      return segments.filter(({ start, end }) => start < to && end > from);
    })
    .on(getArtifactWords, () => [])
    .on(signArtifact, () => ({
      presignedUrl: `/v1/files/link-${server.callsOf(signArtifact).length}`,
      expiresAt: '2026-11-20T00:00:00Z',
      fileName,
      fileType,
      size: 1000,
      thumbnailUrl: null,
    }));
  const answered = server.handle.bind(server);
  server.handle = async (method, url, headers, body) =>
    url.endsWith('/text') ? new Response(text) : answered(method, url, headers, body);
  const position = { location, quote, start, end };
  const citation: Citation = { n: 1, artifactId, fileName, path, ...position };
  render(
    <Providers queryClient={createQueryClient()}>
      <MemoryRouter>
        <EvidenceLayout>
          <SourceViewer viewed={{ list: [citation], n: 1, noun: 'source' }} citation={citation} />
        </EvidenceLayout>
      </MemoryRouter>
    </Providers>,
  );
  return server;
}

const marks = async (): Promise<(string | null)[]> =>
  (await screen.findAllByTestId('quote')).map(({ textContent }) => textContent);

const speech: Pick<Shown, 'parts' | 'quote'> = {
  parts: [
    ['Good morning.', { startMs: 0, endMs: 4000 }],
    ['The deposit comes back.', { startMs: 83_400, endMs: 90_000 }],
    ['Goodbye.', { startMs: 90_000, endMs: 92_000 }],
  ],
  quote: 'The deposit comes back.',
};

test('a row is shown in its table, under its column names', async () => {
  show({
    fileName: 'Rent.xlsx',
    fileType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    parts: [
      ['Month · Rent', { sheet: 'Flat', row: 1 }, { kind: 'table' }],
      ['Month: May · Rent: 850', { sheet: 'Flat', row: 2 }, { kind: 'table' }],
      ['Month: June · Rent: 870', { sheet: 'Flat', row: 3 }, { kind: 'table' }],
    ],
    quote: 'Month: June · Rent: 870',
  });
  expect(await marks()).toEqual(['June', '870']);
  expect(screen.getByText(', row 3')).toBeTruthy();
  const row = screen.getByText('June').closest('tr')!;
  expect(row.getAttribute('aria-current')).toBe('true');
  expect(within(row).getByRole('rowheader', { name: '3' })).toBeTruthy();
  expect(screen.getAllByRole('columnheader', { name: 'Rent' }).length).toBeGreaterThan(0);
});

test('a file of a folder shows its path below its name', async () => {
  show({
    fileName: 'notice.txt',
    path: 'Papers/tax/2025/notice.txt',
    fileType: 'text/plain',
    parts: [['Due on 1 May.', { line: 1 }]],
    quote: 'Due on 1 May.',
  });
  expect(await marks()).toEqual(['Due on 1 May.']);
  const folder = screen.getByTitle('Papers/tax/2025/notice.txt');
  expect(folder.parentElement?.textContent).toBe('In the folder Papers/tax/2025');
});

test('a mail is rendered, with the cited words highlighted', async () => {
  const server = show({
    fileName: 'Offer.eml',
    fileType: 'message/rfc822',
    parts: [
      ['Offer for the boat', { line: 1 }, { kind: 'heading' }],
      ['From: Ida <ida@example.org>', { line: 3 }, { kind: 'list' }],
      ['She is ready by 14 April.', { line: 5 }],
    ],
    quote: 'ready by 14 April',
  });
  server.on(getArtifactView, () => ({
    html: '<h1>Offer for the boat</h1><dl><dt>From:</dt><dd>Ida &lt;ida@example.org&gt;</dd></dl><p>She is <b>ready</b> by 14 April.</p>',
    complete: false,
  }));
  expect(await marks()).toEqual(['ready', ' by 14 April']);
  expect(screen.getByRole('heading', { name: 'Offer for the boat', level: 3 })).toBeTruthy();
  expect(screen.getByText('From:').localName).toBe('dt');
  expect(screen.getByRole('link', { name: 'Open the original' })).toBeTruthy();
  expect(screen.queryByText('Line 5')).toBeNull();
});

test('a document that cannot be rendered is shown as text', async () => {
  const server = show({
    fileName: 'Letter.docx',
    fileType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    parts: [['Three months.', { line: 1 }]],
    quote: 'Three months.',
  });
  server.on(getArtifactView, () => new Refusal(422, 'This file is damaged and could not be read.'));
  expect(await marks()).toEqual(['Three months.']);
  expect(screen.getByText(/The layout of this file can’t be shown/u)).toBeTruthy();
});

test('a slide shows its number, and its notes are labeled', async () => {
  const slide = { slide: 2 };
  show({
    fileName: 'Plan.pptx',
    fileType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    parts: [
      ['Welcome', { slide: 1 }, { kind: 'heading' }],
      ['Costs', slide, { kind: 'heading' }],
      ['Notes', slide, { kind: 'heading', headings: ['Costs'] }],
      ['Mention the deposit.', slide, { headings: ['Costs', 'Notes'] }],
    ],
    quote: 'Mention the deposit.',
  });
  expect(await marks()).toEqual(['Mention the deposit.']);
  const shown = within(screen.getByRole('article', { name: 'Slide 2' }));
  const notes = within(shown.getByRole('region', { name: 'Speaker notes' }));
  expect(notes.getByText('Mention the deposit.')).toBeTruthy();
  expect(notes.queryByText('Costs')).toBeNull();
  expect(screen.getByRole('article', { name: 'Slide 1' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Next slide' })).toBeTruthy();
});

test('a recording starts at the cited second, and each part of its transcript plays from its time', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  show({ fileName: 'Call.mp3', fileType: 'audio/mpeg', ...speech });
  expect(await marks()).toEqual(['The deposit comes back.']);
  expect(screen.getByText('1:23', { selector: 'span[title] *' })).toBeTruthy();
  const player = screen.getByLabelText<HTMLAudioElement>('Call.mp3');
  expect(player.textContent).toBe('Your browser does not support the audio tag.');
  fireEvent.loadedMetadata(player);
  expect(player.currentTime).toBeCloseTo(83.4);
  await userEvent.click(screen.getByRole('button', { name: /Play from ?1:30 ?Goodbye\./u }));
  expect(player.currentTime).toBe(90);
  expect(play).toHaveBeenCalledOnce();
});

test('the transcript of a saved video has links to its seconds, and names the cited one', async () => {
  const server = show({
    fileName: 'Ferry.html',
    fileType: 'text/html',
    parts: [['The engines are lifted in.', { startMs: 83_400, endMs: 90_000 }]],
    quote: 'The engines are lifted in.',
  });
  const address = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83s';
  server.on(getArtifactView, () => ({
    html: `<p><a href="${address.replace('&', '&amp;')}">1:23</a> The engines are lifted in.</p>`,
    complete: true,
  }));
  expect(await marks()).toEqual(['The engines are lifted in.']);
  expect(screen.getByText('1:23', { selector: 'span[title] *' })).toBeTruthy();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: '1:23' });
  expect([link.href, link.target, link.rel]).toEqual([address, '_blank', 'noopener noreferrer']);
});

test('an expired link is signed again, and the recording continues where it was', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const server = show({ fileName: 'Film.mp4', fileType: 'video/mp4', ...speech });
  const player = await screen.findByLabelText<HTMLVideoElement>('Film.mp4');
  expect(player.textContent).toBe('Your browser does not support the video tag.');
  expect(player.getAttribute('src')).toBe('/v1/files/link-1');
  Object.defineProperty(player, 'readyState', { value: 4, configurable: true });
  fireEvent.loadedMetadata(player);
  player.currentTime = 91;
  fireEvent.timeUpdate(player);
  vi.setSystemTime(Date.now() + 16 * 60_000);
  fireEvent.error(player);
  await waitFor(() => expect(player.getAttribute('src')).toBe('/v1/files/link-2'));
  player.currentTime = 0;
  fireEvent.loadedMetadata(player);
  expect(player.currentTime).toBe(91);
  // The new link cannot have expired, so this failure is caused by the recording.
  fireEvent.error(player);
  expect(await screen.findByText('Your browser cannot play this recording')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
    '/v1/files/link-2',
  );
  expect(server.callsOf(signArtifact)).toHaveLength(2);
  vi.useRealTimers();
});

test('a recording that browsers cannot play can be downloaded, beside its transcript', async () => {
  show({ fileName: 'Old.avi', fileType: 'video/x-msvideo', ...speech });
  expect(await screen.findByText('Your browser cannot play this recording')).toBeTruthy();
  expect(await marks()).toEqual(['The deposit comes back.']);
});

test('the words of a quote are marked on their picture', async () => {
  const server = show({
    fileName: 'Scan.png',
    fileType: 'image/png',
    parts: [['Happy New Year', { line: 1 }]],
    quote: 'New Year',
  });
  const word = { left: 0.1, top: 0.1, width: 0.1, height: 0.05 };
  server.on(getArtifactWords, () => [
    { start: 0, end: 5, ...word },
    { start: 6, end: 9, ...word, left: 0.22 },
    { start: 10, end: 14, ...word, left: 0.34 },
  ]);
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'Scan.png' });
  expect(screen.getAllByText('Picture').length).toBeGreaterThan(1);
  vi.spyOn(picture, 'naturalWidth', 'get').mockReturnValue(800);
  vi.spyOn(picture, 'naturalHeight', 'get').mockReturnValue(600);
  fireEvent.load(picture);
  expect(await marks()).toEqual(['New Year']);
  expect(screen.getByTestId('quote').style.left).toBe('22%');
  await userEvent.click(screen.getByRole('radio', { name: 'Text' }));
  expect(await screen.findByRole('region', { name: 'Text of the file' })).toBeTruthy();
});

test('the cited page of a TIFF is rendered by the server, and the other pages follow', async () => {
  show({
    fileName: 'Fax.tif',
    fileType: 'image/tiff',
    parts: [
      ['Berth fourteen is free', { page: 1 }],
      ['The fee is 310 a year', { page: 2 }],
    ],
    quote: 'The fee is 310 a year',
  });
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'Fax.tif' });
  expect(picture.getAttribute('src')).toMatch(/\?picture=2$/u);
  await userEvent.click(await screen.findByRole('button', { name: 'Previous page' }));
  expect(picture.getAttribute('src')).toMatch(/\?picture=1$/u);
});

test('metadata of a picture is shown as such', async () => {
  show({
    fileName: 'Beach.jpg',
    fileType: 'image/jpeg',
    parts: [['Taken in Porto', { line: 1 }]],
    quote: 'Taken in Porto',
  });
  expect(
    await screen.findByText(
      'This describes the picture, but is not written in it: “Taken in Porto”',
    ),
  ).toBeTruthy();
});

test('a member of an archive is shown with its path', async () => {
  show({
    fileName: 'papers.zip',
    fileType: 'application/zip',
    parts: [['Three months.', { path: 'flat/lease.pdf', page: 2 }]],
    quote: 'Three months.',
  });
  expect(await marks()).toEqual(['Three months.']);
  const path = screen.getByRole('list', { name: 'Within the archive' });
  expect(
    within(path)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['flat', 'lease.pdf']);
  expect(screen.getByText('Page 2')).toBeTruthy();
});

test('a search covers the whole file and moves between hits, and closing it restores the citation', async () => {
  const user = userEvent.setup();
  show({
    fileName: 'Lease.txt',
    fileType: 'text/plain',
    parts: [
      ['The lease ends in May.', { line: 1 }],
      ['A new LEASE begins in June.', { line: 3 }],
    ],
    quote: 'in May',
  });
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Find in this file' }));
  const field = screen.getByRole('searchbox', { name: 'Find in this file' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.type(field, 'léase');
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  await waitFor(async () => expect(await marks()).toEqual(['lease']));
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await marks()).toEqual(['LEASE']));
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await marks()).toEqual(['lease']));
  await user.type(field, ' not');
  expect(await screen.findByText('Not found')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(async () => expect(await marks()).toEqual(['in May']));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Lease.txt' }));
});
