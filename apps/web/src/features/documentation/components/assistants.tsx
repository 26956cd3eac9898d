import { API_KEY_HEADER } from '@engram/contract/browser';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { mcpAddress } from '../../../browser/mcp-address.ts';
import { CodeBlock } from './code-block.tsx';
import { Section } from './section.tsx';

const KEY = 'eg_…';

/** The bridge, in the folder where Engram is installed. */
const BRIDGE = '/path/to/engram/scripts/engram.cjs';

const json = (value: object): string => JSON.stringify(value, null, 2);

/** What each assistant is told, for the address of this server. */
function snippets() {
  const url = mcpAddress();
  const headers = { [API_KEY_HEADER]: KEY };
  const env = { ENGRAM_BASE_URL: window.location.origin, ENGRAM_API_KEY: KEY };
  return {
    claudeCode: `claude mcp add --transport http engram \\\n  ${url} \\\n  --header "${API_KEY_HEADER}: ${KEY}"`,
    cursor: json({ mcpServers: { engram: { url, headers } } }),
    vsCode: json({ servers: { engram: { type: 'http', url, headers } } }),
    desktop: json({ mcpServers: { engram: { command: 'node', args: [BRIDGE, 'mcp'], env } } }),
  };
}

/** How assistants are connected over MCP, and what they may do then. */
export function AssistantsSection() {
  const code = snippets();
  return (
    <Section id="mcp" title="Assistants (MCP)" level={3}>
      <p>
        Assistants that speak the Model Context Protocol search your files at{' '}
        <code>{mcpAddress()}</code>. Given the address alone, they ask you in your browser whether
        they may; what you let in is listed, and ended, under Security in your profile. Or make a
        key under <Link to={`${paths.api}#api-keys`}>Api</Link>: one that only reads is enough for
        all but keeping notes. It goes into the header <code>{API_KEY_HEADER}</code>, or is sent as
        a bearer token.
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
