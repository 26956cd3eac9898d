import { ActionIcon, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAppSettings } from '../../../api/settings.ts';
import { messageOf } from '../../../components/notify.ts';
import { formatDuration } from '../../../format/format.ts';
import type { DictationState } from '../dictation.ts';
import classes from './dictation.module.css';

type Dictation = ReturnType<typeof useDictation>;

interface DictatedInput {
  value: string;
  onChange: (value: string) => void;
  onSubmit: (text: string) => void;
}

const idle = { status: 'idle' } as const;

const TOO_LONG =
  'That was longer than a question can be, and is cut at 300 characters. Shorten it, then send it.';

interface Running {
  controller: AbortController;
  finished: AbortController;
}

/** Fills the input with a spoken question and asks it. The code loads on first use. */
export function useDictation({ value, onChange, onSubmit }: DictatedInput) {
  const { transcription } = useAppSettings();
  const [state, setState] = useState<DictationState | { status: 'idle' }>(idle);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<Running | null>(null);
  const recognition = useRef(true);
  const typed = useRef('');
  const latest = useRef({ onChange, onSubmit });
  useEffect(() => {
    latest.current = { onChange, onSubmit };
  });
  const restoreTyped = (): void => latest.current.onChange(typed.current);

  const stop = useCallback(() => {
    running.current?.controller.abort();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);
  const cancel = useCallback(() => {
    stop();
    setState(idle);
    setProblem(null);
  }, [stop]);

  const start = async (): Promise<void> => {
    const controller = new AbortController();
    const finished = new AbortController();
    const run: Running = { controller, finished };
    running.current = run;
    const ifCurrent = (callback: () => void): void => {
      if (running.current === run) callback();
    };
    const end = (message: string | null): void => {
      running.current = null;
      setState(idle);
      setProblem(message);
    };
    setProblem(null);
    setState({ status: 'asking' });
    try {
      const { dictate } = await import('../dictation.ts');
      const { text, isCut } = await dictate({
        transcription,
        recognition,
        controller,
        finished: finished.signal,
        onState: (next) => ifCurrent(() => setState(next)),
        onInterim: (words) => ifCurrent(() => latest.current.onChange(words)),
      });
      ifCurrent(() => {
        end(isCut ? TOO_LONG : null);
        latest.current.onChange(text);
        if (!isCut) latest.current.onSubmit(text);
      });
    } catch (error) {
      ifCurrent(() => {
        end(messageOf(error));
        restoreTyped();
      });
    }
  };

  const { status } = state;
  useWindowEvent(
    'keydown',
    (event) => {
      if (status === 'idle' || event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
      restoreTyped();
    },
    { capture: true },
  );

  return {
    state,
    problem,
    toggle(): void {
      if (status === 'idle') {
        typed.current = value;
        void start();
      } else if (status === 'listening') running.current?.finished.abort();
      else {
        cancel();
        restoreTyped();
      }
    },
    cancel,
  };
}

const LABELS = {
  idle: 'Ask by voice',
  asking: 'Stop asking for the microphone',
  listening: 'Stop listening',
  writing: 'Stop writing down',
};

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

function statusText(state: Dictation['state']): string {
  switch (state.status) {
    case 'idle':
      return '';
    case 'asking':
      return 'Allow the microphone…';
    case 'listening':
      return state.isFallback ? 'Recording instead. Please speak…' : 'Listening…';
    case 'writing':
      return 'Writing it down…';
  }
}

function Timer({ startedAt, limitMs }: { startedAt: number; limitMs: number }) {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text span inherit flex="none" c="dimmed" aria-hidden="true">
      {formatDuration(Math.min(limitMs, Math.max(0, now - startedAt)))} / {formatDuration(limitMs)}
    </Text>
  );
}

export function DictationStatus({ state }: { state: Dictation['state'] }) {
  const timed = state.status === 'listening' ? state.timed : null;
  return (
    <Group
      component="span"
      // Without text it takes no space.
      {...(state.status === 'idle' ? { pos: 'absolute' } : {})}
      gap={8}
      miw={0}
      wrap="nowrap"
      fz="sm"
    >
      <Text component="output" inherit truncate fw={500} c="indigo">
        {statusText(state)}
      </Text>
      {timed && <Timer {...timed} />}
    </Group>
  );
}
