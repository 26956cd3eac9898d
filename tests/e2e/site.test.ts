import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FeedServer,
  rssFeed,
  startFeedServer,
} from '../../apps/server/src/tests/feed-server.test-setup.ts';
import {
  type StripeServer,
  startStripeServer,
} from '../../apps/server/src/tests/stripe-server.test-setup.ts';
import { type Engram, openBrowser, signIn, startEngram } from './engram.ts';
import {
  collectProblems,
  openSignedIn,
  recordHeadings,
  waitForPassingHeading,
} from './user.test-setup.ts';

/** A malicious post of a feed. */
const HOSTILE_POST = `<p>A tide <b>table</b>.</p><script>window.hacked = 1</script>
  <iframe src="https://evil.example/a"></iframe><img src="https://evil.example/b.png" onerror="window.hacked = 2">
  <a href="javascript:window.hacked=3">here</a> <p onclick="window.hacked = 4" style="position:fixed">Low water</p>`;

/** A replacement for Stripe's script: a checkout that opens its result page. */
const STRIPE_SCRIPT = `window.Stripe = () => ({
  elements() {}, createToken() {}, createPaymentMethod() {}, confirmCardPayment() {},
  async createEmbeddedCheckoutPage({ clientSecret }) {
    const button = document.createElement('button');
    button.textContent = 'Pay with Stripe';
    button.onclick = () => location.assign('/message?session_id=' + clientSecret.split('_secret')[0]);
    return { mount: (place) => place.append(button), unmount() {}, destroy() { button.remove(); } };
  },
});`;

describe.skipIf(!process.env['CHROMIUM_PATH'])('the site of a configured server', () => {
  const problems: string[] = [];
  const otherHosts: string[] = [];
  let feed: FeedServer;
  let stripe: StripeServer;
  let engram: Engram;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    feed = await startFeedServer();
    feed.behave({
      kind: 'feed',
      text: rssFeed([
        {
          title: 'Tides',
          link: 'https://blog.example.org/@ann/tides-4f2a',
          date: 'Tue, 10 Mar 2026 10:00:00 GMT',
          author: 'Ann',
          content: HOSTILE_POST,
        },
      ]),
    });
    stripe = await startStripeServer();
    engram = await startEngram({
      ENGRAM_LLM: 'none',
      ENGRAM_BLOG_FEED: `${feed.url}/feed`,
      ENGRAM_CONTACT_EMAIL: 'hello@example.org',
      ENGRAM_CONTACT_PHONE: '+1 555 123 4567',
      ENGRAM_CONTACT_ADDRESS: '1 Long Lane, London',
      ENGRAM_CONTACT_POSITION: '51.5188,-0.0998',
      ENGRAM_SOCIAL_LINKS: 'Mastodon=https://social.example.org/@engram',
      ...stripe.env,
    });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    collectProblems(page, problems, (message) => !message.text().includes('404'));
    await recordRequests(page);
  });
  afterAll(async () => {
    await browser?.close();
    await engram?.close();
    await stripe?.close();
    await feed?.close();
  });

  /** Blocks and records requests of a browser to other servers. */
  async function recordRequests(tab: Page): Promise<void> {
    await tab.context().route(
      ({ origin }) => origin !== engram.url,
      async (route) => {
        const { hostname } = new URL(route.request().url());
        otherHosts.push(hostname);
        if (hostname.endsWith('openstreetmap.org'))
          await route.fulfill({ contentType: 'text/html', body: '<p>A map of London</p>' });
        else await route.abort();
      },
    );
  }

  const heading = (name: string, on = page): Promise<void> =>
    on.getByRole('heading', { level: 1, name }).waitFor();

  test('its pages are linked for everyone, each with its own title', async () => {
    await page.goto(`${engram.url}/home`);
    const titles = new Set<string>();
    const header = page.getByRole('banner').first();
    const footer = page.getByRole('contentinfo');
    for (const [link, title] of [
      [header.getByRole('link', { name: 'Features', exact: true }), 'Our Features'],
      [footer.getByRole('link', { name: 'Terms & Conditions' }), 'Terms and Conditions'],
      [footer.getByRole('link', { name: 'Privacy Policy' }), 'Privacy Policy'],
      [header.getByRole('link', { name: 'Blog', exact: true }), 'Blog'],
      [footer.getByRole('link', { name: 'Contact' }), 'Contact'],
    ] as const) {
      await link.click();
      await heading(title);
      await expect.poll(() => page.evaluate('scrollY')).toBe(0);
      titles.add(await page.title());
    }
    expect(titles.size).toBe(5);
    expect(otherHosts.filter((host) => host !== 'www.openstreetmap.org')).toEqual([]);
  });

  test('the contact page shows all contact details, and the map in a frame', async () => {
    await page.goto(`${engram.url}/contact`);
    const main = page.getByRole('main');
    await main.getByRole('link', { name: /^E-mail/u }).waitFor();
    const hrefs = await main
      .getByRole('listitem')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.slice(0, 2)).toEqual(['mailto:hello@example.org', 'tel:+15551234567']);
    expect(hrefs[2]).toContain('openstreetmap.org');
    await main.locator('iframe').scrollIntoViewIfNeeded();
    await page.frameLocator('iframe').getByText('A map of London').waitFor();
    expect(problems).toEqual([]);
  });

  test('a post of the feed is shown, and runs no script', async () => {
    otherHosts.length = 0;
    await page.getByRole('link', { name: 'Blog', exact: true }).first().click();
    await page.getByRole('link', { name: 'Read More: Tides' }).click();
    await heading('Tides');
    const post = page.getByRole('article');
    await post.getByText('Low water').waitFor();
    expect(await post.locator('b, strong').innerText()).toBe('table');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const text = post.locator('[data-size]');
    expect(await text.locator('script, iframe, [onclick], [style]').count()).toBe(0);
    expect(await post.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(otherHosts).toEqual([]);
    await page.goto(`${engram.url}/blog/ann/no-such-post`);
    await page.getByText('Post not found.').waitFor();
    expect(problems).toEqual([]);
  });

  test('loads nothing from Stripe before a checkout, which Stripe then handles', async () => {
    const token = await signIn(engram, 'buyer@example.org');
    const tab = await openSignedIn(browser, token, [], { viewport: { width: 1440, height: 900 } });
    await recordRequests(tab);
    await recordHeadings(tab);
    const files: string[] = [];
    tab.on('request', (request) => files.push(request.url()));
    otherHosts.length = 0;
    await tab.goto(`${engram.url}/pricing`, { waitUntil: 'networkidle' });
    // The terms have not been accepted yet.
    await tab.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
    await tab.getByRole('tab', { name: 'Monthly' }).click();
    const start = tab.getByRole('button', { name: 'Get Started with Engram - Pro' });
    await start.waitFor();
    expect(otherHosts).toEqual([]);
    expect(files.filter((url) => /stripe/iu.test(url))).toEqual([]);

    await start.click();
    await tab.getByText('Stripe’s checkout could not be loaded').waitFor();
    expect([...new Set(otherHosts)]).toEqual(['js.stripe.com']);
    await tab
      .context()
      .route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: STRIPE_SCRIPT }),
      );
    await tab.getByRole('button', { name: 'Try again' }).click();
    const pay = tab.getByRole('button', { name: 'Pay with Stripe' });
    await pay.waitFor();
    // Its event never arrives, so the server reads the session when the user returns.
    stripe.world.pay(stripe.lastSession());
    await pay.click();
    await waitForPassingHeading(tab, 'Thanks for subscribing with us!');
    await tab.waitForURL('**/home');
    await tab.goto(`${engram.url}/profile#billing`);
    await tab.getByRole('heading', { name: 'Engram - Pro', exact: true }).waitFor();
    await tab.getByText('Plans are paid through Stripe').waitFor();
  });

  test('signed-in users can open the questionnaire, the Connector page and the API keys', async () => {
    const token = await signIn(engram, 'reader@example.org');
    const tab = await openSignedIn(browser, token, problems);
    await tab.goto(`${engram.url}/faq`);
    await tab.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
    await tab.getByRole('tab', { name: 'Query Limits' }).click();
    const panel = tab.getByRole('tabpanel');
    const question = panel.getByRole('button').first();
    await question.click();
    expect(await question.getAttribute('aria-expanded')).toBe('true');
    const address = tab.url();
    await tab.goto(`${engram.url}/home`);
    await tab.getByRole('link', { name: 'Connector', exact: true }).first().click();
    await heading('Connector', tab);
    const downloads = tab.getByRole('region', { name: 'Download' });
    await downloads.getByText('Windows', { exact: true }).waitFor();
    await tab.goto(address);
    await tab.getByRole('tab', { name: 'Query Limits', selected: true }).waitFor();
    await tab.goto(`${engram.url}/settings`);
    for (const name of ['Security & Permissions', 'Notificaitons']) {
      await tab.getByRole('tab', { name }).click();
      await tab.getByRole('tabpanel').getByText('Please check back soon.').waitFor();
    }
    expect(problems).toEqual([]);
  });
});
