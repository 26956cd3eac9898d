import type { Citation, RelatedFile } from '@engram/contract';
import { Box, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import {
  openEvidence,
  useSourceHover,
  useSourceList,
  type SourceList,
} from '../../../artifacts/evidence.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import number from '../../../components/citation-number.module.css';
import { Markdown } from '../../../components/markdown/lazy-markdown.tsx';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { completeMarkdown } from '../../../components/markdown/markdown-text.ts';
import { Notice } from '../../../components/notice.tsx';
import { formatLongDate, formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { isFound, type Answer } from '../answer.ts';
import { placesOf, type FoundPlaces } from '../found-places.ts';
import { CategoryIcon, mostCategories, type Category } from '../related-categories.tsx';
import { AnswerActions, type AnswerActionsProps } from './answer-actions.tsx';
import classes from './answer-panel.module.css';
import { ChipGroup, ChipItem } from './chips.tsx';
import { FoundSections } from './found-sections.tsx';
import type { Passage } from './how-found.tsx';
import cube from './loading-cube.module.css';

const HowFound = lazyPart(() => import('./how-found.tsx'));
const NotGroundedSuggestions = lazyPart(() => import('./not-grounded-suggestions.tsx'));
const RelatedFilesModal = lazyPart(() => import('./related-files-modal.tsx'));

interface AnswerPanelProps extends AnswerActionsProps {
  onAsk: (question: string) => void;
  modelOffer: ReactNode;
  renderPassage: (passage: Passage, terms: readonly string[]) => ReactNode;
  /** Shows what the user can do if there is no answer. */
  onSearchAll?: () => void;
}

function When({ date }: { date: string }) {
  const { timeZone, labelOf } = useTimeZone();
  return (
    <Text component="header" mb={-14} size="sm" c="dimmed">
      <span>{formatLongDate(date, timeZone)}</span> ·{' '}
      <time dateTime={date}>{formatTime(date, timeZone, labelOf(date))}</time>
    </Text>
  );
}

function ScopeNote({ keywords, files }: Pick<Answer, 'keywords' | 'files'>) {
  const names = files.map(({ fileName }) => fileName);
  const limits = [...(names.length > 3 ? [plural(names.length, 'file')] : names), ...keywords];
  if (limits.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt={-16} title={names.join('\n')}>
      Searched only in {limits.join(', ')}
    </Text>
  );
}

const DELAY_MS = 300;
const FADE_OUT_MS = 500;

function LoadingCube({ waiting }: { waiting: boolean }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(waiting), waiting ? DELAY_MS : FADE_OUT_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  if (!shown) return null;
  return (
    <div
      className={cube.overlay}
      data-leaving={!waiting || undefined}
      aria-hidden="true"
      data-testid="loading-cube"
    >
      <div className={cube.cube}>
        {['front', 'back', 'right', 'left', 'top', 'bottom'].map((face) => (
          <span key={face} className={cube.face} data-face={face} />
        ))}
      </div>
    </div>
  );
}

interface AnswerTextProps extends Pick<AnswerPanelProps, 'answer' | 'pending'> {
  sources: SourceList;
}

function AnswerText({ answer, pending, sources }: AnswerTextProps) {
  const waiting = pending && !answer.markdown && answer.found.length === 0;
  const citations = answer.grounded ? answer.citations : [];
  const renderCitation = (n: number): ReactNode => {
    const citation = citations.find((candidate) => candidate.n === n);
    if (citation) return <CitationButton citation={citation} sources={sources} />;
    // The source arrives with the end of the answer.
    return pending || answer.stopped ? <span className={number.number}>{n}</span> : null;
  };
  return (
    <Box pos="relative" miw={0} {...(waiting ? { mih: 180, pt: 160 } : {})}>
      <LoadingCube waiting={waiting} />
      {answer.markdown && (
        <Markdown renderCitation={renderCitation}>
          {pending || answer.stopped ? completeMarkdown(answer.markdown) : answer.markdown}
        </Markdown>
      )}
      {/* Screen readers read the status instead. */}
      {pending && answer.step && (
        <Text
          key={answer.step}
          {...(waiting ? { ta: 'center' } : {})}
          {...(answer.markdown ? { mt: 14 } : {})}
          size="sm"
          c="dimmed"
          aria-hidden="true"
        >
          {answer.step}
        </Text>
      )}
    </Box>
  );
}

const framed = { withBorder: true, radius: 12, px: 20, py: 18 } as const;

const passagesOf = ({ shown, more }: FoundPlaces): SourceList => ({
  list: [...shown, ...more].filter(({ numbers }) => numbers.length === 0).map((p) => p.citation),
  noun: 'passage',
});

function headingOf({ grounded }: Answer, hasCitations: boolean): string {
  if (!grounded) return 'Nearest passages';
  return hasCitations ? 'Sources' : 'Found in your files';
}

export function AnswerPanel(props: AnswerPanelProps) {
  const { answer, pending, onAsk, onSearchAll } = props;
  // Null until the list of files is first opened.
  const [files, setFiles] = useState<{ category: Category | 'All'; opened: boolean } | null>(null);
  const showFiles = (category: Category | 'All') => setFiles({ category, opened: true });
  const places = useMemo(() => placesOf(answer), [answer]);
  const passages = useMemo(() => passagesOf(places), [places]);
  const sources = useMemo((): SourceList => ({ list: answer.citations, noun: 'source' }), [answer]);
  const found = isFound(answer);
  const hasCitations = answer.grounded && answer.citations.length > 0 && !found;
  const onInteract = useSourceList(answer.question, hasCitations ? sources : passages);
  const text = !found && <AnswerText {...{ answer, pending, sources }} />;
  // While a model may still write, the found passages are not shown yet.
  const sections = !(pending && answer.mode === null) && (
    <>
      <FoundSections
        heading={headingOf(answer, hasCitations)}
        places={places}
        isAnswer={found}
        onOpen={({ citation: { n }, numbers }) =>
          openEvidence({ ...(numbers.length > 0 ? sources : passages), n })
        }
      />
      {found && props.modelOffer}
    </>
  );
  return (
    <Stack
      component="article"
      miw={0}
      gap={24}
      aria-label="Answer"
      data-answer
      aria-busy={pending}
      onPointerDownCapture={onInteract}
      onFocusCapture={onInteract}
    >
      <When date={answer.date} />
      <h2 className={classes.question}>{answer.question}</h2>
      <ScopeNote keywords={answer.keywords} files={answer.files} />
      {answer.notice && (
        <Notice tone="quiet" icon={IconInfoCircle}>
          {answer.notice}
        </Notice>
      )}
      {answer.unverified.length > 0 && (
        <Notice tone="quiet" icon={IconInfoCircle}>
          Sentences marked as not verified could not be found in your files.
        </Notice>
      )}
      {answer.grounded ? (
        text
      ) : (
        <Paper {...framed}>
          <Stack gap={24}>
            {text}
            {sections}
            {onSearchAll && <NotGroundedSuggestions {...answer} onSearchAll={onSearchAll} />}
          </Stack>
        </Paper>
      )}
      {found && sections}
      {answer.markdown && <AnswerActions {...props} />}
      {answer.grounded && !found && sections}
      {answer.recommendations.length > 0 && (
        <ChipGroup heading="Recommended questions on this topic...">
          {answer.recommendations.map((question) => (
            <ChipItem key={question} onClick={() => onAsk(question)}>
              {question}
            </ChipItem>
          ))}
        </ChipGroup>
      )}
      {!pending && answer.related.length > 0 && (
        <RelatedFilesRow files={answer.related} onView={showFiles} />
      )}
      {!pending && answer.explain && (
        <HowFound explanation={answer.explain} renderPassage={props.renderPassage} />
      )}
      {files && (
        <RelatedFilesModal
          question={answer.question}
          files={answer.related}
          receivedAt={answer.receivedAt}
          {...files}
          onCategory={showFiles}
          onClose={() => setFiles({ ...files, opened: false })}
        />
      )}
    </Stack>
  );
}

function CitationButton({ citation, sources }: { citation: Citation; sources: SourceList }) {
  const { n, fileName } = citation;
  const { spoken } = describeLocation(citation.location, citation);
  return (
    <UnstyledButton
      className={number.number}
      data-inline
      aria-label={`Source ${n}: ${[fileName, spoken].filter(Boolean).join(', ')}`}
      {...useSourceHover(citation)}
      onClick={() => openEvidence({ ...sources, n })}
    >
      {n}
    </UnstyledButton>
  );
}

interface RelatedFilesRowProps {
  files: readonly RelatedFile[];
  onView: (category: Category | 'All') => void;
}

const RelatedFilesRow = ({ files, onView }: RelatedFilesRowProps) => (
  <ChipGroup heading="Related Files..">
    {mostCategories(files).map(({ category, count }) => (
      <ChipItem
        key={category}
        icon={<CategoryIcon category={category} />}
        onClick={() => onView(category)}
      >
        {category} {count}
      </ChipItem>
    ))}
    <ChipItem accent onClick={() => onView('All')}>
      View All
    </ChipItem>
  </ChipGroup>
);
