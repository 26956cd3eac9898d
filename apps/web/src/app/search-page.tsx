import type { Artifact } from '@engram/contract';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconUpload, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { uploadPanel } from '../artifacts/dialogs.ts';
import { activeKeywords, keywordsErrorTitle, useKeywords } from '../artifacts/keywords.ts';
import { useNow } from '../browser/clock.ts';
import { useDocumentTitle } from '../browser/document-title.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { useTodaysHistory } from '../features/history/api.ts';
import { LocationToggle } from '../features/location/components/location-toggle.tsx';
import { useRecentUntaggedFiles, useRecommendedQuestions } from '../features/search/api.ts';
import {
  CuratedQuestions,
  KeywordFilter,
  RecentFiles,
} from '../features/search/components/chips.tsx';
import { EarlierToday } from '../features/search/components/earlier-today.tsx';
import {
  AskFailure,
  LoadFailure,
  ReadinessNotice,
} from '../features/search/components/notices.tsx';
import { SearchInput } from '../features/search/components/search-input.tsx';
import { dayOf, plural } from '../format/format.ts';
import { useTimeZone } from '../format/time-zone.ts';
import { useHasArtifacts } from '../session/session.ts';
import { loadShownAnswer } from './lazy-shown-answer.tsx';
import classes from './search-page.module.css';
import { Thread } from './thread.tsx';
import { useSearchScreen, type SearchScreen } from './use-search-screen.ts';

const MIN_QUESTIONS = 3;

/**
 * Recent files, which replace the keywords if there are few curated questions and only default keywords.
 * `known` is true once all of them are loaded, so that the layout below does not shift.
 */
function useRecentFiles(hasFiles: boolean) {
  const keywords = useKeywords();
  const questions = useRecommendedQuestions(hasFiles);
  const files = useRecentUntaggedFiles(
    (questions.data?.length ?? MIN_QUESTIONS) < MIN_QUESTIONS &&
      keywords.data?.every(({ isDefault }) => isDefault) === true,
  );
  // Stays true, so that a retry does not hide the content.
  const [known, setKnown] = useState(false);
  const isKnown = [keywords, questions, files].every(
    ({ isLoading, failureCount }) => !isLoading || failureCount > 0,
  );
  if (isKnown && !known) setKnown(true);
  return { known: known || isKnown, files: files.data };
}

export default function SearchPage() {
  useDocumentTitle('Search');
  const screen = useSearchScreen();
  const hasFiles = useHasArtifacts();
  const started = screen.shown.status !== 'empty';
  const { known, files } = useRecentFiles(hasFiles);
  // One tree for both layouts, so that the input keeps its focus and its text.
  return (
    <div
      className={started ? classes.conversation : classes.start}
      data-answered={started || undefined}
    >
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
      {!started && known && hasFiles && <ScopeControls screen={screen} files={files} centered />}
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
    const inConversation = new Set(
      shown.status === 'thread' ? shown.turns.map((t) => t.answer.id) : [],
    );
    return (data ?? []).filter(
      (entry) =>
        !inConversation.has(entry.id) && !entry.isArchived && dayOf(entry.date, timeZone) === today,
    );
  }, [data, shown, timeZone, today]);
  if (!error && entries.length === 0) return null;
  return (
    <>
      {error && (
        <LoadFailure
          title="Error fetching search history"
          error={error}
          onRetry={refetch}
          centered={centered}
        />
      )}
      <EarlierToday entries={entries} onShow={screen.show} />
    </>
  );
}

const NoFiles = () => (
  <EmptyState
    icon={<IconUpload size={24} stroke={1.6} />}
    title="No files yet"
    text="Upload documents, tables or notes. Then ask about them in your own words, and get answers with their sources."
    action={<Button onClick={() => uploadPanel.set(true)}>Upload</Button>}
  />
);

/** Stores the input's distance from the bottom of the window, for elements above it. */
function trackPosition(element: HTMLElement | null) {
  if (!element) return undefined;
  const { style } = document.documentElement;
  const store = (): void => {
    if (!element.isConnected) return;
    const above = `${Math.round(window.innerHeight - element.getBoundingClientRect().top)}px`;
    if (style.getPropertyValue('--eg-composer') !== above) {
      style.setProperty('--eg-composer', above);
    }
  };
  const observer = new ResizeObserver(store);
  observer.observe(element);
  // Content added below the input moves it without a resize.
  const content = new MutationObserver(() => requestAnimationFrame(store));
  if (element.parentElement) {
    content.observe(element.parentElement, { childList: true, subtree: true });
  }
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('scroll', store, { passive: true, signal });
  window.addEventListener('resize', store, { signal });
  return () => {
    observer.disconnect();
    content.disconnect();
    controller.abort();
    style.removeProperty('--eg-composer');
  };
}

function Composer({ screen, hasFiles }: { screen: SearchScreen; hasFiles: boolean }) {
  const { state, shown, ask } = screen;
  const inConversation = shown.status !== 'empty';
  const last = shown.status === 'thread' ? shown.turns.at(-1)?.answer.question : undefined;
  return (
    <div ref={inConversation ? trackPosition : null} className={classes.composer}>
      {screen.files.length > 0 && <ChosenFiles screen={screen} />}
      <SearchInput
        value={screen.draft}
        onChange={(text) => {
          screen.setDraft(text);
          void loadShownAnswer();
        }}
        onSubmit={(text) => ask(text)}
        lastQuestion={last ?? null}
        askedAt={state.status === 'asking' ? state.answer.receivedAt : null}
        onStop={screen.stop}
        inConversation={inConversation}
      />
      {inConversation && (
        <Group gap={12} wrap="nowrap" align="flex-start" justify="space-between">
          {hasFiles && (
            <Box component="details" pt={2} fz="sm" c="dimmed">
              <summary>
                {screen.keywords.length === 0
                  ? 'All keywords'
                  : `Only ${screen.keywords.join(', ')}`}
              </summary>
              <Box mt={10}>
                <ScopeControls screen={screen} centered={false} />
              </Box>
            </Box>
          )}
          <NewQuestion screen={screen} />
        </Group>
      )}
      {state.status === 'failed' && (
        <AskFailure
          error={state.error}
          // Uses the current keywords, because the original ones are no longer shown.
          onRetry={() => ask(state.question.text, { after: state.question.after })}
        />
      )}
      <ReadinessNotice />
    </div>
  );
}

const NewQuestion = ({ screen }: { screen: SearchScreen }) => (
  <Button
    variant="subtle"
    size="compact-sm"
    flex="none"
    leftSection={<IconPlus size={15} stroke={1.8} />}
    onClick={() => {
      screen.startNew();
      document.querySelector<HTMLElement>('[data-search-input]')?.focus();
    }}
  >
    New question
  </Button>
);

function ChosenFiles({ screen: { files, setFiles } }: { screen: SearchScreen }) {
  const [first] = files;
  const subject = files.length === 1 && first ? first.fileName : plural(files.length, 'file');
  return (
    <Group gap={8} wrap="nowrap" title={files.map(({ fileName }) => fileName).join('\n')}>
      <Text span size="sm" truncate>
        Searching in {subject}
      </Text>
      <Button
        variant="light"
        size="compact-sm"
        flex="none"
        aria-label="Search all files"
        onClick={() => setFiles([])}
      >
        <IconX size={15} stroke={2} aria-hidden="true" />
      </Button>
    </Group>
  );
}

interface ScopeControlsProps {
  screen: SearchScreen;
  files?: readonly Artifact[] | undefined;
  centered: boolean;
}

const ScopeControls = (props: ScopeControlsProps) => (
  <Stack gap={20}>
    <FilesOrKeywords {...props} />
    <LocationToggle centered={props.centered} />
  </Stack>
);

function FilesOrKeywords({ screen, files, centered }: ScopeControlsProps) {
  const { data, error, refetch } = useKeywords();
  const keywords = useMemo(() => activeKeywords(data), [data]);
  if (error && !data) {
    return (
      <LoadFailure
        title={keywordsErrorTitle(error)}
        error={error}
        onRetry={refetch}
        centered={centered}
      />
    );
  }
  if (files?.length && screen.keywords.length === 0) {
    return <RecentFiles files={files} selected={screen.files} onChange={screen.setFiles} />;
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
