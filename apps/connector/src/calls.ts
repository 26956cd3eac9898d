import { z } from 'zod';
import type { Connector } from './connector.ts';

const id = z.int().positive();

export const folderRoot = z.string().trim().min(1, 'Type the path of a folder.').max(32_767);

const folderSettings = z.strictObject({
  keywords: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
  topFolderKeyword: z.boolean().optional(),
  intervalMs: z.int().min(1000, 'A folder is scanned at most once a second.').optional(),
  archive: z.boolean().optional(),
});

const noArguments = z.tuple([]);

/** The methods that the command and the page call by name, with their arguments. */
const CALLS = {
  status: noArguments,
  pair: z.tuple([
    z.string().trim().min(1, 'Type the address of your Engram.').max(2000),
    z.string().trim().min(1).max(1000).optional(),
  ]),
  preview: z.tuple([folderRoot]),
  addFolder: z.tuple([folderRoot, folderSettings]),
  changeFolder: z.tuple([id, folderSettings]),
  removeFolder: z.tuple([id]),
  answerArchive: z.tuple([id, z.boolean()]),
  changeSettings: z.tuple([
    z.strictObject({
      bytesPerSecond: z.int().min(1000).nullable().optional(),
      autostart: z.boolean().optional(),
    }),
  ]),
  pause: noArguments,
  resume: noArguments,
  syncOnce: noArguments,
  uninstall: noArguments,
} satisfies Partial<Record<keyof Connector, z.ZodType>>;

export type CallName = keyof typeof CALLS;

/** These methods, called over a socket. */
export type RemoteConnector = {
  [Name in CallName]: (
    ...args: Parameters<Connector[Name]>
  ) => Promise<Awaited<ReturnType<Connector[Name]>>>;
};

export const callNames = Object.keys(CALLS) as CallName[];

export const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name);

/** Validates input. Throws an Error with a message for users. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues[0]?.message);
}

/** Calls a method by its name. Throws an Error with a message for users. */
export async function callByName(
  connector: Connector,
  name: CallName,
  args: unknown,
): Promise<unknown> {
  const method = connector[name] as (...args: unknown[]) => unknown;
  return method.apply(connector, parseInput<z.ZodType>(CALLS[name], args) as unknown[]);
}
