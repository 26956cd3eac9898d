import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { withoutEscapes } from '../../../components/markdown/plain-text.ts';
import { notifyError, notifySuccess } from '../../../lib/notify.ts';
import type { Answer } from '../answer.ts';
import type { AnswerSound } from '../use-answer-sound.ts';
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

const LISTENING = {
  unasked: { label: 'Play answer', icon: <IconPlayerPlayFilled size={16} /> },
  loading: { label: 'Stop preparing the sound', icon: <Loader size={16} /> },
  playing: { label: 'Pause answer', icon: <IconPlayerPauseFilled size={16} /> },
  paused: { label: 'Play answer', icon: <IconPlayerPlayFilled size={16} /> },
};

async function copy(markdown: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(withoutEscapes(markdown));
    notifySuccess('The answer is copied.');
  } catch {
    notifyError(
      'The answer was not copied',
      new Error('Your browser does not let this page copy. Select the text and copy it yourself.'),
    );
  }
}

export interface AnswerChanges {
  /** Given where an answer can be saved. */
  onSave?: (saved: boolean) => void;
  /** Given where an answer can be archived. */
  onArchive?: (archived: boolean) => void;
}

/** What can be done with an answer. */
export function AnswerActions({
  answer,
  sound,
  onSave,
  onArchive,
}: AnswerChanges & { answer: Answer; sound: AnswerSound }) {
  const { isBookmark, isArchived } = answer;
  return (
    <div className={classes.actions}>
      <IconAction {...LISTENING[sound.status]} onClick={sound.toggle} />
      <output className="eg-visually-hidden">
        {sound.status === 'loading' && 'Preparing the sound'}
      </output>
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
        onClick={() => void copy(answer.markdown)}
      />
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
