import { IconCornerDownRight } from '@tabler/icons-react';
import { useHistoryEntry } from '../features/history/api/get-history-entry.ts';
import classes from './follows-on.module.css';

interface FollowsOnProps {
  /** The history entry that a question follows up on. */
  id: string;
  onShow: (id: string) => void;
  /** Given where the question can be asked again without it. */
  onAskAlone?: () => void;
}

/** What a question follows up on, and a way to ask it by itself. */
export function FollowsOn({ id, onShow, onAskAlone }: FollowsOnProps) {
  const { data } = useHistoryEntry(id);
  if (!data) return null;
  return (
    <p className={classes.line}>
      <IconCornerDownRight size={15} stroke={1.8} aria-hidden="true" />
      <span className={classes.lead}>Follows on</span>
      <button type="button" className={classes.question} onClick={() => onShow(id)}>
        {data.searchText}
      </button>
      {onAskAlone && (
        <button type="button" className={classes.fresh} onClick={onAskAlone}>
          Start fresh
          <span className="eg-visually-hidden">: ask this question by itself</span>
        </button>
      )}
    </p>
  );
}
