import { Group, Text } from '@mantine/core';
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconVolumeOff,
} from '@tabler/icons-react';
import { useState, type CSSProperties } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatDuration } from '../../../format/format.ts';
import type { AnswerSound, SoundSource } from '../use-answer-sound.ts';
import classes from './sound-player.module.css';

const Waveform = lazyPart(() => import('./waveform.tsx'));

const STEP_SECONDS = 5;

const LISTENING = {
  idle: { label: 'Play answer', icon: IconPlayerPlay },
  loading: { label: 'Stop preparing the sound', icon: IconPlayerStop },
  playing: { label: 'Pause answer', icon: IconPlayerPause },
  paused: { label: 'Play answer', icon: IconPlayerPlay },
};

type SoundProps = { sound: AnswerSound };

function Position({ sound }: SoundProps) {
  const { seconds, duration, seek } = sound;
  const position = `${formatDuration(seconds * 1000)} of ${formatDuration(duration * 1000)}`;
  return (
    <input
      type="range"
      className={classes.slider}
      aria-label="Position in the spoken answer"
      aria-valuetext={position}
      min={0}
      max={duration}
      step="any"
      value={seconds}
      onChange={(event) => seek(Number(event.currentTarget.value))}
      onKeyDown={(event) => {
        // The browser's own step would be a hundredth of the duration.
        const step = {
          ArrowLeft: -STEP_SECONDS,
          ArrowDown: -STEP_SECONDS,
          ArrowRight: STEP_SECONDS,
          ArrowUp: STEP_SECONDS,
        }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        seek(Math.max(0, Math.min(duration, seconds + step)));
      }}
    />
  );
}

function Track({ sound, source }: SoundProps & { source: SoundSource }) {
  const { seconds, duration } = sound;
  const [drawn, setDrawn] = useState<Blob | null>(null);
  const share = duration > 0 ? Math.min(1, seconds / duration) : 0;
  return (
    <div className={classes.track} data-drawn={drawn === source.recording || undefined}>
      <span className={classes.line} style={{ '--share': share } as CSSProperties} />
      <Waveform {...source} onDrawn={() => setDrawn(source.recording)} />
      <Position sound={sound} />
    </div>
  );
}

interface SoundButtonProps extends SoundProps {
  disabled: boolean;
}

export function SoundButton({ sound, disabled }: SoundButtonProps) {
  const { label, icon } = LISTENING[sound.status];
  return (
    <>
      <IconButton
        label={label}
        icon={icon}
        iconSize={17}
        size={34}
        disabled={disabled}
        aria-busy={sound.status === 'loading'}
        data-screen-only
        onClick={sound.toggle}
      />
      <output className="eg-visually-hidden">
        {sound.status === 'loading' && 'Preparing the sound'}
      </output>
    </>
  );
}

export function SoundRow({ sound }: SoundProps) {
  const { source, failure, seconds, duration } = sound;
  return (
    <>
      {source && (
        <Group gap="sm" data-screen-only>
          <Track sound={sound} source={source} />
          <Text component="span" size="sm" c="dimmed" aria-hidden="true">
            {formatDuration(seconds * 1000)} / {formatDuration(duration * 1000)}
          </Text>
        </Group>
      )}
      {failure !== null && (
        <Notice tone="quiet" icon={IconVolumeOff} live="alert" data-screen-only>
          <strong>The answer cannot be played.</strong> <span>{failure}</span>
        </Notice>
      )}
    </>
  );
}
