import type { Artifact, DataOf, findPassages } from '@engram/contract';
import type { Outcome } from './queue.ts';

export type Passage = DataOf<typeof findPassages>[number];

export type SavedPage = Pick<Artifact, 'artifactId' | 'artifactCreatedDate'>;

/** The calls from the popup to the background script. */
export interface Calls {
  /** Pairs with a server as soon as the user has permitted access to it. */
  pair: (server: string) => Promise<void>;
  cancelPairing: () => Promise<void>;
  signOut: () => Promise<void>;
  /** The file that was saved from an address, or null. */
  findSaved: (url: string) => Promise<SavedPage | null>;
  listKeywords: () => Promise<string[]>;
  savePage: (tabId: number, keywords: string[]) => Promise<Outcome>;
  findPassages: (text: string) => Promise<Passage[]>;
  retry: (id: string) => Promise<void>;
  discard: (id: string) => Promise<void>;
}

interface Message {
  call: keyof Calls;
  args: unknown[];
}

type Reply = { data: unknown } | { error: string };

/** Makes a call to the background script. @throws Error with its message */
export async function ask<K extends keyof Calls>(
  call: K,
  ...args: Parameters<Calls[K]>
): Promise<Awaited<ReturnType<Calls[K]>>> {
  const reply = await chrome.runtime.sendMessage<Message, Reply>({ call, args });
  if ('error' in reply) throw new Error(reply.error);
  return reply.data as Awaited<ReturnType<Calls[K]>>;
}

/** Answers calls from the extension's own pages, and never from websites. */
export function answerCalls(calls: Calls): void {
  chrome.runtime.onMessage.addListener(
    ({ call, args }: Message, sender, respond: (reply: Reply) => void) => {
      if (!sender.url?.startsWith(chrome.runtime.getURL('')) || !Object.hasOwn(calls, call)) return;
      const run = calls[call] as (...args: unknown[]) => Promise<unknown>;
      run(...args).then(
        (data) => respond({ data: data ?? null }),
        (error: unknown) =>
          respond({ error: error instanceof Error ? error.message : String(error) }),
      );
      return true;
    },
  );
}
