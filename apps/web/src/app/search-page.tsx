import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useEvidenceRoom } from '../artifacts/evidence.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { useTodaysHistory } from '../features/history/api/list-todays-history.ts';
import { useUpdateHistory } from '../features/history/api/update-history.ts';
import { activeKeywords, useKeywords } from '../features/keywords/api/list-keywords.ts';
import { fetchFailure } from '../features/keywords/fetch-failure.ts';
import { LocationToggle } from '../features/location/components/location-toggle.tsx';
import { AnswerSkeleton } from '../features/search/components/answer-skeleton.tsx';
import { AskFailure } from '../features/search/components/ask-failure.tsx';
import { CuratedQuestions } from '../features/search/components/curated-questions.tsx';
import { EarlierToday } from '../features/search/components/earlier-today.tsx';
import { KeywordFilter } from '../features/search/components/keyword-filter.tsx';
import { LoadFailure } from '../features/search/components/load-failure.tsx';
import { NotGroundedSuggestions } from '../features/search/components/not-grounded-suggestions.tsx';
import { ReadinessNotice } from '../features/search/components/readiness-notice.tsx';
import { SearchInput } from '../features/search/components/search-input.tsx';
import { useRecommendedQuestions } from '../features/search/api/list-recommended-questions.ts';
import { useSuggestions } from '../features/search/api/list-suggestions.ts';
import { useMetrics } from '../session/account.ts';
import { useDocumentTitle } from '../browser/document-title.ts';
import { dayOf } from '../format/format.ts';
import { useTimeZone } from '../format/time-zone.ts';
import { useUploadPanel } from '../uploads/upload-panel.ts';
import { useNow } from '../browser/use-now.ts';
import { useHasArtifacts } from '../session/use-session.ts';
import classes from './answer-layout.module.css';
import { FollowsOn } from './follows-on.tsx';
import { LazyMissingAnswer, LazyShownAnswer, loadShownAnswer } from './lazy-shown-answer.tsx';
import { useSearchScreen, type SearchScreen } from './use-search-screen.ts';

/** Whether what stands above the lower half is known, so that nothing pushes it down again. */
function useKnownAbove(hasFiles: boolean): boolean {
  const keywords = useKeywords();
  const questions = useRecommendedQuestions(hasFiles);
  // On a later visit the keywords are there before anything was asked for. What has been known stays
  // so: the lower half asks once more for what has failed, and would be gone again before the answer.
  const [known, setKnown] = useState(keywords.data !== undefined);
  const isKnown = [keywords, questions].every(
    ({ isLoading, failureCount: tries }) => !isLoading || tries > 0,
  );
  if (isKnown && !known) setKnown(true);
  return known || isKnown;
}

/** Asking the files: before a question the input in the middle, after it beside the answer. */
export function SearchPage() {
  useDocumentTitle('Search');
  const screen = useSearchScreen();
  const hasFiles = useHasArtifacts();
  const started = screen.shown.status !== 'nothing';
  const above = useKnownAbove(hasFiles);
  useEvidenceRoom(started);
  // One tree for both looks, so that the input keeps its focus and what was typed.
  return (
    <div className={started ? classes.page : classes.start} data-answered={started || undefined}>
      <div className={started ? classes.left : classes.middle}>
        <h1 className={classes.title} data-page-heading tabIndex={-1}>
          Ask your AI Brain anything
        </h1>
        <AskArea screen={screen} />
        {!started &&
          (hasFiles ? <CuratedQuestions onAsk={(text) => screen.ask(text)} /> : <NoFiles />)}
        {(started || above) && (
          <div className={classes.beside}>
            {(hasFiles || started) && <ActiveKeywords screen={screen} centered={!started} />}
            {(hasFiles || started) && <LocationToggle centered={!started} />}
            <Today screen={screen} centered={!started} />
          </div>
        )}
      </div>
      {started && (
        <div className={classes.right}>
          <Panel screen={screen} />
        </div>
      )}
    </div>
  );
}

interface PartProps {
  screen: SearchScreen;
}

/** The input with everything that has to be said about asking. */
function AskArea({ screen }: PartProps) {
  const { data: metrics } = useMetrics();
  const { state, ask, keywords, followUp, setFollowUp } = screen;
  const { data: suggestions = [] } = useSuggestions(screen.draft !== '');
  return (
    <div className={classes.ask} data-at-foot={screen.shown.status !== 'nothing' || undefined}>
      <SearchInput
        value={screen.draft}
        onChange={(text) => {
          screen.setDraft(text);
          // Who types will ask: what shows the answer is there by then.
          void loadShownAnswer();
        }}
        onSubmit={(text) => ask(text, { keywords, after: followUp?.id ?? null })}
        suggestions={suggestions}
        followsOn={followUp?.question ?? null}
        onStartFresh={() => setFollowUp(null)}
        askedAt={state.status === 'asking' ? state.answer.receivedAt : null}
        expired={metrics?.status === 'Expired'}
        compact={screen.shown.status !== 'nothing'}
      />
      {state.status === 'failed' && (
        <AskFailure
          error={state.error}
          // Narrowed to the keywords that are chosen by now: others would do so unseen.
          onRetry={() => ask(state.question.text, { after: state.question.after })}
        />
      )}
      <ReadinessNotice />
    </div>
  );
}

interface BesideProps extends PartProps {
  /** Whether it stands in the middle of the page. */
  centered: boolean;
}

function ActiveKeywords({ screen, centered }: BesideProps) {
  const { data, error, refetch } = useKeywords();
  const keywords = useMemo(() => activeKeywords(data), [data]);
  if (error && !data) {
    return (
      <LoadFailure
        title={fetchFailure(error)}
        error={error}
        onRetry={() => void refetch()}
        centered={centered}
      />
    );
  }
  return (
    <KeywordFilter
      keywords={keywords}
      selected={screen.keywords}
      onChange={screen.setKeywords}
      centered={centered}
    />
  );
}

/** Today's questions but the one just asked, which is no earlier one yet. */
function Today({ screen, centered }: BesideProps) {
  const { timeZone } = useTimeZone();
  const { data, error, refetch } = useTodaysHistory();
  const { state, shown } = screen;
  const today = dayOf(useNow(), timeZone);
  const justAsked = state.status === 'answered' ? state.answer.id : null;
  const entries = useMemo(
    () =>
      (data ?? []).filter(
        (entry) =>
          entry.id !== justAsked && !entry.isArchived && dayOf(entry.date, timeZone) === today,
      ),
    [data, justAsked, timeZone, today],
  );
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
      <EarlierToday
        entries={entries}
        shownId={shown.status === 'answer' ? shown.answer.id : null}
        onShow={screen.show}
      />
    </>
  );
}

function Panel({ screen }: PartProps): ReactNode {
  const { shown, ask, keywords, setKeywords, setFollowUp } = screen;
  const { open: openUpload } = useUploadPanel();
  const { mutate: update } = useUpdateHistory();
  if (shown.status === 'loading') return <AnswerSkeleton />;
  if (shown.status === 'missing')
    return <LazyMissingAnswer error={shown.error} onRetry={shown.retry} />;
  if (shown.status !== 'answer') return null;
  const { answer, pending } = shown;
  const { id, question, follows } = answer;
  return (
    <LazyShownAnswer
      answer={answer}
      pending={pending}
      onAsk={(text) => ask(text)}
      {...(id === null
        ? {}
        : {
            onSave: (isBookmark) => update({ historyId: id, isBookmark }),
            onFollowUp: () => setFollowUp({ id, question }),
          })}
      {...(follows === null
        ? {}
        : {
            followsOn: (
              <FollowsOn id={follows} onShow={screen.show} onAskAlone={() => ask(question)} />
            ),
          })}
      suggestions={
        <NotGroundedSuggestions
          keywords={keywords}
          onClearKeywords={() => {
            setKeywords([]);
            ask(question, { keywords: [], after: follows });
          }}
          onUpload={openUpload}
        />
      }
    />
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
