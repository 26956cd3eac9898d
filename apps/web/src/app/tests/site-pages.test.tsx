import {
  appSettings,
  type Device,
  endDevice,
  listConnectorBuilds,
  listDevices,
  steerDevice,
} from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import faq from '../../features/site/faq.md?raw';
import terms from '../../features/auth/terms.md?raw';
import { topics } from '../../features/site/faq.ts';
import { paths } from '../paths.ts';
import privacy from '../privacy.md?raw';
import { someSettings, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import type { FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;

beforeEach(() => {
  sessionStorage.setItem('authToken', 'a-token');
  server = startServerWithFiles();
});

const applySettings = (settings: Parameters<typeof someSettings>[0]): void =>
  void server.on(appSettings, () => someSettings(settings));

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const sections = (): (string | null)[] =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('the FAQ has six tabs, and each question of each has an answer', async () => {
  const { user, router } = renderApp('/faq');
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'General',
    'Account Creation, Management & Security',
    'Billing - Plans, Pricing & Subscription',
    'File Size Limits & Storage',
    'Query Limits',
    'Cancellations & Refunds',
  ]);
  for (const [index, { id, questions }] of topics.entries()) {
    await user.click(tabs[index]!);
    expect(router.state.location.hash).toBe(`#${id}`);
    for (const { title } of questions) {
      const control = screen.getByRole('button', { name: title });
      expect(control.getAttribute('aria-expanded')).toBe('false');
      const answer = document.getElementById(control.getAttribute('aria-controls')!);
      expect(answer?.textContent.length).toBeGreaterThan(40);
    }
  }
});

test('the addresses of topics and questions are all different', () => {
  const ids = topics.flatMap(({ id, questions }) => [
    id,
    ...questions.map((question) => question.id),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the texts of the app link to pages that exist', () => {
  const pages = Object.values(paths) as string[];
  const links = [...`${faq}${terms}${privacy}`.matchAll(/\]\((\/[^)#]*)/gu)];
  expect(links.length).toBeGreaterThan(15);
  for (const [, page] of links) expect(pages).toContain(page);
});

test('an open question is in the address, and its address opens it', async () => {
  const { user, router } = renderApp('/faq#cancellations');
  await user.click(await screen.findByRole('button', { name: 'What happens to my files?' }));
  expect(router.state.location.hash).toBe('#files-after-cancelling');
  const questionButton = screen.getByRole('button', { name: 'What happens to my files?' });
  expect(questionButton.getAttribute('aria-expanded')).toBe('true');
});

test('a link opens its question in its tab, and an unknown link shows the first tab', async () => {
  renderApp('/faq#file-size');
  const question = await screen.findByRole('button', { name: 'How large can a file be?' });
  expect(question.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe(
    'File Size Limits & Storage',
  );
});

test('an unknown hash shows the first tab', async () => {
  renderApp('/faq#%3Cscript%3E');
  expect((await screen.findByRole('tab', { selected: true })).textContent).toBe('General');
});

test('answers depend on the settings of the server', async () => {
  applySettings({
    uploadLimitMb: 64,
    payments: { provider: 'stripe', publishableKey: 'pk_test_1' },
  });
  const { user } = renderApp('/faq#file-size');
  expect(await screen.findByText(/every other file up to 64 MB/u)).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: /^Billing/u }));
  expect(screen.getByText(/your card number never reaches this server/u)).toBeTruthy();
});

test('in the sandbox the FAQ does not mention real payments', async () => {
  renderApp('/faq#how-to-pay');
  expect(await screen.findByText(/uses a sandbox/u)).toBeTruthy();
  expect(screen.queryByText(/through Stripe/u)).toBeNull();
});

test('the FAQ explains what a shared answer shows, and whether limits are enforced', async () => {
  const { user } = renderApp('/faq#who-can-see');
  expect(
    await screen.findByText(/shows its text and the names of its sources, but none of your files/u),
  ).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Query Limits' }));
  expect(screen.getByText(/unless the operator has switched that off/u)).toBeTruthy();
});

const aBuild = {
  platform: 'linux' as const,
  fileName: 'engram-connector-linux-x64',
  size: 150_000_000,
  sha256: 'a'.repeat(64),
  version: '0.1.0',
};
const aDevice = (overrides: Partial<Device> = {}): Device => ({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Home-PC',
  platform: 'Windows 11',
  version: '0.1.0',
  createdAt: '2026-05-01T08:00:00.000Z',
  lastSeenAt: new Date().toISOString(),
  report: {
    folders: [{ name: 'Papers', state: 'syncing', files: 1204, waiting: 12, refused: 1 }],
    refused: [{ path: 'Papers/setup.exe', reason: 'File type not supported: setup.exe' }],
    currentAt: null,
  },
  paused: false,
  syncAskedAt: null,
  ...overrides,
});

test('the Connector can be downloaded if it was built, or else the build command is shown', async () => {
  server.on(listDevices, () => []);
  server.on(listConnectorBuilds, () => [aBuild]);
  renderApp('/connector');
  await screen.findByText(/No device is connected/u);
  expect(sections()).toEqual([
    'Your devices',
    'Get Started',
    'Download',
    'Install on macOS',
    'How it works',
  ]);
  const link = await screen.findByRole('link', { name: 'Download for Linux' });
  expect(link.getAttribute('href')).toBe('/v1/connector/builds/engram-connector-linux-x64');
  expect(screen.getByText(/Version 0\.1\.0, 143\.1 MB/u)).toBeTruthy();
  for (const system of ['Windows', 'macOS (Apple silicon)', 'macOS (Intel)']) {
    const button = screen.getByRole('button', { name: `Not built for ${system}` });
    expect(button).toHaveProperty('disabled', true);
  }
  expect(screen.getByText('npm run connector')).toBeTruthy();
  expect(screen.getByText('It scans every 5 minutes')).toBeTruthy();
  expect(screen.getByText(/set another interval in its settings/u)).toBeTruthy();
});

test('a device has a card with its progress, which controls and removes it', async () => {
  let devices = [aDevice()];
  const commands: object[] = [];
  server.on(listConnectorBuilds, () => []);
  server.on(listDevices, () => devices);
  server.on(steerDevice, ({ body }) => {
    commands.push(body as object);
    devices = [aDevice({ paused: true })];
    return devices[0]!;
  });
  server.on(endDevice, () => {
    devices = [];
    return null;
  });
  const { user } = renderApp('/connector');
  const card = within(await screen.findByRole('listitem', { name: 'Home-PC' }));
  expect(card.getAllByText('12 files waiting')).toHaveLength(2);
  expect(card.getByText('1,204 files, 1 left out')).toBeTruthy();
  await user.click(card.getByText('Why 1 file was left out'));
  expect(card.getByText('File type not supported: setup.exe')).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Sync now on Home-PC' }));
  await user.click(card.getByRole('button', { name: /^(?:Pause|Resume) Home-PC$/u }));
  expect(commands[0]).toEqual({ syncNow: true });
  expect(await card.findByText('Paused')).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'End Home-PC' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End this device' }));
  await user.click(dialog.getByRole('button', { name: 'End' }));
  expect(await screen.findByText(/No device is connected/u)).toBeTruthy();
});

test('a device that has not reported for a while shows its last report', async () => {
  server.on(listConnectorBuilds, () => []);
  server.on(listDevices, () => [aDevice({ lastSeenAt: '2026-05-01T08:00:00.000Z' })]);
  renderApp('/connector');
  expect(await screen.findByText(/^Not seen since/u)).toBeTruthy();
});

test('Contact shows the mail address, phone number and address that are set, and a map', async () => {
  applySettings({
    contactEmail: 'hello@example.org',
    contactPhone: '+49 (30) 123-4567',
    contactAddress: 'Pariser Platz 1, Berlin',
    contactPosition: { latitude: 52.5163, longitude: 13.3777 },
  });
  renderApp('/contact');
  const mail = await screen.findByRole('link', { name: /^E-mail/u });
  expect(mail.getAttribute('href')).toBe('mailto:hello@example.org');
  expect(screen.getByRole('link', { name: /^Phone/u }).getAttribute('href')).toBe(
    'tel:+49301234567',
  );
  const address = screen.getByRole('link', { name: /^Address Pariser Platz 1/u });
  expect(address.getAttribute('href')).toBe(
    'https://www.openstreetmap.org/?mlat=52.5163&mlon=13.3777#map=16/52.5163/13.3777',
  );
  const map = screen.getByTitle<HTMLIFrameElement>(/^Map of the address/u);
  expect(map.getAttribute('sandbox')?.split(' ')).toContain('allow-same-origin');
  const frame = new URL(map.src);
  expect(frame.origin).toBe('https://www.openstreetmap.org');
  expect(frame.searchParams.get('marker')).toBe('52.5163,13.3777');
  const [west, south, east, north] = frame.searchParams.get('bbox')!.split(',').map(Number);
  expect(west).toBeLessThan(13.3777);
  expect(east).toBeGreaterThan(13.3777);
  expect(south).toBeLessThan(52.5163);
  expect(north).toBeGreaterThan(52.5163);
  expect(screen.getByTitle(/^A note on its way to somebody/u)).toBeTruthy();
});

test('Contact links to a map search for an address without a position, and shows no map', async () => {
  applySettings({ contactAddress: '1 Long Lane & Co' });
  renderApp('/contact');
  expect((await screen.findByRole('link', { name: /^Address/u })).getAttribute('href')).toBe(
    'https://www.openstreetmap.org/search?query=1%20Long%20Lane%20%26%20Co',
  );
  expect(document.querySelector('iframe')).toBeNull();
  expect(screen.queryByRole('link', { name: /^E-mail|^Phone/u })).toBeNull();
});

test('Contact shows a message when nothing is set', async () => {
  sessionStorage.clear();
  renderApp('/contact');
  await heading('Contact');
  expect(screen.getByText(/has not added contact details/u)).toBeTruthy();
  expect(document.querySelector('a[href^="mailto:"], a[href^="tel:"], iframe')).toBeNull();
});

test('there are four features, with links to the search', async () => {
  sessionStorage.clear();
  const { user, router } = renderApp('/features');
  await heading('Our Features');
  expect(sections()).toEqual([
    'AI Automation',
    'Smart Retrieval',
    'Multi-Format Support',
    'Privacy-Focused',
  ]);
  await user.click(screen.getByRole('link', { name: 'Ask your files' }));
  // A signed-out user signs in first, and then the search opens.
  await waitFor(() => expect(router.state.location.state).toEqual({ from: '/search' }));
});

test('the privacy policy covers what is collected, used and shared, and the rights of users', async () => {
  applySettings({ contactEmail: 'privacy@example.org' });
  renderApp('/privacy');
  await heading('Privacy Policy');
  expect(sections()).toEqual([
    'Accuracy of AI responses',
    'Information we collect',
    'How it is used',
    'What is shared',
    'Security',
    'Your rights',
    'How long it is kept',
    'Contact',
  ]);
  for (const shared of [
    /^If recordings are written down, pictures described or answers spoken by an outside provider,/u,
    /^If you speak a question,/u,
  ]) {
    expect(screen.getByText(shared)).toBeTruthy();
  }
  for (const right of ['Access and update:', 'Deletion:', 'Opt-out:']) {
    expect(screen.getByText(right)).toBeTruthy();
  }
  const mail = await screen.findByRole('link', { name: 'privacy@example.org' });
  expect(mail.getAttribute('href')).toBe('mailto:privacy@example.org');
});

test('the terms cover who may use the service, how, and how it ends', async () => {
  renderApp('/terms');
  await heading('Terms and Conditions');
  expect(sections()).toHaveLength(8);
  for (const text of [
    /at least 18 years old, or of the legal age of majority/u,
    /Upload only what you are allowed to keep/u,
    /Your files and notes stay yours/u,
    /^AI content: .*no legal, medical or financial advice/u,
    /neither its authors nor the operator of this server is liable/u,
    /^Termination: you can end this agreement/u,
    /may change these terms/u,
    /governed by the law of the place/u,
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
});
