import type { HistoryThread } from '@engram/contract';
import { Anchor, Button, Center, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconLink, IconMessageQuestion } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useDocumentTitle } from '../browser/document-title.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { lazyDialog } from '../components/lazy-part.tsx';
import { useUpdateHistory } from '../features/history/api.ts';
import { HistoryList } from '../features/history/components/history-list.tsx';
import classes from './answer-layout.module.css';
import {
  AnswerSkeleton,
  LazyAskedFrom,
  LazyMissingAnswer,
  LazyShownAnswer,
} from './lazy-shown-answer.tsx';
import { ENTRY_PARAM, paths } from './paths.ts';
import type { Arrival } from './use-search-screen.ts';
import { useThread } from './use-thread.ts';

const WIDE = '(min-width: 992px)';

/** Router state of an entry that was opened from the list, so that Back returns there. */
interface FromList {
  fromList: true;
}

export default function HistoryPage() {
  useDocumentTitle('History');
  const { entryId, listAddress, show } = useShownEntry();
  const navigate = useNavigate();
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const [column, setColumn] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const chosen = useRef<string | null>(null);
  useEffect(() => {
    if (entryId !== null && chosen.current === entryId)
      panel.current?.focus({ preventScroll: true });
    chosen.current = null;
  }, [entryId]);

  const onShow = useCallback(
    ({ id, isArchived }: HistoryThread, isToday: boolean) => {
      // The search page cannot restore an archived question.
      if (isToday && !isArchived) return void navigate(`${paths.search}?${ENTRY_PARAM}=${id}`);
      chosen.current = id;
      show(id);
    },
    [navigate, show],
  );
  /** Moves the focus to the list. False if the list is not visible. */
  const focusList = (): boolean => {
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
          <BackToList address={listAddress} {...(isWide ? { onBack: focusList } : {})} />
        )}
        <Detail entryId={entryId} />
      </section>
    </div>
  );
}

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
  const listParams = new URLSearchParams(params);
  listParams.delete(ENTRY_PARAM);
  const listAddress = `${paths.history}${listParams.size > 0 ? `?${listParams}` : ''}`;
  return { entryId: params.get(ENTRY_PARAM), listAddress, show };
}

function BackToList({ address, onBack }: { address: string; onBack?: () => boolean }) {
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

function Detail({ entryId }: { entryId: string | null }) {
  const { mutate: update } = useUpdateHistory();
  const conversation = useThread(entryId);
  // Deferred, because rendering a long conversation takes time.
  const answers = useDeferredValue(conversation.data, undefined);
  const navigate = useNavigate();
  if (entryId === null) {
    return (
      <Center h="100%" className={classes.hint}>
        <EmptyState
          icon={<IconMessageQuestion size={24} stroke={1.6} />}
          title="Choose a question"
          text="Its answer and sources open here."
        />
      </Center>
    );
  }
  if (!answers) {
    const { error, data, refetch } = conversation;
    if (!error || data) return <AnswerSkeleton />;
    return <LazyMissingAnswer error={error} onRetry={refetch} />;
  }
  const askedFrom = answers.find(({ id }) => id === entryId)?.askedFrom;
  const ask = (question: string): void => {
    void navigate(paths.search, { state: { ask: question } satisfies Arrival });
  };
  const followUp = (): void => {
    const address = `${paths.search}?${ENTRY_PARAM}=${entryId}`;
    void navigate(address, { state: { followUp: true } satisfies Arrival });
  };
  return (
    <>
      <Stack gap={40}>
        {answers.map((answer) => {
          const { key, id } = answer;
          const actions = id !== null && {
            onArchive: (isArchived: boolean) => update({ body: { historyId: id, isArchived } }),
          };
          return (
            <LazyShownAnswer key={key} answer={answer} pending={false} onAsk={ask} {...actions} />
          );
        })}
        <Group>
          <Button variant="default" radius="xl" onClick={followUp}>
            Ask a follow-up…
          </Button>
        </Group>
      </Stack>
      {askedFrom && <LazyAskedFrom {...askedFrom} />}
    </>
  );
}

const SharedAnswers = lazyDialog(() => import('../features/shares/components/shared-answers.tsx'));

function SharedAnswersButton() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        me={-8}
        leftSection={<IconLink size={16} stroke={1.8} />}
        onClick={() => setOpened(true)}
      >
        Shared answers
      </Button>
      <SharedAnswers opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
