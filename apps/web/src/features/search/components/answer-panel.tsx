import { Box, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import type { RelatedFile, Citation } from '@engram/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Notice } from '../../../components/notice.tsx';
import number from '../../../components/citation-number.module.css';
import { completeMarkdown } from '../../../components/markdown/markdown-text.ts';
import { Markdown } from '../../../components/markdown/lazy-markdown.tsx';
import { formatLongDate, formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import type { Answer } from '../answer.ts';
import { AnswerActions, type AnswerActionsProps } from './answer-actions.tsx';
import classes from './answer-panel.module.css';
import { ChipGroup, ChipItem } from './chips.tsx';
import type { Passage } from './how-found.tsx';
import { LoadingCube } from './loading-cube.tsx';
import { usePointed } from '../../../artifacts/evidence.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { mostCategories, type Category } from '../related-categories.ts';
import { CategoryIcon } from './category-icon.tsx';

const HowFound = lazy(async () => ({ default: (await import('./how-found.tsx')).HowFound }));
const RelatedFilesModal = lazy(async () => ({
  default: (await import('./related-files-modal.tsx')).RelatedFilesModal,
}));

interface AnswerPanelProps extends AnswerActionsProps {
  onAsk: (question: string) => void;
  onOpenSource: (n: number) => void;
  onOpenFile: (file: RelatedFile) => void;
  /** Called when the answer gets the pointer or the focus. */
  onLooked: () => void;
  /** Whether files are shown beside the answer, where a dialog would cover them. */
  docked: boolean;
  /** The sections that were found: the answer itself, or below a written one. */
  sections: ReactNode;
  /** Whether the sections replace the answer's text. */
  isFound: boolean;
  renderPassage: (passage: Passage, terms: readonly string[]) => ReactNode;
  /** What to do about a question that the files do not answer. */
  suggestions?: ReactNode;
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

/** What the question was limited to. */
function Narrowing({ keywords, files }: Pick<Answer, 'keywords' | 'files'>) {
  const names = files.map(({ fileName }) => fileName);
  const limits = [...(names.length > 3 ? [plural(names.length, 'file')] : names), ...keywords];
  if (limits.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt={-16} title={names.join('\n')}>
      Asked only of {limits.join(', ')}
    </Text>
  );
}

/** The text of an answer, with the numbers of its sources. */
function AnswerText({
  answer,
  pending,
  onOpenSource,
}: Pick<AnswerPanelProps, 'answer' | 'pending' | 'onOpenSource'>) {
  const waiting = pending && !answer.markdown && answer.found.length === 0;
  const citations = answer.grounded ? answer.citations : [];
  const renderCitation = (n: number): ReactNode => {
    const citation = citations.find((candidate) => candidate.n === n);
    if (citation) return <CitationButton citation={citation} onOpen={onOpenSource} />;
    // Its source is known once the answer is complete.
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

/** A question, its answer with the sources, and further questions. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { answer, pending, isFound, onAsk, onOpenSource, sections, suggestions } = props;
  // Null until the list of files is first opened.
  const [files, setFiles] = useState<{ category: Category | 'All'; opened: boolean } | null>(null);
  const text = !isFound && <AnswerText {...{ answer, pending, onOpenSource }} />;
  const showFiles = (category: Category | 'All') => setFiles({ category, opened: true });
  return (
    <Stack
      component="article"
      miw={0}
      gap={24}
      aria-label="Answer"
      data-answer
      aria-busy={pending}
      onPointerDownCapture={props.onLooked}
      onFocusCapture={props.onLooked}
    >
      <When date={answer.date} />
      <h2 className={classes.question}>{answer.question}</h2>
      <Narrowing keywords={answer.keywords} files={answer.files} />
      {answer.notice && (
        <Notice tone="quiet" icon={IconInfoCircle}>
          {answer.notice}
        </Notice>
      )}
      {answer.unverified.length > 0 && (
        <Notice tone="quiet" icon={IconInfoCircle}>
          What is marked as not verified could not be found in your files.
        </Notice>
      )}
      {answer.grounded ? (
        text
      ) : (
        <Paper {...framed}>
          <Stack gap={24}>
            {text}
            {sections}
            {suggestions}
          </Stack>
        </Paper>
      )}
      {isFound && sections}
      {answer.markdown && <AnswerActions {...props} />}
      {answer.grounded && !isFound && sections}
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
        <Suspense>
          <HowFound explanation={answer.explain} renderPassage={props.renderPassage} />
        </Suspense>
      )}
      {files && (
        <Suspense>
          <RelatedFilesModal
            question={answer.question}
            files={answer.related}
            receivedAt={answer.receivedAt}
            {...files}
            onCategory={showFiles}
            onOpen={(file) => {
              if (props.docked) setFiles({ ...files, opened: false });
              props.onOpenFile(file);
            }}
            onClose={() => setFiles({ ...files, opened: false })}
          />
        </Suspense>
      )}
    </Stack>
  );
}

interface CitationButtonProps {
  citation: Citation;
  onOpen: (n: number) => void;
}

/** The number of a source in an answer's text. */
function CitationButton({ citation, onOpen }: CitationButtonProps) {
  const { n, fileName } = citation;
  const { spoken } = describeLocation(citation.location, citation);
  return (
    <UnstyledButton
      className={number.number}
      data-inline
      aria-label={`Source ${n}: ${[fileName, spoken].filter(Boolean).join(', ')}`}
      {...usePointed(citation)}
      onClick={() => onOpen(n)}
    >
      {n}
    </UnstyledButton>
  );
}

interface RelatedFilesRowProps {
  files: readonly RelatedFile[];
  /** Opens the list of all files, or of one category. */
  onView: (category: Category | 'All') => void;
}

function RelatedFilesRow({ files, onView }: RelatedFilesRowProps) {
  return (
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
}
