import { API_KEY_HEADER, API_KEY_LIMIT } from '@engram/contract/browser';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { apiReference, type Language } from '../api-reference.ts';
import { CallCard } from './call-card.tsx';
import { CodeBlock } from './code-block.tsx';
import { Section } from './section.tsx';

/** What is said before the calls of a section. */
const introductions: Record<string, ReactNode> = {
  authentication: (
    <>
      <p>
        Send your key in the header <code>{API_KEY_HEADER}</code>. It opens files, keywords,
        questions, the history, suggestions, recommendations and reading the profile. Everything
        else, such as making keys or deleting the account, is answered with 403 and needs a person:
        sign in with a code as below, and send the token as <code>Authorization: Bearer</code>.
      </p>
      <p>
        A call with both a key and a token is refused with 400. A key that is wrong or revoked is
        answered with 401. A key always acts with the rights of a normal user, also where an admin
        made it. A person has up to {API_KEY_LIMIT} keys.
      </p>
    </>
  ),
  artifacts: (
    <p>
      An artifact is a file, or a note that was typed. It is searchable once{' '}
      <code>isVectorReady</code> is true; until then <code>uploadStatus</code> says how far it is.
    </p>
  ),
  keywords: <p>Keywords group files. Two that differ in case alone are one.</p>,
  search: (
    <p>
      A question is answered as JSON, or piece by piece as server-sent events where the call sends{' '}
      <code>Accept: text/event-stream</code>.
    </p>
  ),
  'search-history': <p>Every question and its answer is kept until you delete it.</p>,
  'user-profile': <p>A key reads the profile. To change it, or to delete the account, sign in.</p>,
  recommendations: <p>Questions that Engram has checked your own files can answer.</p>,
};

/** The API: how to begin, then every call as the contract describes it. */
export function ApiPart() {
  const [language, setLanguage] = useState<Language>('curl');
  const setup = `export ENGRAM_URL="${window.location.origin}"\nexport ENGRAM_API_KEY="eg_…"`;
  return (
    <>
      <Section id="get-started" title="Get Started">
        <p>
          <Link to={`${paths.api}#api-keys`}>Make a key</Link>, and put it where the examples find
          it:
        </p>
        <CodeBlock code={setup} label="Setting the address and the key" />
        <p>
          The examples run as they stand: the curl lines in a shell, the TypeScript in Node 24, the
          Python in 3.9 or later. Names in capitals, such as <code>ARTIFACT_ID</code>, are variables
          that you set to ids of your own.
        </p>
        <ul>
          <li>
            Every JSON answer is <code>{'{"message", "data"}'}</code>. Lists also carry{' '}
            <code>nextCursor</code> and <code>total</code>.
          </li>
          <li>
            Every error is <code>{'{"message", "code"}'}</code> with a fitting status:{' '}
            <code>message</code> is a sentence for a person, <code>code</code> a word that stays the
            same for programs. <code>X-Request-Id</code> names the request in the log of the server.
          </li>
          <li>
            Where calls come too fast, 429 says in <code>Retry-After</code> how many seconds to
            wait. Unless the server is set otherwise, a key makes 10 calls a second in the long run,
            and 50 at once.
          </li>
        </ul>
        <p>
          The whole contract, for code generators too, is at{' '}
          <a href="/v1/openapi.json" target="_blank" rel="noopener">
            /v1/openapi.json
          </a>
          .
        </p>
      </Section>
      {apiReference.map(({ id, title, calls }) => (
        <Section key={id} id={id} title={title}>
          {introductions[id]}
          {calls.map((call) => (
            <CallCard key={call.id} call={call} language={language} onLanguage={setLanguage} />
          ))}
        </Section>
      ))}
    </>
  );
}
