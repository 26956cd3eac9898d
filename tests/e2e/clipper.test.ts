import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Client, createClient } from '@engram/client';
import {
  type Artifact,
  getArtifactText,
  listArtifacts,
  listConnections,
  updateProfile,
} from '@engram/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestFor } from '../../apps/clipper/src/manifest.ts';
import { findFullChromium } from '../../scripts/chromium.ts';
import { type Clipper, startClipper } from './clipper.test-setup.ts';
import { type Engram, signIn, startEngram } from './engram.ts';
import { uploadAndWait } from './user.test-setup.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const BODY = `<!doctype html><html lang="en"><head><title>Statement of May</title></head><body>
<main><h1>Statement of May</h1><p id="balance">Loading</p><p style="display:none">Hidden words</p>
<p id="fees">The account costs nine crowns each month, and the card is free.</p>
<figure><img src="/chart.png" alt="The chart"></figure><bank-note></bank-note></main>
<script>
customElements.define('bank-note', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Paid to Harbour Books.</p>'; }
});
document.querySelector('#balance').textContent = 'You have forty-eight crowns.';
</script></body></html>`;

/** A site whose pages, pictures and files need its cookie. */
const bank = createServer((request, response) => {
  if (request.url === '/login') {
    response
      .writeHead(302, { 'set-cookie': 'session=ann; HttpOnly', location: '/statement' })
      .end();
  } else if (request.headers.cookie !== 'session=ann') {
    response.writeHead(403, { 'content-type': 'text/html' }).end('<p>Please log in.');
  } else if (request.url === '/chart.png') {
    response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  } else if (request.url === '/prices.txt') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('A car costs 480 crowns.');
  } else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(BODY);
});

const browser = findFullChromium();

describe.skipIf(!browser)('the browser extension', () => {
  let engram: Engram;
  let clipper: Clipper;
  let client: Client;
  let token: string;
  let site: string;
  let page: Page;
  let popup: Page;

  beforeAll(async () => {
    bank.listen(0, '127.0.0.1');
    await once(bank, 'listening');
    site = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
    engram = await startEngram({ ENGRAM_LLM: 'none' });
    token = await signIn(engram, 'ann@example.org');
    client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
    await client.call(updateProfile, { body: { isAgreedTerms: true } });
    const letter = new Blob([
      'The statement of the bank lists fees. The fees were 9 crowns in April.',
    ]);
    await uploadAndWait(client, [{ name: 'Letter.txt', content: letter }]);
    clipper = await startClipper(browser ?? '');
    page = await clipper.context.newPage();
    await page.goto(`${site}/login`);
  });
  afterAll(async () => {
    await clipper?.close();
    await engram?.close();
    bank.closeAllConnections();
    bank.close();
  });

  const button = (name: string | RegExp) => popup.getByRole('button', { name });
  const reopen = async (): Promise<void> => {
    await popup.close();
    popup = await clipper.openPopup(page);
  };
  const filesAt = async (webAddress: string): Promise<Artifact[]> =>
    (await client.call(listArtifacts, { query: { webAddress } })).data;
  const textAt = async (webAddress: string): Promise<string> => {
    const [file] = await filesAt(webAddress);
    return client.text(getArtifactText, { params: { artifactId: file?.artifactId ?? '' } });
  };

  test('the extension is paired by a code that the user confirms in Engram', async () => {
    popup = await clipper.openPopup(page);
    const address = popup.getByRole('textbox', { name: 'Address of the server' });
    expect(await address.inputValue()).toBe('http://localhost:3000');
    await address.fill('ftp://example.org');
    await button('Connect').click();
    await popup.getByText('Enter the address of your Engram').waitFor();
    await address.fill(site);
    await button('Connect').click();
    await popup.getByText('is not an Engram server').waitFor();
    await popup.close();
    await clipper.pair(page, engram.url, token);
    popup = await clipper.openPopup(page);
    await popup.getByRole('heading', { name: 'Statement of May' }).waitFor();
    const { data } = await client.call(listConnections, {});
    expect(data.map(({ name }) => name)).toEqual(['Browser extension (Chrome on Linux)']);
  });

  test('a page behind a login is saved as the user sees it', async () => {
    await popup.getByText('Not saved yet').waitFor();
    await popup.getByRole('combobox', { name: 'Keywords' }).fill('Money');
    await popup.keyboard.press('Enter');
    await popup.getByRole('button', { name: 'Remove Money' }).waitFor();
    await popup.getByRole('combobox', { name: 'Keywords' }).fill('Bank');
    await button('Save page').click();
    await popup.getByText('Saved: Statement of May.html').waitFor();
    const [file] = await filesAt(`${site}/statement`);
    expect(file).toMatchObject({ source: 'API', keywords: ['Money', 'Bank'] });
    await expect.poll(() => textAt(`${site}/statement`)).toContain('forty-eight crowns');
    const text = await textAt(`${site}/statement`);
    expect(text).toContain('Paid to Harbour Books');
    expect(text).not.toContain('Hidden words');
    const link = popup.getByRole('link', { name: 'Open in Engram' }).first();
    expect(await link.getAttribute('href')).toBe(`${engram.url}/source/${file?.artifactId}`);
  });

  test('a saved page is recognized, and saved again only if it has changed', async () => {
    await reopen();
    await popup.getByText(/^Saved on/u).waitFor();
    const suggestions = popup.locator('datalist option');
    await suggestions.first().waitFor({ state: 'attached' });
    const names = await suggestions.evaluateAll((elements) =>
      elements.map((element) => element.textContent),
    );
    expect(names).toContain('Money');
    await button('Save again').click();
    await popup.getByText('Saved already, and unchanged').waitFor();
    await page.evaluate(`document.querySelector('#balance').textContent = 'You have a boat.'`);
    await button('Save again').click();
    await popup.getByText('Saved: Statement of May.html').waitFor();
    await expect.poll(() => textAt(`${site}/statement`)).toContain('a boat');
    // The earlier version is found until it is deleted.
    await expect.poll(() => filesAt(`${site}/statement`)).toHaveLength(1);
  });

  test('passages of other files about the page are shown, each with a link', async () => {
    await button('What did I save about this?').click();
    const passage = popup.locator('.passages li').first();
    await passage.waitFor();
    expect(await passage.innerText()).toContain('Letter.txt');
    const link = await passage.getByRole('link').getAttribute('href');
    expect(link).toMatch(new RegExp(`^${engram.url}/source/[\\w-]+\\?from=\\d+&to=\\d+$`, 'u'));
  });

  test('a selection is saved as a separate page', async () => {
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#fees'))`);
    await clipper.chooseMenu(page, 'selection');
    const address = `${site}/statement#:~:text=The%20account%20costs%20nine%20crowns%20each%20month%2C%20and%20the%20card%20is%20free.`;
    await expect
      .poll(async () => (await listNames()).toSorted())
      .toContain('Statement of May (selection).html');
    const [selection] = (await client.call(listArtifacts, { query: { q: 'selection' } })).data;
    expect(selection?.webAddress).toBe(address);
    await expect.poll(() => textAt(address)).toContain('the card is free');
    expect(await textAt(address)).not.toContain('boat');
  });

  const listNames = async () =>
    (await client.call(listArtifacts, {})).data.map(({ artifactFileName }) => artifactFileName);

  test('a picture is downloaded with the cookies of the user', async () => {
    await clipper.chooseMenu(page, 'image', `${site}/chart.png`);
    await expect
      .poll(() => filesAt(`${site}/chart.png`))
      .toMatchObject([{ artifactFileType: 'image/png', artifactFileName: 'chart.png' }]);
  });

  test('a file that is open in the tab is saved as that file', async () => {
    await page.goto(`${site}/prices.txt`);
    await reopen();
    await button('Save page').click();
    await popup.getByText('Saved: prices.txt').waitFor();
    await expect.poll(() => textAt(`${site}/prices.txt`)).toContain('480 crowns');
  });

  test('a page that Engram refuses is listed with the reason, and can be discarded', async () => {
    await page.goto(`${site}/empty`);
    await page.evaluate(`document.body.replaceChildren()`);
    await reopen();
    await button('Save page').click();
    await popup.getByText(/^Not saved: .*has no text/u).waitFor();
    await popup.getByRole('heading', { name: 'Waiting to be sent (1)' }).waitFor();
    await button('Retry Statement of May').click();
    await button('Discard Statement of May').click();
    await popup.getByRole('heading', { name: /^Waiting/u }).waitFor({ state: 'detached' });
  });

  test('pages are queued while Engram cannot be reached, and sent afterwards', async () => {
    await engram.stop();
    await page.goto(`${site}/offline`);
    await reopen();
    await popup.getByText('cannot be reached. What you save now waits').waitFor();
    await button('Save page').click();
    await popup.getByText(/^Waiting to be sent: /u).waitFor();
    expect(await clipper.run('chrome.action.getBadgeText({})')).toBe('1');
    expect(await clipper.run('chrome.alarms.get("queue")')).toHaveProperty('scheduledTime');
    await engram.restart();
    // The time of the alarm, without waiting for it.
    await clipper.run(`chrome.alarms.create('queue', { when: Date.now() })`);
    await popup.getByRole('heading', { name: /^Waiting/u }).waitFor({ state: 'detached' });
    expect(await filesAt(`${site}/offline`)).toHaveLength(1);
  });

  test('the popup has no accessibility problems and fits 360 pixels, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await popup.emulateMedia({ colorScheme });
      await popup.reload();
      await popup.getByText(/^Saved on/u).waitFor();
      await popup.evaluate(axe);
      const violations = await popup.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
      );
      expect(violations).toEqual([]);
      expect(await popup.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(360);
    }
  });

  test('a page of realistic size is saved', async () => {
    await page.goto(`${site}/long`);
    await page.evaluate(`document.querySelector('main').innerHTML = '<h1>Long</h1>' +
      Array.from({ length: 4000 }, (_, i) => '<p>Line ' + i + ' of a long page, which has <a href="/' + i + '">links</a> and some words.</p>').join('')`);
    await reopen();
    await popup.getByText('Not saved yet').waitFor();
    await button('Save page').click();
    await popup.getByText(/^Saved: /u).waitFor();
  });

  test('signing out revokes the connection', async () => {
    await button('Sign out').click();
    await popup.getByRole('heading', { name: 'Connect to your Engram' }).waitFor();
    await expect.poll(async () => (await client.call(listConnections, {})).data).toEqual([]);
    const stored = await clipper.run('chrome.storage.local.get()');
    expect(JSON.stringify(stored)).not.toMatch(/access|refresh/u);
  });
});

describe('the manifest of the extension', () => {
  test('requests no site permission in advance, and loads no remote code', () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const manifest = manifestFor(browser, '1.2.3');
      expect(manifest).not.toHaveProperty('host_permissions');
      expect(manifest).not.toHaveProperty('content_scripts');
      const policy = manifest.content_security_policy.extension_pages;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
    }
  });

  test('has a background script, an ID and a minimum version for Firefox', () => {
    const manifest = manifestFor('firefox', '1.2.3');
    expect(manifest.background).toEqual({ scripts: ['background.js'], type: 'module' });
    expect(manifest.browser_specific_settings?.gecko).toEqual({
      id: 'clipper@engram.local',
      strict_min_version: '128.0',
    });
    expect(manifest).not.toHaveProperty('minimum_chrome_version');
  });
});
