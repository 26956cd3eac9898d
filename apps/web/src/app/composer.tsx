import type { Artifact } from '@engram/contract';
import { suggestions as suggestionsRoute } from '@engram/contract/browser';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useCall } from '../api/use-call.ts';
import { activeKeywords, useKeywords, fetchFailure } from '../artifacts/keywords.ts';
import { LocationToggle } from '../features/location/components/location-toggle.tsx';
import { AskFailure, LoadFailure } from '../features/search/components/failure-notices.tsx';
import { KeywordFilter, RecentFiles } from '../features/search/components/chips.tsx';
import { ReadinessNotice } from '../features/search/components/readiness-notice.tsx';
import { SearchInput } from '../features/search/components/search-input.tsx';
import { plural } from '../format/format.ts';
import { useMetrics } from '../session/account.ts';
import { loadShownAnswer } from './lazy-shown-answer.tsx';
import classes from './search-page.module.css';
import type { SearchScreen } from './use-search-screen.ts';

/** Stores how far the input is above the bottom of the window, for elements positioned above it. */
function storePosition(element: HTMLElement | null) {
  if (!element) return undefined;
  const { style } = document.documentElement;
  const store = (): void => {
    const above = `${Math.round(window.innerHeight - element.getBoundingClientRect().top)}px`;
    if (style.getPropertyValue('--eg-composer') !== above) {
      style.setProperty('--eg-composer', above);
    }
  };
  const observer = new ResizeObserver(store);
  observer.observe(element);
  // At the end of the page its footer is below the input.
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('scroll', store, { passive: true, signal });
  window.addEventListener('resize', store, { signal });
  return () => {
    observer.disconnect();
    controller.abort();
    style.removeProperty('--eg-composer');
  };
}

export function Composer({ screen, hasFiles }: { screen: SearchScreen; hasFiles: boolean }) {
  const { data: metrics } = useMetrics();
  const { state, shown, ask } = screen;
  const { data: suggestions = [] } = useCall(
    suggestionsRoute,
    {},
    { enabled: screen.draft !== '' },
  );
  const inTalk = shown.status !== 'nothing';
  const last = shown.status === 'thread' ? shown.turns.at(-1)?.answer.question : undefined;
  return (
    <div ref={inTalk ? storePosition : null} className={classes.composer}>
      {screen.files.length > 0 && <ChosenFiles screen={screen} />}
      <SearchInput
        value={screen.draft}
        onChange={(text) => {
          screen.setDraft(text);
          void loadShownAnswer();
        }}
        onSubmit={(text) => ask(text)}
        suggestions={suggestions}
        lastQuestion={last ?? null}
        askedAt={state.status === 'asking' ? state.answer.receivedAt : null}
        onStop={screen.stop}
        expired={metrics?.status === 'Expired'}
        inTalk={inTalk}
      />
      {inTalk && (
        <Group gap={12} wrap="nowrap" align="flex-start" justify="space-between">
          {hasFiles && (
            <Box component="details" pt={2} fz="sm" c="dimmed">
              <summary>
                {screen.keywords.length === 0
                  ? 'All keywords'
                  : `Only ${screen.keywords.join(', ')}`}
              </summary>
              <Box mt={10}>
                <Narrowing screen={screen} centered={false} />
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

function NewQuestion({ screen }: { screen: SearchScreen }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      flex="none"
      leftSection={<IconPlus size={15} stroke={1.8} />}
      onClick={() => {
        screen.startFresh();
        document.querySelector<HTMLElement>('[data-search-input]')?.focus();
      }}
    >
      New question
    </Button>
  );
}

/** The files that questions are limited to, with a button to ask all files. */
function ChosenFiles({ screen: { files, setFiles } }: { screen: SearchScreen }) {
  const [first] = files;
  const what = files.length === 1 && first ? first.fileName : plural(files.length, 'file');
  return (
    <Group gap={8} wrap="nowrap" title={files.map(({ fileName }) => fileName).join('\n')}>
      <Text span size="sm" truncate>
        Asking {what}
      </Text>
      <Button
        variant="light"
        size="compact-sm"
        flex="none"
        aria-label="Ask all files"
        onClick={() => setFiles([])}
      >
        <IconX size={15} stroke={2} aria-hidden="true" />
      </Button>
    </Group>
  );
}

interface NarrowingProps {
  screen: SearchScreen;
  files?: readonly Artifact[] | undefined;
  centered: boolean;
}

/** The filters for questions, and the switch for the location. */
export function Narrowing({ screen, files, centered }: NarrowingProps) {
  const { data, error, refetch } = useKeywords();
  const keywords = useMemo(() => activeKeywords(data), [data]);
  return (
    <Stack gap={20}>
      {error && !data ? (
        <LoadFailure
          title={fetchFailure(error)}
          error={error}
          onRetry={() => void refetch()}
          centered={centered}
        />
      ) : files?.length && screen.keywords.length === 0 ? (
        <RecentFiles files={files} selected={screen.files} onChange={screen.setFiles} />
      ) : (
        <KeywordFilter
          keywords={keywords}
          selected={screen.keywords}
          onChange={screen.setKeywords}
          centered={centered}
        />
      )}
      <LocationToggle centered={centered} />
    </Stack>
  );
}
