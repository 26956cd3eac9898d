import { API_KEY_HEADER, generateApiKey } from '@engram/contract';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport as EarlierStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { SignedInUser, TestApp } from './app.test-setup.ts';

/** The generations of the protocol, each with its official client. */
export const GENERATIONS = ['2025-11-25', '2026-07-28'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** The client of an assistant, of any generation. */
export type McpClient = Pick<
  Client,
  | 'callTool'
  | 'close'
  | 'getInstructions'
  | 'getPrompt'
  | 'getServerVersion'
  | 'listPrompts'
  | 'listResources'
  | 'listResourceTemplates'
  | 'listTools'
  | 'readResource'
>;

const NAME = { name: 'a-test', version: '1.0.0' };

/** A client that needs its own kind of transport to connect. */
export const newClient = () =>
  new Client(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
export const newEarlierClient = (): EarlierClient => new EarlierClient(NAME);

/** The same, typed by what both have in common. */
export const asMcpClient = (client: Client | EarlierClient): McpClient =>
  client as unknown as McpClient;

/** A new API key of a user. */
export async function makeKey(user: SignedInUser, rules: { readOnly?: boolean } = {}) {
  const name = `Key ${crypto.randomUUID().slice(0, 8)}`;
  const { data } = await user.client.call(generateApiKey, { params: { name }, body: rules });
  return data.apiKey;
}

/** Connects to a server over HTTP, by an API key in its own header or as a bearer token. */
export async function connectOverHttp(
  { origin }: Pick<TestApp, 'origin'>,
  generation: Generation,
  apiKey: string,
  as: 'header' | 'bearer' = 'header',
): Promise<McpClient> {
  const url = new URL('/mcp', origin);
  const headers: Record<string, string> =
    as === 'header' ? { [API_KEY_HEADER]: apiKey } : { authorization: `Bearer ${apiKey}` };
  const options = { requestInit: { headers } };
  if (generation === '2025-11-25') {
    const client = newEarlierClient();
    await client.connect(new EarlierTransport(url, options) as never);
    return asMcpClient(client);
  }
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return asMcpClient(client);
}

/** A child process that speaks MCP over standard input and output. */
export interface StdioServer {
  args: string[];
  env: Record<string, string>;
}

/** Starts a program with this Node and connects to it. Its messages to the user are collected. */
export async function connectOverStdio({ args, env }: StdioServer, generation: Generation) {
  const messages: string[] = [];
  const server = { command: process.execPath, args, env, stderr: 'pipe' } as const;
  if (generation === '2025-11-25') {
    const client = newEarlierClient();
    const transport = new EarlierStdioTransport(server);
    transport.stderr?.on('data', (part) => messages.push(String(part)));
    await client.connect(transport as never);
    return { client: asMcpClient(client), messages };
  }
  const client = newClient();
  const transport = new StdioClientTransport(server);
  transport.stderr?.on('data', (part) => messages.push(String(part)));
  await client.connect(transport);
  return { client: asMcpClient(client), messages };
}
