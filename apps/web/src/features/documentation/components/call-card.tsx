import { Tabs } from '@mantine/core';
import {
  apiReference,
  type ApiCall,
  type Field,
  type Language,
  languages,
  placeOf,
} from '../api-reference.ts';
import classes from './call-card.module.css';
import { CodeBlock } from './code-block.tsx';
import { Section } from './section.tsx';

const names: Record<Language, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
};

interface CallCardProps {
  call: ApiCall;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** One call: what it takes, what it answers, and how it is made. */
export function CallCard({ call, language, onLanguage }: CallCardProps) {
  const { id, method, path, summary, access, params, query, body, answer, errors, code } = call;
  return (
    <Section id={placeOf(id)} title={summary} level={3}>
      <p className={classes.line}>
        <span className={classes.method} data-method={method}>
          {method}
        </span>{' '}
        <span className={classes.path}>{path}</span>
      </p>
      <p className={classes.access}>Opens with: {access}</p>
      <Fields title="In the path" fields={params} />
      <Fields title="Query" fields={query} />
      {body && (
        <Fields title={`Body, ${body.mediaType}`} fields={body.fields} otherwise={body.type} />
      )}
      <Tabs
        unstyled
        className={classes.example ?? ''}
        value={language}
        onChange={(value) => onLanguage(value as Language)}
        keepMounted={false}
      >
        <Tabs.List className={classes.languages ?? ''} aria-label={`Language: ${summary}`}>
          {languages.map((one) => (
            <Tabs.Tab key={one} className={classes.language ?? ''} value={one}>
              {names[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((one) => (
          <Tabs.Panel key={one} value={one}>
            <CodeBlock code={code[one]} label={`${summary}, in ${names[one]}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Answer answer={answer} />
      <details className={classes.details}>
        <summary>Errors</summary>
        <ul className={classes.errors}>
          {errors.map(({ status, reason }) => (
            <li key={status}>
              <span className={classes.status}>{status}</span> {reason}
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Answer({ answer }: Pick<ApiCall, 'answer'>) {
  const { type, message, pages, streams, fields, sameAs } = answer;
  const same = apiReference.flatMap(({ calls }) => calls).find(({ id }) => id === sameAs);
  if (message === null) return <p className={classes.access}>Answers: {type}</p>;
  return (
    <details className={classes.details}>
      <summary>
        Answer: <span className={classes.type}>{type}</span>
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
  /** What is said in the place of fields, where there are none. */
  otherwise?: string;
}

function Fields({ title, fields, otherwise }: FieldsProps) {
  if (fields.length === 0 && otherwise === undefined) return null;
  return (
    <div className={classes.fields}>
      <h4 className={classes.title}>{title}</h4>
      {fields.length === 0 && <p className={classes.type}>{otherwise}</p>}
      <ul className={classes.list}>
        {fields.map(({ name, type, required, description }) => (
          <li key={name} className={classes.field}>
            <span className={classes.name}>{name}</span>
            <span className={classes.type}>
              {type}
              {required ? '' : ', optional'}
            </span>
            <span className={classes.description}>{description}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
