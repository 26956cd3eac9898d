import type { SharedAnswer } from '@engram/contract';
import { Box, Group, Text } from '@mantine/core';
import citation from '../../../components/citation-number.module.css';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import Markdown from '../../../components/markdown/markdown.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { formatLongDate, formatTime } from '../../../format/format.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import classes from './shared-page.module.css';

const sourceId = (n: number): string => `source-${n}`;

/** A question and its answer, set like a page that somebody hands over. */
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
        <Box component="section" mt={36} aria-labelledby="sources">
          <Text component="h2" mb={8} size="sm" fw={600} c="dimmed" id="sources">
            Sources
          </Text>
          <ol>
            {sources.map((source) => (
              <Source key={source.n} source={source} />
            ))}
          </ol>
        </Box>
      )}
      {nearest.length > 0 && (
        <Box component="section" mt={36} aria-labelledby="nearest">
          <Text component="h2" mb={8} size="sm" fw={600} c="dimmed" id="nearest">
            The nearest passages, which do not answer it
          </Text>
          <ul>
            {nearest.map((passage) => (
              <Group
                component="li"
                key={passage.n}
                className={classes.source}
                gap={10}
                wrap="nowrap"
              >
                <NamedPlace source={passage} />
              </Group>
            ))}
          </ul>
        </Box>
      )}
    </article>
  );
}

type SourceOf = SharedAnswer['sources'][number];

/** The number in the text; it leads to the name below. */
function Reference({ source }: { source: SourceOf }) {
  const { n, fileName, location } = source;
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

function Source({ source }: { source: SourceOf }) {
  const { n } = source;
  return (
    <li className={classes.source} id={sourceId(n)} value={n} tabIndex={-1}>
      <Group gap={10} wrap="nowrap">
        <span className={citation.number} aria-hidden="true">
          {n}
        </span>
        <NamedPlace source={source} />
      </Group>
    </li>
  );
}

/** A file by name, and the place in it. */
function NamedPlace({ source: { fileName, location } }: { source: SourceOf }) {
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
