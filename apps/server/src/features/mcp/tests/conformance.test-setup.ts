import {
  completable,
  type GetPromptResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { registerAskingTools, states } from './conformance-asking.test-setup.ts';

/** One red pixel, and a silent recording. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const PAUSE_MS = 50;

const text = (content: string) => ({ type: 'text' as const, text: content });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };
const embedded = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});

const contents = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

async function logThrice({ mcpReq }: ServerContext) {
  for (const step of ['started', 'processing data', 'completed']) {
    const verb = step.startsWith('processing') ? `Tool ${step}` : `Tool execution ${step}`;
    await mcpReq.log('info', verb);
    await wait(PAUSE_MS);
  }
  return { content: [text('Logged.')] };
}

async function progressThrice({ mcpReq }: ServerContext) {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    await wait(PAUSE_MS);
  }
  return { content: [text('Done.')] };
}

function registerTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: `Returns the content of ${name}.` }, () => ({
      content,
    }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_logging', { description: 'Logs.' }, logThrice);
  server.registerTool('test_logging_tool', { description: 'Logs.' }, logThrice);
  server.registerTool('test_tool_with_progress', { description: 'Progresses.' }, progressThrice);
}

function registerResources(server: McpServer): void {
  const read = (uri: URL, mimeType: string, content: { text: string } | { blob: string }) => ({
    contents: [{ uri: uri.href, mimeType, ...content }],
  });
  const metadataOf = (mimeType: string) => ({ description: 'For tests.', mimeType });
  const content = 'This is the content of the static text resource.';
  server.registerResource('static-text', 'test://static-text', metadataOf('text/plain'), (uri) =>
    read(uri, 'text/plain', { text: content }),
  );
  server.registerResource('static-binary', 'test://static-binary', metadataOf('image/png'), (uri) =>
    read(uri, 'image/png', { blob: PIXEL }),
  );
  server.registerResource('watched', 'test://watched-resource', metadataOf('text/plain'), (uri) =>
    read(uri, 'text/plain', { text: 'Watched.' }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, metadataOf('application/json'), (uri, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
    return read(uri, 'application/json', { text: JSON.stringify(data) });
  });
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

const promptOf = (
  ...contents: GetPromptResult['messages'][number]['content'][]
): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, () =>
    promptOf(text('This is a simple prompt for testing.')),
  );
  const cities = (prefix: string): string[] =>
    ['paris', 'park', 'party'].filter((city) => city.startsWith(prefix));
  const argsSchema = z.object({
    arg1: completable(z.string(), cities),
    arg2: z.string(),
  });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema },
    ({ arg1, arg2 }) => promptOf(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      promptOf(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () =>
    promptOf(image, text('Please analyze the image above.')),
  );
}

/** The server that the conformance suite expects, for one call. */
export function createConformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  registerAskingTools(server);
  return server;
}
