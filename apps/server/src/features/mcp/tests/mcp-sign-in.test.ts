import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  aProgram,
  CALLBACK,
  clientIdOf,
  createDesk,
} from '../../../tests/connections.test-setup.ts';
import { connectOverHttp, GENERATIONS, newClient } from '../../../tests/mcp-clients.test-setup.ts';
import { type OauthProgram, oauthProgram } from '../../../tests/oauth-program.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe('assistants that a user authorizes', () => {
  const engram = useTestApp();
  let program: OauthProgram;
  let desk: ReturnType<typeof createDesk>;
  let ann: SignedInUser;

  beforeAll(async () => {
    program = oauthProgram(engram.origin);
    desk = createDesk(engram, program);
    ann = await engram.signIn('ann@example.org');
  });

  /** Authorizes a client that knows only the protocol. */
  const tokenFor = async (resource: string, scope?: string): Promise<string> => {
    const clientId = clientIdOf(await program.register(aProgram()));
    const authorization = { clientId, redirectUri: CALLBACK, resource };
    const { tokens } = await desk.connect(
      ann,
      scope === undefined ? authorization : { ...authorization, scope },
    );
    return tokens.access_token;
  };

  test('the address alone is enough to discover the authorization server', async () => {
    let clientInformation: OAuthClientInformationMixed | undefined;
    let tokens: OAuthTokens | undefined;
    let verifier = '';
    let authorizationUrl: URL | undefined;
    const provider = {
      redirectUrl: CALLBACK,
      clientMetadata: { client_name: 'Reading Lamp', redirect_uris: [CALLBACK] },
      clientInformation: () => clientInformation,
      saveClientInformation: (value: OAuthClientInformationMixed) =>
        void (clientInformation = value),
      tokens: () => tokens,
      saveTokens: (value: OAuthTokens) => void (tokens = value),
      redirectToAuthorization: (url: URL) => void (authorizationUrl = url),
      saveCodeVerifier: (value: string) => void (verifier = value),
      codeVerifier: () => verifier,
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL('/mcp', engram.origin), { authProvider: provider });
    const unauthorized = transport();
    await expect(newClient().connect(unauthorized)).rejects.toThrow('Unauthorized');
    const visit = await program.visit(authorizationUrl?.href ?? '');
    const redirect = await desk.answer(ann, visit, 'allow');
    await unauthorized.finishAuth(redirect.searchParams);
    const client: Client = newClient();
    await client.connect(transport());
    expect((await client.listTools()).tools).toHaveLength(6);
    await client.close();
  });

  test.each(GENERATIONS)('an assistant uses only what it was granted (%s)', async (generation) => {
    const address = `${engram.origin}/mcp`;
    const title = `Note of ${generation}`;
    const note = { name: 'add_text', arguments: { title, text: 'The otter sleeps.' } };
    const readToken = await tokenFor(address);
    const reader = await connectOverHttp(engram, generation, readToken, 'bearer');
    expect(await reader.callTool({ name: 'list_files', arguments: {} })).not.toHaveProperty(
      'isError',
      true,
    );
    expect(await reader.callTool(note)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^This connection is read-only.*files:write/u) }],
    });
    const writeToken = await tokenFor(address, 'files:read files:write');
    const writer = await connectOverHttp(engram, generation, writeToken, 'bearer');
    expect(await writer.callTool(note)).not.toHaveProperty('isError', true);
    await Promise.all([reader.close(), writer.close()]);
  });

  test('a token for another resource is refused', async () => {
    const token = await tokenFor(engram.origin);
    await expect(connectOverHttp(engram, '2026-07-28', token, 'bearer')).rejects.toThrow(
      'HTTP 401',
    );
  });
});
