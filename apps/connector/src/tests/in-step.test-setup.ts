import { generateApiKey, listArtifacts } from '@engram/contract';
import type { Papers } from '../../../../packages/folder-sync/src/tests/papers.test-setup.ts';
import type { SignedInUser } from '../../../server/src/tests/app.test-setup.ts';
import type { Clock } from '../clock.ts';
import { Engine, type EngineOptions } from '../engine.ts';

export { Papers } from '../../../../packages/folder-sync/src/tests/papers.test-setup.ts';

/** Calls as they go over the wire, by the path behind `/v1`. */
export class Wire {
  readonly calls: string[] = [];
  /** Answers a call instead of the server; null where the server is to answer. */
  intercept: (call: string, init: RequestInit | undefined) => Promise<Response> | Response | null =
    () => null;

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const call = `${init?.method ?? 'GET'} ${url.pathname.replace(/^\/v1/u, '')}`;
    this.calls.push(call);
    return (await this.intercept(call, init)) ?? fetch(input, init);
  };

  count(call: string): number {
    return this.calls.filter((one) => one === call).length;
  }

  /** How many calls sent bytes or moved files since the last time. */
  writes(): number {
    const count = this.calls.filter((one) =>
      /upload|place|artifacts\/[^/]+\/(?:true|false)/u.test(one),
    );
    this.calls.length = 0;
    return count.length;
  }
}

export const UPLOAD = 'POST /artifacts/upload';

export const keyOf = async (user: SignedInUser, name: string): Promise<string> =>
  (await user.client.call(generateApiKey, { params: { name }, body: {} })).data.apiKey;

/** A clock whose waits end immediately. */
export function skippingClock(): Clock {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      skipped += ms;
    },
  };
}

export const openEngine = (papers: Papers, wire: Wire, more: Partial<EngineOptions> = {}) =>
  Engine.open({
    home: papers.home,
    version: '0.1.0',
    fetch: wire.fetch,
    keychain: null,
    clock: skippingClock(),
    ...more,
  });

/** The paths of a person's files in Engram. */
export async function pathsOf(user: SignedInUser, archived = false): Promise<string[]> {
  const { data } = await user.client.call(listArtifacts, {
    query: { limit: 100, archived: archived ? 'true' : 'false' },
  } as never);
  return (data as { path: string | null; artifactFileName: string }[])
    .map((one) => one.path ?? one.artifactFileName)
    .toSorted();
}
