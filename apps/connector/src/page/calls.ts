import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Connector } from '../connector.ts';
import { listDirectory } from './directories.ts';

export interface CallContext {
  connector: Connector;
  /** The folder that is shown first, and what is in it. */
  home: string;
  /** Ends the Connector. Called after the response was sent. */
  quit: () => Promise<void>;
}

const id = z.int().positive();
const root = z.string().trim().min(1, 'Type the path of a folder.').max(32_767);
const folderSettings = z.strictObject({
  keywords: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
  topFolderKeyword: z.boolean().optional(),
  intervalMs: z.int().min(60_000).max(604_800_000).optional(),
  archive: z.boolean().optional(),
});
const deviceSettings = z.strictObject({
  bytesPerSecond: z.int().min(1000).nullable().optional(),
  autostart: z.boolean().optional(),
});

/** A setting that was not given is left out: it would count as given otherwise. */
const given = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

interface Call {
  takes: z.ZodType;
  run: (context: CallContext, body: never) => unknown;
}

const call = <T extends z.ZodType>(
  takes: T,
  run: (context: CallContext, body: z.infer<T>) => unknown,
): Call => ({ takes, run });

const REFUSAL_MS = 500;

const nothing = z.strictObject({});

/** All that the page can ask for, by the last part of its address. */
export const calls: Record<string, Call> = {
  pair: call(
    z.strictObject({
      server: z.string().trim().min(1, 'Type the address of your Engram.').max(2000),
      key: z.string().trim().min(1).max(1000).optional(),
    }),
    ({ connector }, { server, key }) => connector.pair(server, key),
  ),
  directory: call(z.strictObject({ path: root.nullable() }), ({ home }, { path }) =>
    listDirectory(home, path),
  ),
  preview: call(z.strictObject({ root }), ({ connector }, body) => connector.preview(body.root)),
  'add-folder': call(
    z.strictObject({ root, settings: folderSettings }),
    ({ connector }, { root, settings }) => connector.addFolder(root, given(settings)),
  ),
  'change-folder': call(
    z.strictObject({ id, settings: folderSettings }),
    ({ connector }, { id, settings }) => connector.changeFolder(id, given(settings)),
  ),
  'remove-folder': call(z.strictObject({ id }), ({ connector }, { id }) =>
    connector.removeFolder(id),
  ),
  'answer-archive': call(
    z.strictObject({ id, archive: z.boolean() }),
    ({ connector }, { id, archive }) => connector.answerArchive(id, archive),
  ),
  'change-settings': call(deviceSettings, ({ connector }, settings) =>
    connector.changeSettings(given(settings)),
  ),
  pause: call(nothing, ({ connector }) => connector.pause()),
  resume: call(nothing, ({ connector }) => connector.resume()),
  // It may take hours: the page hears of a refusal here, and of everything else by the status.
  sync: call(nothing, ({ connector }) =>
    Promise.race([connector.syncOnce(), setTimeout(REFUSAL_MS)]),
  ),
  uninstall: call(nothing, async ({ connector, quit }) => {
    await connector.uninstall();
    setImmediate(() => void quit());
  }),
  quit: call(nothing, ({ quit }) => {
    setImmediate(() => void quit());
  }),
};

/** Does what the page asks for; every refusal is an Error with a sentence. */
export async function runCall(
  { takes, run }: Call,
  context: CallContext,
  body: unknown,
): Promise<unknown> {
  const read = takes.safeParse(body);
  if (!read.success) {
    throw new Error(read.error.issues[0]?.message);
  }
  return (await run(context, read.data as never)) ?? null;
}
