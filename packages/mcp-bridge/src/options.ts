import { parseArgs } from 'node:util';

export const USAGE = `Usage: engram mcp [--url <address>] [--key <API key>]

Connects a program on this machine that speaks MCP over standard input and output with Engram.

  --url   where Engram runs; else ENGRAM_BASE_URL, else http://localhost:3000
  --key   an API key; better in ENGRAM_API_KEY, since others of this machine can read arguments
`;

export interface BridgeSettings {
  endpoint: URL;
  /** Empty where none is set: the server says then what is missing. */
  apiKey: string;
}

/** What a bundle's host puts where nothing was filled in. */
const isUnfilled = (value: string): boolean => value === '' || value.startsWith('${');

/** The first of some values that says something. */
const firstOf = (...values: (string | undefined)[]): string | undefined =>
  values.map((value) => value?.trim()).find((value) => value !== undefined && !isUnfilled(value));

/**
 * Where to connect, and by which key.
 * @throws Error with a sentence where the arguments or the address make no sense; null for `--help`
 */
export function readSettings(
  args: string[],
  environment: Record<string, string | undefined>,
): BridgeSettings | null {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  const base = firstOf(values.url, environment['ENGRAM_BASE_URL']) ?? 'http://localhost:3000';
  const url = URL.parse(base);
  if (!url || !/^https?:$/u.test(url.protocol)) {
    throw new Error(`ENGRAM_BASE_URL must be an address such as http://localhost:3000: ${base}`);
  }
  // The address of the calls, or of this endpoint, means the same server.
  const path = url.pathname.replace(/(?:\/(?:v1|mcp))?\/?$/u, '');
  const apiKey = firstOf(values.key, environment['ENGRAM_API_KEY']) ?? '';
  return { endpoint: new URL(`${path}/mcp`, url.origin), apiKey };
}
