import { ApiError } from '@engram/client';
import type { SharedAnswer } from '@engram/contract';
import { Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { useDocumentTitle } from '../../../browser/document-title.ts';
import citation from '../../../components/citation-number.module.css';
import { EmptyState, ErrorState } from '../../../components/empty-state.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { Logo } from '../../../components/logo.tsx';
import Markdown from '../../../components/markdown/markdown.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { formatLongDate, formatTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useSharedAnswer } from '../api.ts';
import classes from './shared-answer-page.module.css';

/** A shared answer. Links leave with a full reload, so that the app is loaded only on demand. */
export default function SharedAnswerPage() {
  const { id = '' } = useParams();
  const { isPending } = useSharedAnswer(id);
  return (
    <Stack
      maw="calc(680px + 2 * var(--eg-gutter))"
      mih="100dvh"
      mx="auto"
      px="var(--eg-gutter)"
      gap={0}
    >
      <meta name="robots" content="noindex, nofollow" />
      <Box component="header" py={16}>
        <Anchor
          component={Link}
          display="inline-flex"
          py={8}
          underline="never"
          reloadDocument
          to={paths.home}
          aria-label="Engram, to the home page"
        >
          <Logo />
        </Anchor>
      </Box>
      <Box component="main" flex="1 0 auto" miw={0} pt={32} pb={64} id="main" tabIndex={-1}>
        <Shared id={id} />
      </Box>
      {!isPending && <Footer />}
    </Stack>
  );
}

const Footer = () => (
  <>
    <hr />
    <Box component="footer" py={12}>
      {/* A full reload, because this page does not restore the session. */}
      <Anchor
        component={Link}
        display="inline-block"
        py={10}
        size="sm"
        c="dimmed"
        reloadDocument
        to={paths.home}
      >
        Answered by Engram
      </Anchor>
    </Box>
  </>
);

function Shared({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useSharedAnswer(id);
  const isMissing = error instanceof ApiError && error.status === 404;
  useDocumentTitle(!isMissing && data ? data.question : isMissing ? 'Not shared' : 'Engram');
  if (isMissing) {
    return (
      <EmptyState
        icon={<IconLinkOff size={24} stroke={1.6} />}
        title="This answer is no longer shared."
        text="The sender has stopped sharing it, or the link is incomplete. Ask them for a new one."
      />
    );
  }
  if (data) return <SharedPage answer={data} />;
  if (isPending) {
    return (
      <section aria-busy="true" aria-label="Loading the answer">
        <Skeleton height={30} width="80%" mb={16} />
        <Skeleton height={14} width="40%" mb={48} />
        {['97%', '92%', '95%', '60%'].map((width) => (
          <Skeleton key={width} height={15} width={width} mb={14} />
        ))}
      </section>
    );
  }
  return <ErrorState title="The answer could not be loaded" error={error} onRetry={refetch} />;
}

const sourceId = (n: number): string => `source-${n}`;

function SharedPage({ answer }: { answer: SharedAnswer }) {
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
          Sentences marked as not verified could not be found in the files.
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
                  <FileAndLocation source={source} />
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
                <FileAndLocation source={passage} />
              </Group>
            ))}
          </ul>
        </List>
      )}
    </article>
  );
}

const List = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Box component="section" mt={36} aria-labelledby={id}>
    <Text component="h2" mb={8} size="sm" fw={600} c="dimmed" id={id}>
      {title}
    </Text>
    {children}
  </Box>
);

type Source = SharedAnswer['sources'][number];

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

function FileAndLocation({ source: { fileName, location } }: { source: Source }) {
  const described = describeLocation(location, { fileName });
  return (
    <>
      <FileTypeIcon fileName={fileName} />
      {/* A long name breaks before the location is cut. */}
      <Text component="bdi" miw={0} flex="0 100 auto" style={{ overflowWrap: 'anywhere' }}>
        {fileName}
      </Text>
      {described.short && <PlacePill {...described} />}
    </>
  );
}
