import { ApiError } from '@engram/client';
import { historyAudio } from '@engram/contract/browser';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { messageOf } from '../../components/notify.ts';

export interface SoundSource {
  media: HTMLAudioElement;
  recording: Blob;
}

export type AnswerSound = ReturnType<typeof useAnswerSound>;

interface Sound {
  status: 'idle' | 'loading' | 'paused' | 'playing';
  source: SoundSource | null;
  /** The position and the duration, in seconds. */
  seconds: number;
  duration: number;
  failure: string | null;
}

const idle: Sound = { status: 'idle', source: null, seconds: 0, duration: 0, failure: null };

/** The sound that is playing. Starting another one pauses it. */
let playing: HTMLAudioElement | null = null;

const UNPLAYABLE = 'Your browser cannot play it. The answer is here to read.';

/** Some browsers play only after another click. */
const needsClick = (error: unknown): boolean =>
  error instanceof DOMException &&
  (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** @throws ApiError if the server cannot speak the answer */
async function readSound(historyId: string, signal: AbortSignal): Promise<Blob> {
  try {
    const response = await api.file(historyAudio, { params: { id: historyId } }, { signal });
    return await response.blob();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 503) throw error;
    const message = `${error.message} The answer is here to read.`;
    throw new ApiError(503, { code: error.code, message }, error.retryAfterMs);
  }
}

function moveTo(media: HTMLMediaElement, seconds: number): void {
  media.currentTime = seconds;
}

export function useAnswerSound(historyId: string | null) {
  const [sound, setSound] = useState(idle);
  const update = (change: Partial<Sound>): void =>
    setSound((previous) => ({ ...previous, ...change }));
  // Aborted to end the fetch and the sound.
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const play = (media: HTMLAudioElement): void => {
    const signal = running.current?.signal;
    media.play().catch((error: unknown) => {
      if (signal?.aborted) return;
      update({ status: 'paused', failure: needsClick(error) ? null : UNPLAYABLE });
    });
  };

  const load = async (id: string): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    update({ status: 'loading' });
    try {
      const recording = await readSound(id, signal);
      signal.throwIfAborted();
      const media = prepare(recording, signal, update);
      update({ source: { media, recording }, status: 'paused' });
      play(media);
    } catch (error) {
      if (!signal.aborted) update({ status: 'idle', failure: messageOf(error) });
    }
  };

  const { status, source } = sound;
  return {
    ...sound,
    toggle(): void {
      update({ failure: null });
      if (status === 'loading') {
        running.current?.abort();
        update({ status: 'idle' });
      } else if (source === null) {
        if (historyId !== null) void load(historyId);
      } else if (status === 'playing') source.media.pause();
      else play(source.media);
    },
    seek(seconds: number): void {
      if (source) moveTo(source.media, seconds);
      update({ seconds });
    },
  };
}

/** An audio element that reports its state until the signal is aborted, which ends it. */
function prepare(
  recording: Blob,
  signal: AbortSignal,
  update: (change: Partial<Sound>) => void,
): HTMLAudioElement {
  const media = new Audio(URL.createObjectURL(recording));
  const on = (event: string, report: () => void): void =>
    media.addEventListener(event, report, { signal });
  on('durationchange', () => {
    if (Number.isFinite(media.duration)) update({ duration: media.duration });
  });
  on('timeupdate', () => update({ seconds: media.currentTime }));
  on('pause', () => update({ status: 'paused' }));
  on('play', () => {
    if (playing !== media) playing?.pause();
    playing = media;
    update({ status: 'playing' });
  });
  on('ended', () => {
    moveTo(media, 0);
    update({ status: 'paused' });
  });
  signal.addEventListener('abort', () => {
    media.pause();
    URL.revokeObjectURL(media.src);
    if (playing === media) playing = null;
  });
  return media;
}
