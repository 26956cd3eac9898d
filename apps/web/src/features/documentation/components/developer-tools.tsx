import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { AssistantsSection } from './assistants.tsx';
import { Clip } from '../../../components/clip.tsx';
import { CodeBlock } from './code-block.tsx';
import pythonSdk from '../python-sdk.json';
import { Section } from './section.tsx';
import typescriptSdk from '../typescript-sdk.json';

/** How both libraries find the server and the key. */
const ENVIRONMENT = `export ENGRAM_BASE_URL="${window.location.origin}"
export ENGRAM_API_KEY="eg_…"`;

/** What there is for people who write programs. */
export function DeveloperTools() {
  return (
    <Section id="developer-tools" title="Developer Tools">
      <p>Whatever the web app does with files and questions, your own programs can do too.</p>

      <Section id="api-key-generation" title="API Key Generation" level={3}>
        <ol>
          <li>
            Go to <Link to={`${paths.api}#api-keys`}>Api</Link> in the menu.
          </li>
          <li>Type a name for the key, after the program that will use it.</li>
          <li>
            Choose <strong>Generate Key</strong>, then <strong>Copy</strong>. The key is shown this
            once: Engram keeps only a fingerprint of it.
          </li>
          <li>
            Give it to your program as an environment variable or a secret, never in its source. A
            key that leaked is revoked with one click, and opens nothing from then on.
          </li>
        </ol>
        <Clip name="engram-key" label="Making an API key">
          On the page Api a name is typed and Generate Key chosen. A dialog shows the new key, Copy
          puts it on the clipboard, and the list shows it masked. Then the documentation opens, at
          how a program uses the key.
        </Clip>
      </Section>

      <Section id="typescript-sdk" title="TypeScript SDK" level={3}>
        <p>
          <code>engram-kb</code> is the library for TypeScript and JavaScript, in Node 20 and later
          and in browsers. It is built in Engram’s checkout, and finds your server and key in the
          environment:
        </p>
        <CodeBlock
          code={`${typescriptSdk.install}\n${ENVIRONMENT}`}
          label="Installing the TypeScript SDK"
        />
        <p>A file goes in, a question is answered, and the answer says where it found that:</p>
        <CodeBlock code={typescriptSdk.start} label="A question in TypeScript" />
        <p>Answers also come piece by piece:</p>
        <CodeBlock code={typescriptSdk.stream} label="A streamed answer in TypeScript" />
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
        <CodeBlock
          code={`${pythonSdk.install}\n${ENVIRONMENT}`}
          label="Installing the Python SDK"
        />
        <p>A file goes in, a question is answered, and the answer says where it found that:</p>
        <CodeBlock code={pythonSdk.start} label="A question in Python" />
        <p>Answers also come piece by piece:</p>
        <CodeBlock code={pythonSdk.stream} label="A streamed answer in Python" />
        <p>
          <code>AsyncEngram</code> has the same names, awaited. Files of any size are sent and
          fetched a piece at a time, each thing that can go wrong has an error of its own, and the
          command <code>engram-kb</code> uploads, asks and lists from a shell.
        </p>
      </Section>

      <AssistantsSection />

      <Section id="connectors" title="Connectors" level={3}>
        <p>
          The Connector keeps folders of your computer in step with your files, on Windows, macOS
          and Linux: new and changed files within seconds, and the whole folder every five minutes
          unless you set otherwise. <Link to={paths.connector}>The Connector’s page</Link> has the
          downloads and tells how it works.
        </p>
        <p>
          A program of your own does the same by the calls on files: ask which are there, send those
          that are new with their place, and say what a changed file replaces.
        </p>
      </Section>
    </Section>
  );
}
