import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconShare,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { copyText } from '../../../browser/copy-text.ts';
import type { Answer } from '../answer.ts';
import { copiedAnswer } from '../copied-answer.ts';
import classes from './answer-panel.module.css';

interface IconActionProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  pressed?: boolean;
}

function IconAction({ label, icon, onClick, pressed }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={34}
        radius={10}
        className={classes.action ?? ''}
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

export interface AnswerChanges {
  /** Given where an answer can be saved. */
  onSave?: (saved: boolean) => void;
  /** Given where an answer can be archived. */
  onArchive?: (archived: boolean) => void;
}

export interface AnswerActionsProps extends AnswerChanges {
  answer: Answer;
  /** Given where an answer can be shared. */
  onShare?: () => void;
}

/** What can be done with an answer. */
export function AnswerActions({ answer, onSave, onArchive, onShare }: AnswerActionsProps) {
  const { isBookmark, isArchived } = answer;
  return (
    <div className={classes.actions}>
      {onSave && (
        <IconAction
          label={isBookmark ? 'Un-Save' : 'Save'}
          icon={isBookmark ? <IconStarFilled size={17} /> : <IconStar size={17} stroke={1.8} />}
          pressed={isBookmark}
          onClick={() => onSave(!isBookmark)}
        />
      )}
      <IconAction
        label="Copy"
        icon={<IconCopy size={17} stroke={1.8} />}
        onClick={() =>
          void copyText(copiedAnswer(answer), {
            done:
              answer.citations.length > 0
                ? 'The answer is copied with its sources.'
                : 'The answer is copied.',
            failed: 'The answer was not copied',
          })
        }
      />
      {onShare && (
        <IconAction label="Share" icon={<IconShare size={17} stroke={1.8} />} onClick={onShare} />
      )}
      {onArchive && (
        <IconAction
          label={isArchived ? 'Un-Archive' : 'Archive'}
          icon={
            isArchived ? (
              <IconArchiveOff size={17} stroke={1.8} />
            ) : (
              <IconArchive size={17} stroke={1.8} />
            )
          }
          onClick={() => onArchive(!isArchived)}
        />
      )}
    </div>
  );
}
