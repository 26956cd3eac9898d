import { IconArrowLeft, IconMessageQuestion } from '@tabler/icons-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { useHistoryEntry } from '../features/history/api/get-history-entry.ts';
import { useUpdateHistory } from '../features/history/api/update-history.ts';
import { HistoryList } from '../features/history/components/history-list.tsx';
import { answerOfEntry } from '../features/search/answer.ts';
import { AnswerSkeleton } from '../features/search/components/answer-skeleton.tsx';
import { useDocumentTitle } from '../lib/document-title.ts';
import classes from './answer-layout.module.css';
import { paths } from './paths.ts';
import { LazyMissingAnswer, LazyShownAnswer } from './lazy-shown-answer.tsx';
import { FollowsOn } from './follows-on.tsx';
import { ENTRY_PARAM, type Arrival } from './use-search-screen.ts';

/** Past questions by day; a click shows the answer again. */
export function HistoryPage() {
  useDocumentTitle('History');
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const { mutate: update } = useUpdateHistory();
  const entryId = params.get(ENTRY_PARAM);
  return (
    <div className={classes.page} data-detail={entryId !== null || undefined}>
      <div className={classes.left}>
        <h1 className={classes.title} data-page-heading tabIndex={-1}>
          History
        </h1>
        <HistoryList
          shownId={entryId}
          onShow={({ id }, today) => {
            if (today) void navigate(`${paths.search}?${ENTRY_PARAM}=${id}`);
            else setParams({ [ENTRY_PARAM]: id });
          }}
          onSave={(historyId, isBookmark) => update({ historyId, isBookmark })}
        />
      </div>
      <div className={classes.right}>
        <Detail
          entryId={entryId}
          onShow={(id) => setParams({ [ENTRY_PARAM]: id })}
          onArchive={(historyId, isArchived) => update({ historyId, isArchived })}
        />
      </div>
    </div>
  );
}

interface DetailProps {
  entryId: string | null;
  onShow: (id: string) => void;
  onArchive: (id: string, archived: boolean) => void;
}

function Detail({ entryId, onShow, onArchive }: DetailProps) {
  const entry = useHistoryEntry(entryId);
  const navigate = useNavigate();
  if (entryId === null) {
    return (
      <div className={classes.hint}>
        <EmptyState
          icon={<IconMessageQuestion size={24} stroke={1.6} />}
          title="Choose a question"
          text="Its answer opens here, with the sources it came from."
        />
      </div>
    );
  }
  const ask = (question: string): void => {
    void navigate(paths.search, { state: { ask: question } satisfies Arrival });
  };
  return (
    <>
      <Link to={paths.history} className={classes.back}>
        <IconArrowLeft size={17} stroke={1.8} aria-hidden="true" />
        All questions
      </Link>
      {entry.data && (
        <LazyShownAnswer
          key={entryId}
          answer={answerOfEntry(entry.data, entry.dataUpdatedAt)}
          pending={false}
          onAsk={ask}
          onFollowUp={() => {
            const address = `${paths.search}?${ENTRY_PARAM}=${entryId}`;
            void navigate(address, { state: { followUp: true } satisfies Arrival });
          }}
          {...(entry.data.follows === null
            ? {}
            : { followsOn: <FollowsOn id={entry.data.follows} onShow={onShow} /> })}
          onArchive={(archived) => onArchive(entryId, archived)}
        />
      )}
      {entry.isPending && <AnswerSkeleton />}
      {entry.isError && !entry.data && (
        <LazyMissingAnswer error={entry.error} onRetry={() => void entry.refetch()} />
      )}
    </>
  );
}
