import { createHash } from 'node:crypto';
import { locationText, modeOf } from '@engram/contract';
import { escapeMarkdown } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Speaker } from '../../platform/speech/speaker.ts';
import { SpeechUnavailable } from '../../platform/speech/speech-unavailable.ts';
import type { HistoryRepository } from './history.repository.ts';
import type { HistoryRow } from './history.tables.ts';
import { type SpokenAnswer, spokenAnswer } from './spoken-answer.ts';

export interface AnswerAudioDependencies {
  database: Pick<Database, 'transaction'>;
  repository: Pick<HistoryRepository, 'find' | 'lock' | 'findAudio' | 'keepAudio'>;
  speaker: Speaker;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
  /** How long a question waits for the sound of its answer at most, in milliseconds. */
  waitMs: number;
}

/** What was said of an entry's answer, and by which voice. */
interface Sound extends SpokenAnswer {
  hash: string;
}

/** A sound that is being made, for all who wait for it. */
interface Making {
  mp3: Promise<Buffer | undefined>;
  listeners: number;
  /** Aborted when nobody listens any more. */
  deserted: AbortController;
}

const unavailable = ({ message, retryAfterSeconds }: SpeechUnavailable): HttpError =>
  new HttpError(
    503,
    'speech_unavailable',
    message,
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  );

/** Settles as the promise does, or rejects when the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What is spoken: of a found answer its quoted sentences with their places, not whole sections. */
function spokenMarkdown(row: HistoryRow): string {
  const { answer, citations, found } = row;
  if (modeOf(row) === 'written' || found.length === 0 || citations.length === 0) return answer;
  return citations
    .map(({ fileName, location, quote }) => {
      const where = [fileName, locationText(location, { fileName })].filter(Boolean).join(', ');
      return `${escapeMarkdown(where)}:\n${escapeMarkdown(quote)}`;
    })
    .join('\n\n');
}

/** Answers as sound: made once when somebody listens, and kept with the entry of the history. */
export function createAnswerAudio(deps: AnswerAudioDependencies) {
  const { database, repository, speaker, log, now, waitMs } = deps;
  const beingMade = new Map<string, Making>();

  const soundOf = (row: HistoryRow): Sound => {
    const spoken = spokenAnswer(spokenMarkdown(row));
    const hash = createHash('sha256')
      .update(`${speaker.voice(spoken.language)}\n${spoken.text}`)
      .digest('hex');
    return { ...spoken, hash };
  };

  /** Keeps the sound unless the answer became another one, or went, while it was spoken. */
  const keep = ({ id, userId }: HistoryRow, { hash }: Sound, mp3: Buffer): Promise<boolean> =>
    database.transaction(async (tx) => {
      const [row] = await repository.lock(tx, userId, [id]);
      if (!row || soundOf(row).hash !== hash) return false;
      await repository.keepAudio(tx, {
        historyId: id,
        spokenHash: hash,
        mp3,
        createdAt: now(),
      });
      return true;
    });

  /** Undefined when what was spoken is not the answer any more. */
  const make = async (row: HistoryRow, sound: Sound, signal: AbortSignal) => {
    const { text, language } = sound;
    if (text === '') throw new SpeechUnavailable('Nothing in this answer can be spoken.');
    const spoken = await speaker.speak(text, { language, group: row.userId, signal });
    const mp3 = Buffer.from(spoken.buffer, spoken.byteOffset, spoken.byteLength);
    return (await keep(row, sound, mp3)) ? mp3 : undefined;
  };

  /** Undefined also when it was given up just before: it is to be begun anew. */
  const join = async (row: HistoryRow, sound: Sound, signal: AbortSignal) => {
    signal.throwIfAborted();
    const key = `${row.id} ${sound.hash}`;
    let making = beingMade.get(key);
    if (!making) {
      const deserted = new AbortController();
      const mp3 = make(row, sound, deserted.signal).finally(() => beingMade.delete(key));
      // Those who wait are told; when nobody does, there is nobody to tell.
      mp3.catch(() => undefined);
      making = { mp3, listeners: 0, deserted };
      beingMade.set(key, making);
    }
    making.listeners += 1;
    try {
      return await unlessAborted(making.mp3, signal);
    } catch (error) {
      const { signal: givenUp } = making.deserted;
      if (givenUp.aborted && error === givenUp.reason) return undefined;
      throw error;
    } finally {
      making.listeners -= 1;
      if (making.listeners === 0) making.deserted.abort();
    }
  };

  const listen = async (
    userId: string,
    id: string,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> => {
    for (;;) {
      const row = await repository.find(userId, id);
      if (!row) return undefined;
      if (!speaker.describe().on) throw new SpeechUnavailable(speaker.describe().detail);
      const sound = soundOf(row);
      const kept = await repository.findAudio(userId, id);
      const mp3 = kept?.spokenHash === sound.hash ? kept.mp3 : await join(row, sound, signal);
      if (mp3) return mp3;
    }
  };

  return {
    /** The sound of an entry as it is now, where somebody has listened to it. */
    async kept(row: HistoryRow): Promise<Buffer | undefined> {
      const kept = await repository.findAudio(row.userId, row.id);
      // What would be said now is only asked where something was said.
      return kept !== undefined && kept.spokenHash === soundOf(row).hash ? kept.mp3 : undefined;
    },

    /**
     * The sound of a person's entry, made now unless it is kept; undefined without such an entry.
     * @throws HttpError 503 when nothing speaks it, 499 when the caller went away
     */
    async listen(userId: string, id: string, signal: AbortSignal): Promise<Buffer | undefined> {
      try {
        return await listen(userId, id, signal);
      } catch (error) {
        if (error instanceof SpeechUnavailable) throw unavailable(error);
        if (signal.aborted) throw new HttpError(499, 'caller_gone', 'The caller went away.');
        throw error;
      }
    },

    /** The sound of an answer just given, as base64; null where there is none in time. */
    async spoken(userId: string, id: string, signal: AbortSignal): Promise<string | null> {
      if (!speaker.describe().on) return null;
      const enough = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      try {
        return (await listen(userId, id, enough))?.toString('base64') ?? null;
      } catch (error) {
        const expected = error instanceof SpeechUnavailable || enough.aborted;
        if (!expected) log.warn({ err: error }, 'an answer was given without its sound');
        return null;
      }
    },
  };
}

export type AnswerAudio = ReturnType<typeof createAnswerAudio>;
