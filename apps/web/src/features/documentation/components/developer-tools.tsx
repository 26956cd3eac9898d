import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Soon } from '../../../components/soon.tsx';
import { AssistantsSection } from './assistants.tsx';
import { Clip } from './clip.tsx';
import { CodeBlock } from './code-block.tsx';
import { Section } from './section.tsx';

/** A call in Python as it works today, without a package. */
const PYTHON = `import json
from os import environ
from urllib.request import Request, urlopen

request = Request(
    f"{environ['ENGRAM_URL']}/v1/search",
    method="POST",
    headers={
        "ENGRAM-API-KEY": environ["ENGRAM_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({"text": "When does the lease end?", "audio": False}).encode(),
)
with urlopen(request) as response:
    print(json.load(response)["data"]["answers"][0])`;

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

      <Section id="python-sdk" title="Python SDK" level={3}>
        <p>
          <Soon />
        </p>
        <p>
          A package for Python is being made. Until then Python’s own library is enough; every call
          below has an example like this one.
        </p>
        <CodeBlock code={PYTHON} label="A question in Python" />
      </Section>

      <AssistantsSection />

      <Section id="connectors" title="Connectors" level={3}>
        <p>
          <Soon />
        </p>
        <p>
          The Connector will keep a folder of your computer in step with your files, every five
          minutes unless you set otherwise, on Windows and macOS.{' '}
          <Link to={paths.connector}>The Connector’s page</Link> tells how it will work.
        </p>
      </Section>
    </Section>
  );
}
