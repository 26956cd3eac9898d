import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type OauthProgram,
  oauthProgram,
} from '../../apps/server/src/tests/oauth-program.test-setup.ts';
import { enterCode } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';
import { collectProblems, startUser } from './user.test-setup.ts';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

describe.skipIf(!process.env['CHROMIUM_PATH'])('connecting a program in a browser', () => {
  const journey = useJourney();
  const problems: string[] = [];
  /** The redirects that the program received. */
  const callbacks: URL[] = [];
  let program: OauthProgram;
  let server: Server;
  let redirectUri: string;
  let clientId: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      // Browsers also request an icon.
      if (url.pathname === '/callback') callbacks.push(url);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>You can go back now.</h1>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    program = oauthProgram(journey.engram.url);
    const files = [{ name: 'lease.txt', content: new Blob(['The lease ends in May.']) }];
    await startUser(journey.engram, 'ann@example.org', files);
    const { body } = await program.register({
      client_name: 'Reading Lamp',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token', DEVICE],
    });
    clientId = body['client_id'] as string;
    context = await journey.browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    collectProblems(page, problems, (message) => !message.text().includes('401'));
  });
  afterAll(async () => {
    server?.close();
    await context?.close();
  });

  const authorization = () => ({ clientId, redirectUri, scope: 'files:read files:write' });
  const artifacts = (token: string) =>
    fetch(`${journey.engram.url}/v1/artifacts`, { headers: { authorization: `Bearer ${token}` } });
  const heading = (name: string) => page.getByRole('heading', { name });

  test('a visitor signs in first, allows access, and the program gets its code', async () => {
    const { address, codeVerifier, state } = program.request(authorization());
    await page.goto(address);
    await page.getByRole('textbox', { name: /mail/iu }).fill('ann@example.org');
    await page.keyboard.press('Enter');
    await enterCode(page, journey.engram, 'ann@example.org');

    await heading('Connect Reading Lamp to Engram?').waitFor();
    const main = page.getByRole('main');
    await main.getByText('ann@example.org').waitFor();
    expect(await main.innerText()).toContain('A program on this device');
    expect(await main.innerText()).toContain('Upload, tag, archive and delete');
    await page.getByRole('button', { name: 'Allow' }).click();
    await heading('You can go back now.').waitFor();

    const [callback] = callbacks;
    expect(callback?.searchParams.get('state')).toBe(state);
    const code = callback?.searchParams.get('code') ?? '';
    const { body } = await program.redeem(authorization(), code, codeVerifier);
    expect((await artifacts(body['access_token'] as string)).status).toBe(200);
  });

  test('after Cancel the program gets no access', async () => {
    const { address } = program.request(authorization());
    await page.goto(address);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading('You can go back now.').waitFor();
    expect(callbacks.at(-1)?.searchParams.get('error')).toBe('access_denied');
    await page.goto(program.request({ ...authorization(), clientId: 'nobody' }).address);
    await heading('The program was not connected').waitFor();
  });

  test('a device is authorized by the code that it shows', async () => {
    const { body } = await program.post('/oauth/device', { client_id: clientId });
    await page.goto(`${journey.engram.url}/device`);
    const typed = String(body['user_code']).replace('-', '').toLowerCase();
    await page.getByRole('textbox', { name: 'Code' }).fill(typed);
    expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(body['user_code']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading('Connect Reading Lamp to Engram?').waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await heading('Reading Lamp is connected').waitFor();
    const polled = await program.poll(clientId, body['device_code'] as string);
    expect(polled.body['scope']).toBe('files:read');

    const next = await program.post('/oauth/device', { client_id: clientId });
    await page.goto(String(next.body['verification_uri_complete']));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading('Reading Lamp was not connected').waitFor();
  });

  test('both connections are listed in the profile, and can be ended there', async () => {
    await page.goto(`${journey.engram.url}/profile#security`);
    const list = page.getByRole('list', { name: 'Connections' });
    await list.getByRole('listitem').nth(1).waitFor();
    expect(await list.innerText()).toContain('Reads and changes your files');
    await list.getByRole('button').first().click();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await page.getByText('App or device disconnected').first().waitFor();
    expect(problems).toEqual([]);
  });
});
