import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { bridge } from './bridge.ts';
import { type BridgeSettings, readSettings, USAGE } from './options.ts';

/** Standard output belongs to the protocol. Messages go to standard error, each once. */
function createTeller(): (sentence: string) => void {
  let last = '';
  return (sentence) => {
    if (sentence !== last) process.stderr.write(`engram mcp: ${sentence}\n`);
    last = sentence;
  };
}

function settingsOf(args: string[]): BridgeSettings | null {
  try {
    return readSettings(args, process.env);
  } catch (error) {
    process.stderr.write(`engram mcp: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

const settings = settingsOf(process.argv.slice(2));
if (settings === null) process.stdout.write(USAGE);
else {
  const { endpoint, apiKey } = settings;
  const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  await bridge({
    program: new StdioServerTransport(),
    server: new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }),
    tell: createTeller(),
  });
}
