import { ApiError } from '@engram/client';
import { historyAudio } from '@engram/contract/browser';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { messageOf } from '../../components/notify.ts';

export interface SoundSource {
  media: HTMLAudioElement;
  recording: Blob;
}

export interface AnswerSound {
  status: 'unasked' | 'loading' | 'paused' | 'playing';
  /** Null until it is fetched. */
  source: SoundSource | null;
  /** The position and the duration, in seconds. */
  seconds: number;
  duration: number;
  /** Why it cannot be played, or null. */
  failure: string | null;
  /** Plays, pauses, or cancels the fetch. */
  toggle: () => void;
  seek: (seconds: number) => void;
}

/** The sound that plays; another one that starts pauses it. */
let playing: HTMLAudioElement | null = null;

const UNPLAYABLE = 'Your browser cannot play it. The answer is here to read.';

/** Some browsers want another click before they play. */
const isRefusedForNow = (error: unknown): boolean =>
  error instanceof DOMException &&
  (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** An answer as sound. Throws an {@link ApiError} if the server cannot speak it. */
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

/** The sound of an answer, fetched when it is first played. */
export function useAnswerSound(historyId: string | null): AnswerSound {
  const [status, setStatus] = useState<AnswerSound['status']>('unasked');
  const [source, setSource] = useState<SoundSource | null>(null);
  const [seconds, setSeconds] = useState(0);
  const [duration, setDuration] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const audio = useRef<HTMLAudioElement | null>(null);
  const fetching = useRef<AbortController | null>(null);

  useEffect(
    () => () => {
      fetching.current?.abort();
      setStatus('unasked');
      setSource(null);
      setSeconds(0);
      setFailure(null);
      const gone = audio.current;
      if (!gone) return;
      gone.pause();
      URL.revokeObjectURL(gone.src);
      audio.current = null;
      if (playing === gone) playing = null;
    },
    // Another answer stops this sound.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
    [historyId],
  );

  const play = (sound: HTMLAudioElement): void => {
    sound.play().catch((error: unknown) => {
      if (audio.current !== sound) return;
      setStatus('paused');
      if (!isRefusedForNow(error)) setFailure(UNPLAYABLE);
    });
  };

  const prepare = (sound: HTMLAudioElement): void => {
    // Events of an earlier sound are ignored.
    const on = (event: string, tell: () => void): void =>
      sound.addEventListener(event, () => {
        if (audio.current === sound) tell();
      });
    on('durationchange', () => {
      if (Number.isFinite(sound.duration)) setDuration(sound.duration);
    });
    on('timeupdate', () => setSeconds(sound.currentTime));
    on('pause', () => setStatus('paused'));
    on('play', () => {
      if (playing !== sound) playing?.pause();
      playing = sound;
      setStatus('playing');
    });
    on('ended', () => {
      sound.currentTime = 0;
      setStatus('paused');
    });
  };

  const fetchSound = async (id: string): Promise<void> => {
    const controller = new AbortController();
    fetching.current = controller;
    setStatus('loading');
    try {
      const blob = await readSound(id, controller.signal);
      if (controller.signal.aborted) return;
      const sound = new Audio(URL.createObjectURL(blob));
      audio.current = sound;
      setSource({ media: sound, recording: blob });
      prepare(sound);
      setStatus('paused');
      play(sound);
    } catch (error) {
      if (controller.signal.aborted) return;
      setStatus('unasked');
      setFailure(messageOf(error));
    }
  };

  return {
    status,
    source,
    seconds,
    duration,
    failure,
    toggle() {
      setFailure(null);
      const sound = audio.current;
      if (status === 'loading') {
        fetching.current?.abort();
        setStatus('unasked');
      } else if (!sound) {
        if (historyId !== null) void fetchSound(historyId);
      } else if (status === 'playing') sound.pause();
      else play(sound);
    },
    seek(to) {
      if (audio.current) audio.current.currentTime = to;
      setSeconds(to);
    },
  };
}
