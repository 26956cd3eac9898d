import { IconArrowLeft, IconMessageQuestion } from '@tabler/icons-react';
import type { HistoryThread } from '@engram/contract';
import { Anchor, Button, Center, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useHistoryEntry } from '../features/history/api.ts';
import { useUpdateHistory } from '../features/history/history-pages.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { HistoryList } from '../features/history/components/history-list.tsx';
import { AnswerSkeleton } from '../features/search/components/answer-skeleton.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import classes from './answer-layout.module.css';
import { ENTRY_PARAM, paths } from './paths.ts';
import { LazyAskedFrom, LazyMissingAnswer, LazyShownAnswer } from './lazy-shown-answer.tsx';
import { SharedAnswersButton } from './shared-answers-button.tsx';
import type { Arrival } from './use-search-screen.ts';
import { useThread } from './use-thread.ts';

/** Where the list and an answer stand side by side. */
const WIDE = '(min-width: 992px)';

/** Marks an address that was reached from the list: going back leads there. */
interface FromList {
  fromList: true;
}

/** Past questions by day; a click shows the answer again. */
export function HistoryPage() {
  useDocumentTitle('History');
  const { entryId, listAddress, show } = useShownEntry();
  const { mutate: update } = useUpdateHistory();
  const navigate = useNavigate();
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  // Known after the first look at the page, and before anything is painted.
  const [column, setColumn] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const chosen = useRef<string | null>(null);
  useEffect(() => {
    // Who has chosen a question reads on in its answer.
    if (entryId !== null && chosen.current === entryId)
      panel.current?.focus({ preventScroll: true });
    chosen.current = null;
  }, [entryId]);

  const onShow = useCallback(
    ({ id, isArchived }: HistoryThread, today: boolean) => {
      // An archived one can be brought back here alone.
      if (today && !isArchived) return void navigate(`${paths.search}?${ENTRY_PARAM}=${id}`);
      chosen.current = id;
      show(id);
    },
    [navigate, show],
  );
  /** False where the pane leaves no room for the list: what is not shown takes no focus. */
  const backToList = (): boolean => {
    const row = column?.querySelector<HTMLElement>('[data-question][aria-current]');
    row?.focus();
    return Boolean(row) && document.activeElement === row;
  };
  return (
    <div className={classes.page} data-detail={entryId !== null || undefined}>
      <div className={classes.left} ref={setColumn}>
        <Group className={classes.head} justify="space-between" gap={8}>
          <Text component="h1" fz={23} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
            History
          </Text>
          <SharedAnswersButton />
        </Group>
        {column && (isWide || entryId === null) && (
          <HistoryList shownId={entryId} onShow={onShow} column={isWide ? column : null} />
        )}
      </div>
      <section className={classes.right} ref={panel} aria-label="Answer" tabIndex={-1}>
        {entryId !== null && (
          <BackToList address={listAddress} {...(isWide ? { onBack: backToList } : {})} />
        )}
        <Detail
          entryId={entryId}
          onArchive={(historyId, isArchived) => update({ body: { historyId, isArchived } })}
        />
      </section>
    </div>
  );
}

/** The question that the address names, and how to show another one beside the same list. */
function useShownEntry() {
  const [params, setParams] = useSearchParams();
  const show = useCallback(
    (id: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          after.set(ENTRY_PARAM, id);
          return after;
        },
        { state: { fromList: true } satisfies FromList },
      ),
    [setParams],
  );
  const rest = new URLSearchParams(params);
  rest.delete(ENTRY_PARAM);
  const listAddress = `${paths.history}${rest.size > 0 ? `?${rest}` : ''}`;
  return { entryId: params.get(ENTRY_PARAM), listAddress, show };
}

interface BackToListProps {
  address: string;
  /** Given where the list stands beside the answer. */
  onBack?: () => boolean;
}

/** Leads from an answer to the list, to the place where it was left. */
function BackToList({ address, onBack }: BackToListProps) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: FromList | null };
  return (
    <Anchor
      component={Link}
      to={address}
      className={classes.back}
      display="inline-block"
      mb={8}
      py={8}
      fw={600}
      underline="never"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        const isBack = onBack?.() ?? false;
        if (isBack || state?.fromList) event.preventDefault();
        if (!isBack && state?.fromList) void navigate(-1);
      }}
    >
      <Group component="span" gap={6}>
        <IconArrowLeft size={17} stroke={1.8} aria-hidden="true" />
        All questions
      </Group>
    </Anchor>
  );
}

interface DetailProps {
  entryId: string | null;
  onArchive: (id: string, archived: boolean) => void;
}

/** The talk that the chosen question belongs to. */
function Detail({ entryId, onArchive }: DetailProps) {
  const talk = useThread(entryId);
  // A long talk is drawn piece by piece.
  const answers = useDeferredValue(talk.data, undefined);
  const entry = useHistoryEntry(entryId);
  const navigate = useNavigate();
  if (entryId === null) {
    return (
      <Center h="100%" className={classes.hint}>
        <EmptyState
          icon={<IconMessageQuestion size={24} stroke={1.6} />}
          title="Choose a question"
          text="Its answer opens here, with the sources it came from."
        />
      </Center>
    );
  }
  const ask = (question: string): void => {
    void navigate(paths.search, { state: { ask: question } satisfies Arrival });
  };
  const followUp = (): void => {
    const address = `${paths.search}?${ENTRY_PARAM}=${entryId}`;
    void navigate(address, { state: { followUp: true } satisfies Arrival });
  };
  return (
    <>
      {answers && (
        <Stack gap={40}>
          {answers.map((answer) => (
            <LazyShownAnswer
              key={answer.key}
              answer={answer}
              pending={false}
              onAsk={ask}
              {...(answer.id === null
                ? {}
                : { onArchive: (archived) => onArchive(answer.id ?? '', archived) })}
            />
          ))}
          <Group>
            <Button variant="default" radius="xl" onClick={followUp}>
              Ask a follow-up…
            </Button>
          </Group>
        </Stack>
      )}
      {answers && entry.data && (
        <LazyAskedFrom
          device={entry.data.device}
          latitude={entry.data.latitude}
          longitude={entry.data.longitude}
        />
      )}
      {!answers && !talk.isError && <AnswerSkeleton />}
      {talk.isError && !talk.data && (
        <LazyMissingAnswer error={talk.error} onRetry={() => void talk.refetch()} />
      )}
    </>
  );
}
