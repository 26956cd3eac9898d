import type { SharedAnswer } from '@engram/contract';
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import citation from '../../../components/citation-number.module.css';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import Markdown from '../../../components/markdown/markdown.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { formatLongDate, formatTime } from '../../../format/format.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import classes from './shared-page.module.css';

const sourceId = (n: number): string => `source-${n}`;

/** A shared question with its answer and the names of its sources. */
export function SharedPage({ answer }: { answer: SharedAnswer }) {
  const { timeZone, labelOf } = useTimeZone();
  const { question, date, sources, nearest } = answer;
  return (
    <article aria-label="Shared answer">
      <Text
        component="h1"
        className={classes.question}
        fz="clamp(23px, 4vw, 30px)"
        fw={650}
        lh={1.25}
        data-page-heading
        tabIndex={-1}
      >
        {question}
      </Text>
      <Text mt={10} size="sm" c="dimmed">
        <time dateTime={date}>
          {formatLongDate(date, timeZone)} · {formatTime(date, timeZone, labelOf(date))}
        </time>
      </Text>
      <Box component="hr" mt={20} mb={28} />
      <Markdown
        renderCitation={(n) => {
          const source = sources.find((candidate) => candidate.n === n);
          return source ? <Reference source={source} /> : null;
        }}
      >
        {answer.answer}
      </Markdown>
      {/(?<!\\)\[unverified\]/u.test(answer.answer) && (
        <Text mt={20} size="sm" c="dimmed">
          What is marked as not verified could not be found in the files.
        </Text>
      )}
      {sources.length > 0 && (
        <List id="sources" title="Sources">
          <ol>
            {sources.map((source) => (
              <li
                key={source.n}
                className={classes.source}
                id={sourceId(source.n)}
                value={source.n}
                tabIndex={-1}
              >
                <Group gap={10} wrap="nowrap">
                  <span className={citation.number} aria-hidden="true">
                    {source.n}
                  </span>
                  <FileAndPlace source={source} />
                </Group>
              </li>
            ))}
          </ol>
        </List>
      )}
      {nearest.length > 0 && (
        <List id="nearest" title="The nearest passages, which do not answer it">
          <ul>
            {nearest.map((passage) => (
              <Group
                component="li"
                key={passage.n}
                className={classes.source}
                gap={10}
                wrap="nowrap"
              >
                <FileAndPlace source={passage} />
              </Group>
            ))}
          </ul>
        </List>
      )}
    </article>
  );
}

interface ListProps {
  id: string;
  title: string;
  children: ReactNode;
}

const List = ({ id, title, children }: ListProps) => (
  <Box component="section" mt={36} aria-labelledby={id}>
    <Text component="h2" mb={8} size="sm" fw={600} c="dimmed" id={id}>
      {title}
    </Text>
    {children}
  </Box>
);

type Source = SharedAnswer['sources'][number];

/** A citation's number, which links to its source below. */
function Reference({ source: { n, fileName, location } }: { source: Source }) {
  const { spoken } = describeLocation(location, { fileName });
  return (
    <a
      className={citation.number}
      data-inline
      href={`#${sourceId(n)}`}
      aria-label={`Source ${n}: ${[fileName, spoken].filter(Boolean).join(', ')}`}
    >
      {n}
    </a>
  );
}

function FileAndPlace({ source: { fileName, location } }: { source: Source }) {
  const place = describeLocation(location, { fileName });
  return (
    <>
      <FileTypeIcon fileName={fileName} />
      {/* A long name breaks before the place is cut. */}
      <Text component="bdi" miw={0} flex="0 100 auto" style={{ overflowWrap: 'anywhere' }}>
        {fileName}
      </Text>
      {place.short && <PlacePill {...place} />}
    </>
  );
}
