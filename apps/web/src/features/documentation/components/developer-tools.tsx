import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Clip } from '../../../components/clip.tsx';
import { CodeBlock, Section, TextSection } from './section.tsx';
import pythonSdk from '../python-sdk.json';
import typescriptSdk from '../typescript-sdk.json';
import { API_KEY_HEADER } from '@engram/contract/browser';

/** The environment variables of both SDKs. */
const ENVIRONMENT = `export ENGRAM_BASE_URL="${window.location.origin}"
export ENGRAM_API_KEY="eg_…"`;

/** SDKs, assistants and the Connector. */
export function DeveloperTools() {
  return (
    <Section id="developer-tools" title="Developer Tools">
      <p>Whatever the web app does with files and questions, your own programs can do too.</p>

      <TextSection id="api-key-generation" level={3}>
        <Clip name="engram-key" label="Making an API key">
          On the page Api a name is typed and Generate Key chosen. A dialog shows the new key, Copy
          puts it on the clipboard, and the list shows it masked. Then the documentation opens, at
          how a program uses the key.
        </Clip>
      </TextSection>

      <Section id="typescript-sdk" title="TypeScript SDK" level={3}>
        <p>
          <code>engram-kb</code> is the library for TypeScript and JavaScript, in Node 20 and later
          and in browsers. It is built in Engram’s checkout, and finds your server and key in the
          environment:
        </p>
        <SdkExamples sdk={typescriptSdk} language="TypeScript" />
        <p>
          Files of any size are sent and fetched a piece at a time, and each thing that can go wrong
          has an error of its own. It stands alone: nothing else is installed with it.
        </p>
      </Section>

      <Section id="python-sdk" title="Python SDK" level={3}>
        <p>
          Its sister of the same name and the same words is for Python 3.11 and later. It stands in
          Engram’s checkout under <code>sdks/python</code>:
        </p>
        <SdkExamples sdk={pythonSdk} language="Python" />
        <p>
          <code>AsyncEngram</code> has the same names, awaited. Files of any size are sent and
          fetched a piece at a time, each thing that can go wrong has an error of its own, and the
          command <code>engram-kb</code> uploads, asks and lists from a shell.
        </p>
      </Section>

      <AssistantsSection />

      <TextSection id="connectors" level={3} />
    </Section>
  );
}

const KEY = 'eg_…';

interface SdkExamplesProps {
  sdk: typeof pythonSdk;
  language: string;
}

const SdkExamples = ({ sdk, language }: SdkExamplesProps) => (
  <>
    <CodeBlock code={`${sdk.install}\n${ENVIRONMENT}`} label={`Installing the ${language} SDK`} />
    <p>A file goes in, a question is answered, and the answer says where it found that:</p>
    <CodeBlock code={sdk.start} label={`A question in ${language}`} />
    <p>Answers also come piece by piece:</p>
    <CodeBlock code={sdk.stream} label={`A streamed answer in ${language}`} />
  </>
);

/** The bridge in the folder where Engram is installed. */
const BRIDGE = '/path/to/engram/scripts/engram.cjs';

const json = (value: object): string => JSON.stringify(value, null, 2);

const mcpUrl = (): string => `${window.location.origin}/mcp`;

/** The settings of each assistant for this server. */
function snippets() {
  const url = mcpUrl();
  const headers = { [API_KEY_HEADER]: KEY };
  const env = { ENGRAM_BASE_URL: window.location.origin, ENGRAM_API_KEY: KEY };
  return {
    claudeCode: `claude mcp add --transport http engram \\\n  ${url} \\\n  --header "${API_KEY_HEADER}: ${KEY}"`,
    cursor: json({ mcpServers: { engram: { url, headers } } }),
    vsCode: json({ servers: { engram: { type: 'http', url, headers } } }),
    desktop: json({ mcpServers: { engram: { command: 'node', args: [BRIDGE, 'mcp'], env } } }),
  };
}

/** How to connect assistants over MCP, and what they may do. */
function AssistantsSection() {
  const code = snippets();
  return (
    <Section id="mcp" title="Assistants (MCP)" level={3}>
      <p>
        Assistants that speak the Model Context Protocol search your files at{' '}
        <code>{mcpUrl()}</code>. Given the address alone, they ask you in your browser whether they
        may; what you let in is listed, and ended, under Security in your profile. Or make a key
        under <Link to={`${paths.api}#api-keys`}>Api</Link>: one that only reads is enough for all
        but keeping notes. It goes into the header <code>{API_KEY_HEADER}</code>, or is sent as a
        bearer token.
      </p>
      <p>Claude Code:</p>
      <CodeBlock code={code.claudeCode} label="The command for Claude Code" />
      <p>
        Cursor, in <code>~/.cursor/mcp.json</code>:
      </p>
      <CodeBlock code={code.cursor} label="The settings for Cursor" />
      <p>
        VS Code, in <code>.vscode/mcp.json</code>:
      </p>
      <CodeBlock code={code.vsCode} label="The settings for VS Code" />
      <p>
        Claude Desktop, and other programs that start their tools themselves, on the machine where
        Engram is installed:
      </p>
      <CodeBlock code={code.desktop} label="The settings for Claude Desktop" />
      <p>
        Claude on the web and ChatGPT call from the internet: they need an Engram with a public
        address, and take that address as a custom connector.
      </p>
      <p>There are five tools, and none deletes:</p>
      <ul>
        <li>
          <code>search</code> finds passages, each with its place and a link that opens it here.
        </li>
        <li>
          <code>fetch</code> reads a file, or what stands around a passage.
        </li>
        <li>
          <code>ask</code> has Engram answer, with sources. A search and a question count as one
          question of your plan each.
        </li>
        <li>
          <code>list_files</code> lists files by name, keyword, kind and day.
        </li>
        <li>
          <code>add_text</code> keeps a text as a new file; a key that only reads is refused.
        </li>
      </ul>
    </Section>
  );
}
