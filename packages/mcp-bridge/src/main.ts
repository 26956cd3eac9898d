import { parseArgs } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { bridge } from './bridge.ts';

const USAGE = `Usage: engram mcp [--url <address>] [--key <API key>]

Connects a program on this machine that speaks MCP over standard input and output with Engram.

  --url   where Engram runs; else ENGRAM_BASE_URL, else http://localhost:3000
  --key   an API key; better in ENGRAM_API_KEY, since other users of this machine can read arguments
`;

/** The first value that is set. A bundle's host passes `${…}` for fields that were not filled in. */
const firstOf = (...values: (string | undefined)[]): string | undefined =>
  values.map((value) => value?.trim()).find((value) => value && !value.startsWith('${'));

/** The MCP endpoint of the server at an address. */
function endpointOf(address: string): URL {
  const url = URL.parse(address);
  if (!url || !/^https?:$/u.test(url.protocol)) {
    throw new Error(`ENGRAM_BASE_URL must be an address such as http://localhost:3000: ${address}`);
  }
  // The address of the API, or of this endpoint, means the same server.
  const path = url.pathname.replace(/(?:\/(?:v1|mcp))?\/?$/u, '');
  return new URL(`${path}/mcp`, url.origin);
}

/** Standard output belongs to the protocol. Messages go to standard error, repeated ones once. */
let last = '';
function report(message: string): void {
  if (message !== last) process.stderr.write(`engram mcp: ${message}\n`);
  last = message;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { ENGRAM_BASE_URL, ENGRAM_API_KEY } = process.env;
  const endpoint = endpointOf(firstOf(values.url, ENGRAM_BASE_URL) ?? 'http://localhost:3000');
  // Without a key, the server responds that it is missing.
  const apiKey = firstOf(values.key, ENGRAM_API_KEY);
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : undefined;
  await bridge({
    program: new StdioServerTransport(),
    server: new StreamableHTTPClientTransport(endpoint, headers && { requestInit: { headers } }),
    report,
  });
}

try {
  await main();
} catch (error) {
  report(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
