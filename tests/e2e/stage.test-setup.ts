import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import {
  addCredits,
  confirmSession,
  createShare,
  createSubscription,
  generateApiKey,
  generateCode,
  listArtifacts,
  listBlogPosts,
  paySandboxCheckout,
  search,
  updateProfile,
} from '@engram/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  aProgram,
  CALLBACK,
  clientIdOf,
} from '../../apps/server/src/tests/connections.test-setup.ts';
import { oauthProgram } from '../../apps/server/src/tests/oauth-program.test-setup.ts';
import { paths } from '../../apps/web/src/app/paths.ts';
import { openBrowser, signIn, startEngram } from './engram.ts';
import { uploadAndWait } from './user.test-setup.ts';
import type { Scene } from './scenes.test-setup.ts';

const USER = 'ann@example.org';
const fixtures = path.resolve(import.meta.dirname, 'files');
const QUESTIONS = ['When was the boiler serviced?', 'How much notice does the lease ask for?'];

/** The session data of a signed-in user in each tab. */
type Session = Record<string, string>;

const readFixture = async (name: string): Promise<Blob> =>
  new Blob([new Uint8Array(await readFile(path.join(fixtures, name)))]);

/** Uploads files and asks questions, so that no page is empty. Returns the id of a shared answer. */
async function fill(client: Client): Promise<string> {
  const names = ['lease.pdf', 'household.csv', 'boiler.txt'];
  const files = names.map(async (name) => ({ name, content: await readFixture(name) }));
  await uploadAndWait(client, await Promise.all(files));
  let historyId: string | undefined;
  for (const text of QUESTIONS) {
    const { data } = await client.call(search, { body: { text, audio: false } });
    historyId = data.history_id ?? historyId;
  }
  if (!historyId) throw new Error('The question is in no history.');
  const { data: share } = await client.call(createShare, { body: { historyId } });
  return share.id;
}

/** Buys a plan, and creates a key and files with keywords and a picture. */
async function subscribe(client: Client): Promise<void> {
  const files = [
    { name: 'tides.txt', content: new Blob(['High water is at noon.']) },
    { name: 'pier.png', content: await readFixture('pixel.png') },
  ];
  const keywords = { 'tides.txt': ['Boats', 'Harbour', 'Moon', 'Tides', 'Water'] };
  await uploadAndWait(client, files, { filesKeywords: JSON.stringify(keywords) });
  await client.call(generateApiKey, { params: { name: 'Nightly import' } });
  const { data } = await client.call(createSubscription, {
    body: { priceId: 'price_pro_monthly' },
  });
  await client.call(paySandboxCheckout, {
    params: { clientSecret: data.clientSecret },
    body: {
      cardNumber: '4242 4242 4242 4242',
      expiry: '12/34',
      cvc: '123',
      name: 'Bea Buyer',
      billingAddress: '1 Long Lane, London',
    },
  });
}

const sessionOf = (token: string): Session => ({
  authToken: token,
  a_exist: 'true',
  q_exits: 'false',
});

/** A real server with the files and questions of a user, and a browser. */
export async function startStage(env: Record<string, string> = {}) {
  const engram = await startEngram({
    ENGRAM_LLM: 'none',
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_ADMIN_EMAILS: USER,
    ...env,
  });
  const join = async (email: string) => {
    const token = await signIn(engram, email);
    const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
    const { data } = await client.call(updateProfile, { body: { isAgreedTerms: true } });
    return { token, client, id: data.id };
  };
  const [ann, bea] = [await join(USER), await join('bea@example.org')];
  const [shareId] = await Promise.all([fill(ann.client), subscribe(bea.client)]);
  await ann.client.call(addCredits, { params: { userId: bea.id, credits: '3' } });
  const { data: posts } = await ann.client.call(listBlogPosts, {});
  const post = `/blog/${posts[0]?.username}/${posts[0]?.slug}`;
  const { data: files } = await ann.client.call(listArtifacts, { query: {} });
  const lease = files.find(({ artifactFileName }) => artifactFileName === 'lease.pdf');
  const source = `/source/${lease?.artifactId}?from=0&to=20`;
  const program = oauthProgram(engram.url);
  const clientId = clientIdOf(await program.register(aProgram()));
  const newcomer = await signIn(engram, 'new@example.org');
  const sessions = {
    user: { ...sessionOf(ann.token), is_admin: 'true' },
    subscriber: sessionOf(bea.token),
    newcomer: sessionOf(newcomer),
    visitor: {},
  };
  const browser: Browser = await openBrowser();

  /** Opens a page in a new context. */
  async function newPage(as: Scene['as'], options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    });
    await context.addInitScript((session: Session) => {
      for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    }, sessions[as]);
    return context.newPage();
  }

  return {
    engram,
    browser,
    token: ann.token,
    newPage,

    /** Confirms the session of the user by a new code, as its sign-in may be a quarter of an hour ago. */
    async confirmUser(): Promise<void> {
      await ann.client.call(generateCode, { body: { email: USER } });
      await ann.client.call(confirmSession, { body: { code: await engram.codeFor(USER) } });
    },

    /** The complete address of a scene. A request of a program begins at the authorization server. */
    urlOf: ({ address }: Scene): string =>
      address === paths.connect
        ? program.request({ clientId, redirectUri: CALLBACK }).address
        : engram.url +
          address
            .replace(':id', shareId)
            .replace(paths.blogPost, post)
            .replace(paths.source, source),

    async close(): Promise<void> {
      await browser.close();
      await engram.close();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
