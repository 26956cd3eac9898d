import apiReference from 'virtual:api-reference';
import type { Field } from '../../../../build/api-reference.ts';
import type { ExampleCode } from '@engram/contract';
import { CodeBlock, LinkedSection } from './linked-section.tsx';
import { Box, Group, Tabs, Text } from '@mantine/core';
import { Tag } from '../../../components/tag.tsx';
import classes from './documentation.module.css';

type ApiCall = (typeof apiReference)[number]['calls'][number];
export type Language = keyof ExampleCode;

const languages: Record<Language, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
};

const anchorOf = (callId: string): string => callId.replace('.', '-');

const tones: Record<string, 'success' | 'danger'> = { GET: 'success', DELETE: 'danger' };

interface CallCardProps {
  call: ApiCall;
  language: Language;
  onLanguage: (language: Language) => void;
}

export function CallCard({ call, language, onLanguage }: CallCardProps) {
  const { id, method, path, summary, access, params, query, body, answer, errors, code } = call;
  return (
    <LinkedSection id={anchorOf(id)} title={summary} level={3}>
      <Group component="p" gap={8} mb={12}>
        <Tag tone={tones[method] ?? 'accent'}>{method}</Tag>
        <Text span size="sm" ff="monospace" c="var(--eg-ink)">
          {path}
        </Text>
      </Group>
      <Text size="sm" mb={12}>
        Access: {access}
      </Text>
      <Fields title="In the path" fields={params} />
      <Fields title="Query" fields={query} />
      {body && (
        <Fields title={`Body, ${body.mediaType}`} fields={body.fields} fallback={body.type} />
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
    </LinkedSection>
  );
}

function Answer({ answer }: Pick<ApiCall, 'answer'>) {
  const { type, message, pages, streams, fields, sameAs } = answer;
  const sameCall = apiReference.flatMap(({ calls }) => calls).find(({ id }) => id === sameAs);
  if (message === null) {
    return (
      <Text size="sm" mb={12}>
        Answer: {type}
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
        <p>As a stream it has the events {new Intl.ListFormat('en').format(streams)}.</p>
      )}
      {sameCall && (
        <p>
          It has the fields of <a href={`#${anchorOf(sameCall.id)}`}>{sameCall.summary}</a>.
        </p>
      )}
      <Fields title="data" fields={fields} />
    </details>
  );
}

interface FieldsProps {
  title: string;
  fields: readonly Field[];
  fallback?: string;
}

function Fields({ title, fields, fallback }: FieldsProps) {
  if (fields.length === 0 && fallback === undefined) return null;
  return (
    <Box mb={16}>
      <Text component="h4" m={0} mb={4} size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {fallback}
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
