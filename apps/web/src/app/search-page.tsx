import { Button, Title } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useRecentUntaggedFiles, useRecommendedQuestions } from '../features/search/api.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { useTodaysHistory } from '../features/history/api.ts';
import { useKeywords } from '../artifacts/keywords.ts';
import { CuratedQuestions } from '../features/search/components/chips.tsx';
import { EarlierToday } from '../features/search/components/earlier-today.tsx';
import { LoadFailure } from '../features/search/components/failure-notices.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { dayOf } from '../format/format.ts';
import { useTimeZone } from '../format/time-zone.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { useNow } from '../browser/clock.ts';
import { useHasArtifacts } from '../session/session.ts';
import { Composer, Narrowing } from './composer.tsx';
import classes from './search-page.module.css';
import { Thread } from './thread.tsx';
import { useSearchScreen, type SearchScreen } from './use-search-screen.ts';

/** With fewer curated questions than this, recent files are shown. */
const FEW_QUESTIONS = 3;

/**
 * Recent files, which replace the keywords if there are few curated questions and only default
 * keywords. `known` is whether everything has loaded, so that the content below does not move
 * later.
 */
function useRecentFiles(hasFiles: boolean) {
  const keywords = useKeywords();
  const questions = useRecommendedQuestions(hasFiles);
  const files = useRecentUntaggedFiles(
    (questions.data?.length ?? FEW_QUESTIONS) < FEW_QUESTIONS &&
      keywords.data?.every(({ isDefault }) => isDefault) === true,
  );
  // Stays true, because a retry must not hide the content again.
  const [known, setKnown] = useState(false);
  const isKnown = [keywords, questions, files].every(
    ({ isLoading, failureCount }) => !isLoading || failureCount > 0,
  );
  if (isKnown && !known) setKnown(true);
  return { known: known || isKnown, files: files.data };
}

/** The search page: the input is in the middle first, and below the conversation later. */
export default function SearchPage() {
  useDocumentTitle('Search');
  const screen = useSearchScreen();
  const hasFiles = useHasArtifacts();
  const started = screen.shown.status !== 'nothing';
  const { known, files } = useRecentFiles(hasFiles);
  // One tree for both layouts, so that the input keeps its focus and its text.
  return (
    <div className={started ? classes.talk : classes.start} data-answered={started || undefined}>
      <Title
        {...(started
          ? { fz: 'xl', pt: 20 }
          : { w: '100%', fz: 'clamp(26px, 4vw, 34px)', ta: 'center' })}
        data-page-heading
        tabIndex={-1}
      >
        Ask your AI Brain anything
      </Title>
      {started && <Thread screen={screen} />}
      <Composer screen={screen} hasFiles={hasFiles} />
      {!started &&
        (hasFiles ? <CuratedQuestions onAsk={(text) => screen.ask(text)} /> : <NoFiles />)}
      {!started && known && hasFiles && <Narrowing screen={screen} files={files} centered />}
      {known && <Today screen={screen} centered={!started} />}
    </div>
  );
}

function Today({ screen, centered }: { screen: SearchScreen; centered: boolean }) {
  const { timeZone } = useTimeZone();
  const { data, error, refetch } = useTodaysHistory();
  const { shown } = screen;
  const today = dayOf(useNow(), timeZone);
  const entries = useMemo(() => {
    const inTalk = new Set(shown.status === 'thread' ? shown.turns.map((t) => t.answer.id) : []);
    return (data ?? []).filter(
      (entry) =>
        !inTalk.has(entry.id) && !entry.isArchived && dayOf(entry.date, timeZone) === today,
    );
  }, [data, shown, timeZone, today]);
  if (!error && entries.length === 0) return null;
  return (
    <>
      {error && (
        <LoadFailure
          title="Error fetching search history"
          error={error}
          onRetry={() => void refetch()}
          centered={centered}
        />
      )}
      <EarlierToday entries={entries} onShow={screen.show} />
    </>
  );
}

function NoFiles() {
  const { open } = useUploadPanel();
  return (
    <EmptyState
      icon={<IconUpload size={24} stroke={1.6} />}
      title="No files yet"
      text="Upload documents, tables or notes. Then ask about them in your own words, and get the answer with the place it was found at."
      action={<Button onClick={open}>Upload</Button>}
    />
  );
}
