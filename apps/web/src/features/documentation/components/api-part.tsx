import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import apiReference from 'virtual:api-reference';
import type { Field } from '../../../../build/api-reference.ts';
import type { ExampleCode } from '@engram/contract';
import { CodeBlock, Section, TextSection } from './section.tsx';
import { Box, Group, Tabs, Text } from '@mantine/core';
import { Tag } from '../../../components/tag.tsx';
import classes from './documentation.module.css';

/** The API: how to start, then every call as described by the contract. */
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
      {apiReference.map(({ id, calls }) => (
        <TextSection key={id} id={id}>
          {calls.map((call) => (
            <CallCard key={call.id} call={call} language={language} onLanguage={setLanguage} />
          ))}
        </TextSection>
      ))}
    </>
  );
}

type ApiCall = (typeof apiReference)[number]['calls'][number];
type Language = keyof ExampleCode;

const languages: Record<Language, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
};

/** The id of a call's section on the page. */
const placeOf = (callId: string): string => callId.replace('.', '-');

const tones: Record<string, 'success' | 'danger'> = { GET: 'success', DELETE: 'danger' };

interface CallCardProps {
  call: ApiCall;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** A call with its input, response, errors and example code. */
function CallCard({ call, language, onLanguage }: CallCardProps) {
  const { id, method, path, summary, access, params, query, body, answer, errors, code } = call;
  return (
    <Section id={placeOf(id)} title={summary} level={3}>
      <Group component="p" gap={8} mb={12}>
        <Tag tone={tones[method] ?? 'accent'}>{method}</Tag>
        <Text span size="sm" ff="monospace" c="var(--eg-ink)">
          {path}
        </Text>
      </Group>
      <Text size="sm" mb={12}>
        Opens with: {access}
      </Text>
      <Fields title="In the path" fields={params} />
      <Fields title="Query" fields={query} />
      {body && (
        <Fields title={`Body, ${body.mediaType}`} fields={body.fields} otherwise={body.type} />
      )}
      <Tabs
        variant="pills"
        color="var(--eg-surface-hover)"
        radius={8}
        mt={4}
        value={language}
        onChange={(value) => onLanguage(value as Language)}
        keepMounted={false}
      >
        <Tabs.List mb={6} style={{ gap: 2 }} aria-label={`Language: ${summary}`}>
          {Object.entries(languages).map(([value, name]) => (
            <Tabs.Tab key={value} px={10} py={9} c="var(--eg-ink)" fw={550} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={language}>
          <CodeBlock code={code[language]} label={`${summary}, in ${languages[language]}`} />
        </Tabs.Panel>
      </Tabs>
      <Answer answer={answer} />
      <details className={classes.details}>
        <summary>Errors</summary>
        <Box component="ul" mb={12} fz={14}>
          {errors.map(({ status, reason }) => (
            <li key={status}>
              <Text span inherit display="inline-block" miw={36} fw={600} c="var(--eg-ink)">
                {status}
              </Text>{' '}
              {reason}
            </li>
          ))}
        </Box>
      </details>
    </Section>
  );
}

function Answer({ answer }: Pick<ApiCall, 'answer'>) {
  const { type, message, pages, streams, fields, sameAs } = answer;
  const same = apiReference.flatMap(({ calls }) => calls).find(({ id }) => id === sameAs);
  if (message === null) {
    return (
      <Text size="sm" mb={12}>
        Answers: {type}
      </Text>
    );
  }
  return (
    <details className={classes.details}>
      <summary>
        Answer:{' '}
        <Text span size="sm" c="dimmed">
          {type}
        </Text>
      </summary>
      <p>
        <code>message</code> is ‘{message}’{type === 'null' ? ', and data is null.' : '.'}
        {pages && ' nextCursor leads to the next page, and total counts all rows.'}
      </p>
      {streams.length > 0 && (
        <p>As a stream it comes as the events {new Intl.ListFormat('en').format(streams)}.</p>
      )}
      {same && (
        <p>
          The fields are those of <a href={`#${placeOf(same.id)}`}>{same.summary}</a>.
        </p>
      )}
      <Fields title="data" fields={fields} />
    </details>
  );
}

interface FieldsProps {
  title: string;
  fields: readonly Field[];
  /** Shown if there are no fields. */
  otherwise?: string;
}

function Fields({ title, fields, otherwise }: FieldsProps) {
  if (fields.length === 0 && otherwise === undefined) return null;
  return (
    <Box mb={16}>
      <Text component="h4" m={0} mb={4} size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {otherwise}
        </Text>
      )}
      <Box component="ul" m={0} p={0} fz={14}>
        {fields.map(({ name, type, required, description }) => (
          <Group
            component="li"
            key={name}
            className={classes.field}
            align="flex-start"
            gap="0 16px"
            m={0}
            py={7}
          >
            <Box flex="15 1 240px">
              <Text span size="sm" ff="monospace" c="var(--eg-ink)">
                {name}
              </Text>
              <Text size="sm" m={0} c="dimmed">
                {type}
                {required ? '' : ', optional'}
              </Text>
            </Box>
            <Box flex="22 1 340px">{description}</Box>
          </Group>
        ))}
      </Box>
    </Box>
  );
}
