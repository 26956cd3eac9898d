import {
  API_KEY_HEADER,
  API_KEY_LIMIT,
  KEYWORD_LIMIT,
  listTypes,
  mediaTypesText,
  QUESTION_LIMIT,
  TEXT_WORD_LIMIT,
} from '@engram/contract/browser';
import { useState, type ReactNode } from 'react';
import apiReference from 'virtual:api-reference';
import { useAppSettings } from '../../../api/settings.ts';
import { AppText } from '../../../components/app-text.tsx';
import { Clip } from '../../../components/clip.tsx';
import { contents, type Section } from '../contents.ts';
import pythonSdk from '../python-sdk.json';
import typescriptSdk from '../typescript-sdk.json';
import { CallCard, type Language } from './call-card.tsx';
import { CodeBlock, LinkedSection } from './linked-section.tsx';

const API_KEY = 'eg_…';
const { origin } = window.location;
const mcpUrl = `${origin}/mcp`;
const chatUrl = `${origin}/v1/openai`;

const environment = `export ENGRAM_BASE_URL="${origin}"\nexport ENGRAM_API_KEY="${API_KEY}"`;

const json = (value: object): string => JSON.stringify(value, null, 2);

const mcpServer = { url: mcpUrl, headers: { [API_KEY_HEADER]: API_KEY } };

/** Starts the MCP bridge in the folder where Engram is installed. */
const mcpBridge = {
  command: 'node',
  args: ['/path/to/engram/scripts/engram.cjs', 'mcp'],
  env: { ENGRAM_BASE_URL: origin, ENGRAM_API_KEY: API_KEY },
};

const code: Record<string, { label: string; code: string }> = {
  typescriptInstall: {
    label: 'Installing the TypeScript SDK',
    code: `${typescriptSdk.install}\n${environment}`,
  },
  typescriptStart: { label: 'A question in TypeScript', code: typescriptSdk.start },
  typescriptStream: { label: 'A streamed answer in TypeScript', code: typescriptSdk.stream },
  pythonInstall: {
    label: 'Installing the Python SDK',
    code: `${pythonSdk.install}\n${environment}`,
  },
  pythonStart: { label: 'A question in Python', code: pythonSdk.start },
  pythonStream: { label: 'A streamed answer in Python', code: pythonSdk.stream },
  openaiPython: {
    label: "A question in OpenAI's library",
    code: `from openai import OpenAI

client = OpenAI(base_url="${chatUrl}", api_key="${API_KEY}")
answer = client.chat.completions.create(
    model="engram",
    messages=[{"role": "user", "content": "How much notice does the lease need?"}],
)
print(answer.choices[0].message.content)`,
  },
  claudeCode: {
    label: 'The command for Claude Code',
    code: `claude mcp add --transport http engram \\\n  ${mcpUrl} \\\n  --header "${API_KEY_HEADER}: ${API_KEY}"`,
  },
  cursor: {
    label: 'The settings for Cursor',
    code: json({ mcpServers: { engram: mcpServer } }),
  },
  vsCode: {
    label: 'The settings for VS Code',
    code: json({ servers: { engram: { type: 'http', ...mcpServer } } }),
  },
  claudeDesktop: {
    label: 'The settings for Claude Desktop',
    code: json({ mcpServers: { engram: mcpBridge } }),
  },
  setup: {
    label: 'Setting the address and the key',
    code: `export ENGRAM_URL="${origin}"\nexport ENGRAM_API_KEY="${API_KEY}"`,
  },
};

const blocks: Record<string, ReactNode> = {
  ...Object.fromEntries(
    Object.entries(code).map(([name, block]) => [name, <CodeBlock key={name} {...block} />]),
  ),
  quickStartClip: (
    <Clip name="engram-wide" label="From a file to the sentence that answers">
      Three files go into the upload panel and are ready a moment later. A question is typed, and
      the answer is the section of the lease with its page. A click on it opens the lease at that
      page, with the sentence marked.
    </Clip>
  ),
  keyClip: (
    <Clip name="engram-key" label="Creating an API key">
      On the page Api a name is typed, and Generate Key is clicked. A dialog shows the new key, Copy
      copies it, and the list shows it masked. Then the documentation opens, at how a program uses
      the key.
    </Clip>
  ),
  contract: (
    <p>
      The OpenAPI contract, also for code generators, is at{' '}
      <a href="/v1/openapi.json" target="_blank" rel="noopener">
        /v1/openapi.json
      </a>
      .
    </p>
  ),
};

export function Sections() {
  const [language, setLanguage] = useState<Language>('curl');
  const { mediaLimitMb, uploadLimitMb } = useAppSettings();
  const values = {
    mediaTypes: mediaTypesText,
    mediaLimitMb,
    uploadLimitMb,
    textWordLimit: TEXT_WORD_LIMIT,
    types: listTypes(),
    questionLimit: QUESTION_LIMIT,
    keywordLimit: KEYWORD_LIMIT,
    apiKeyHeader: API_KEY_HEADER,
    apiKeyLimit: API_KEY_LIMIT,
    mcpUrl,
    chatUrl,
  };
  const render = ({ id, title, text, children }: Section, level: 2 | 3 = 2): ReactNode => (
    <LinkedSection key={id} id={id} title={title} level={level}>
      <AppText values={values} blocks={blocks}>
        {text}
      </AppText>
      {children.map((child) => render(child, 3))}
      {apiReference
        .find((section) => section.id === id)
        ?.calls.map((call) => (
          <CallCard key={call.id} call={call} language={language} onLanguage={setLanguage} />
        ))}
    </LinkedSection>
  );
  return contents.flatMap(({ children }) => children.map((section) => render(section)));
}
