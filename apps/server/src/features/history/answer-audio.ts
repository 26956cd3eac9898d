import { createHash } from 'node:crypto';
import { locationText, modeOf } from '@engram/contract';
import { escapeMarkdown } from '@engram/retrieval';
import { orAborted } from '../../platform/ai/time-budget.ts';
import type { Core } from '../../composition/core.ts';
import type { Storage } from '../../composition/storage.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { type Speaker, SpeechUnavailable } from '../../platform/speech/speaker.ts';
import type { HistoryRepository } from './history.repository.ts';
import type { HistoryRow } from './history.tables.ts';
import { type SpokenAnswer, spokenAnswer } from './spoken-answer.ts';

type AudioCore = Pick<Core, 'log' | 'now'> & {
  storage: Pick<Storage, 'database'>;
  providers: { speaker: Speaker };
};

interface Speech extends SpokenAnswer {
  hash: string;
}

interface Synthesis {
  mp3: Promise<Buffer | undefined>;
  listeners: number;
  abandoned: AbortController;
}

const unavailable = ({ message, retryAfterSeconds }: SpeechUnavailable): HttpError =>
  new HttpError(
    503,
    'speech_unavailable',
    message,
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  );

/** The text to speak. A found answer is reduced to its quotes and their source locations. */
function spokenMarkdown(row: HistoryRow): string {
  const { answer, citations, found } = row;
  if (modeOf(row) === 'written' || found.length === 0 || citations.length === 0) return answer;
  return citations
    .map(({ fileName, location, quote }) => {
      const source = [fileName, locationText(location, { fileName })].filter(Boolean).join(', ');
      return `${escapeMarkdown(source)}:\n${escapeMarkdown(quote)}`;
    })
    .join('\n\n');
}

/**
 * Synthesizes answers when a user first listens to them, and stores the audio with the entry.
 * @param waitMs how long a question waits for the audio of its answer
 */
export function createAnswerAudio(
  { log, now, ...core }: AudioCore,
  repository: HistoryRepository,
  waitMs: number,
) {
  const { database } = core.storage;
  const { speaker } = core.providers;
  const running = new Map<string, Synthesis>();

  const speechOf = (row: HistoryRow): Speech => {
    const spoken = spokenAnswer(spokenMarkdown(row));
    const hash = createHash('sha256')
      .update(`${speaker.voice(spoken.language)}\n${spoken.text}`)
      .digest('hex');
    return { ...spoken, hash };
  };

  /** Stores the audio unless the answer was changed or deleted in the meantime. */
  const store = ({ id, userId }: HistoryRow, { hash }: Speech, mp3: Buffer): Promise<boolean> =>
    database.transaction(async (tx) => {
      const [row] = await repository.lock(tx, userId, [id]);
      if (!row || speechOf(row).hash !== hash) return false;
      await repository.storeAudio(tx, {
        historyId: id,
        spokenHash: hash,
        mp3,
        createdAt: now(),
      });
      return true;
    });

  const synthesize = async (row: HistoryRow, speech: Speech, signal: AbortSignal) => {
    const { text, language } = speech;
    if (text === '') throw new SpeechUnavailable('This answer has no text to speak.');
    const audio = await speaker.speak(text, { language, group: row.userId, signal });
    const mp3 = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
    return (await store(row, speech, mp3)) ? mp3 : undefined;
  };

  /** Returns undefined if the answer has changed, or the synthesis was aborted and must be restarted. */
  const joinSynthesis = async (row: HistoryRow, speech: Speech, signal: AbortSignal) => {
    signal.throwIfAborted();
    const key = `${row.id} ${speech.hash}`;
    let synthesis = running.get(key);
    if (!synthesis) {
      const abandoned = new AbortController();
      const mp3 = synthesize(row, speech, abandoned.signal).finally(() => running.delete(key));
      // Listeners handle errors, but all of them may have disconnected.
      mp3.catch(() => undefined);
      synthesis = { mp3, listeners: 0, abandoned };
      running.set(key, synthesis);
    }
    synthesis.listeners += 1;
    const { signal: aborted } = synthesis.abandoned;
    try {
      return await orAborted(synthesis.mp3, signal);
    } catch (error) {
      if (aborted.aborted && error === aborted.reason) return undefined;
      throw error;
    } finally {
      synthesis.listeners -= 1;
      if (synthesis.listeners === 0) synthesis.abandoned.abort();
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
      const speech = speechOf(row);
      const stored = await repository.findAudio(userId, id);
      const mp3 =
        stored?.spokenHash === speech.hash ? stored.mp3 : await joinSynthesis(row, speech, signal);
      if (mp3) return mp3;
    }
  };

  return {
    async stored(row: HistoryRow): Promise<Buffer | undefined> {
      const stored = await repository.findAudio(row.userId, row.id);
      return stored && stored.spokenHash === speechOf(row).hash ? stored.mp3 : undefined;
    },

    /** Undefined if the entry does not exist. @throws HttpError 503, 499 if the client disconnected */
    async listen(userId: string, id: string, signal: AbortSignal): Promise<Buffer | undefined> {
      try {
        return await listen(userId, id, signal);
      } catch (error) {
        if (error instanceof SpeechUnavailable) throw unavailable(error);
        if (signal.aborted) throw new HttpError(499, 'caller_gone', 'The client disconnected.');
        throw error;
      }
    },

    async spoken(userId: string, id: string, signal: AbortSignal): Promise<string | null> {
      if (!speaker.describe().on) return null;
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      try {
        return (await listen(userId, id, deadline))?.toString('base64') ?? null;
      } catch (error) {
        const isExpected = error instanceof SpeechUnavailable || deadline.aborted;
        if (!isExpected) log.warn({ err: error }, 'an answer was sent without its audio');
        return null;
      }
    },
  };
}

export type AnswerAudio = ReturnType<typeof createAnswerAudio>;
