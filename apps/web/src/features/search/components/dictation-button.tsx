import { ActionIcon } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import type { Dictation } from '../use-dictation.ts';
import classes from './dictation.module.css';

const LABELS = {
  idle: 'Ask by voice',
  asking: 'Stop asking for the microphone',
  listening: 'Stop listening',
  writing: 'Stop writing down',
};

/** Changes between typing and speaking. */
export function DictationButton({
  dictation,
  disabled,
}: {
  dictation: Dictation;
  disabled: boolean;
}) {
  const { status } = dictation.state;
  const label = LABELS[status];
  return (
    <ActionIcon
      className={classes.button ?? ''}
      variant={status === 'idle' ? 'default' : 'light'}
      flex="none"
      size={34}
      data-status={status}
      disabled={disabled && status === 'idle'}
      aria-label={label}
      title={label}
      onClick={dictation.toggle}
    >
      {status === 'idle' ? (
        <IconMicrophone size={18} stroke={1.8} />
      ) : (
        <IconPlayerStopFilled size={15} />
      )}
    </ActionIcon>
  );
}
