import { CHECK_LIMIT, fileMeta } from '@engram/contract';
import {
  type ApplyTools,
  contentOf,
  Changed,
  held,
  judged,
  type KnownFile,
  lookInto,
  ofKind,
  type Step,
  type StepOf,
  timeOf,
  type Verdict,
} from '@engram/folder-sync';
import type { Storage } from '../../composition/storage.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { FolderFiles } from '../artifacts/folder-files.ts';
import type { WatchedMemory } from './watched-memory.ts';

/** The account and the device of a folder. */
export interface Sender {
  userId: string;
  email: string;
  device: { id: string; name: string };
  /** Null until the folder was found for the first time. */
  memory: WatchedMemory | null;
}

interface Work {
  sender: Sender;
  memory: WatchedMemory;
  tools: ApplyTools;
  /** Called before each file. Throws if uploads must stop. */
  beforeFile: () => Promise<void>;
}

const YIELD_MS = 1000;

/** What a refusal says about a file; null for a temporary error. */
function verdictOf(error: unknown): Verdict | null {
  if (!(error instanceof HttpError)) return null;
  if (error.code === 'deleted_by_person') return 'deleted';
  if (error.status === 413) return 'large';
  if (error.status === 415) return 'type';
  return error.status === 400 ? 'refused' : null;
}

const isSendable = (path: string): boolean => fileMeta.shape.path.safeParse(path).success;

/** Applies the steps of a plan through the services of artifacts. */
export function createWatchedSteps(
  { backgroundYield }: Pick<Storage, 'backgroundYield'>,
  artifacts: ArtifactsService,
  folderFiles: FolderFiles,
) {
  async function check(steps: readonly StepOf<'check'>[], { sender, tools }: Work): Promise<void> {
    const refused = {
      state: 'refused',
      artifactId: null,
      reason: 'Its path cannot be kept.',
    } as const;
    const sendable = steps.filter(({ file }) => isSendable(file.path));
    for (const { file, sha256 } of steps) {
      if (!isSendable(file.path)) tools.answers.set(sha256, refused);
    }
    for (let from = 0; from < sendable.length; from += CHECK_LIMIT) {
      const asked = sendable
        .slice(from, from + CHECK_LIMIT)
        .map(({ file: { path, size }, sha256 }) => ({ path, size, sha256 }));
      for (const answer of await folderFiles.check(sender.userId, asked)) {
        tools.answers.set(answer.sha256, answer);
      }
    }
  }

  async function place(step: StepOf<'place'>, { sender, memory, tools }: Work): Promise<void> {
    const { artifact, path, mtime, replaces, change } = step;
    const { userId, device } = sender;
    const placing = { path, deviceId: device.id, modifiedAt: timeOf(mtime), replaces };
    try {
      await folderFiles.place(userId, artifact, placing);
      memory.write(change);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error;
      // It was deleted in the meantime, so the bytes are checked again.
      for (const { sha256 } of change.put) if (sha256) tools.answers.delete(sha256);
      memory.write({ release: artifact });
    }
  }

  /** Uploads one file as the device does. Returns its new state. */
  async function uploadFile(
    { file, replaces }: StepOf<'upload'>,
    content: AsyncIterable<Buffer>,
    { userId, email, device }: Sender,
  ): Promise<KnownFile> {
    const owner = { userId, email, sessionId: null, apiKeyId: null, connectionId: null };
    await artifacts.assertMayUpload(userId, file.size);
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const stored = await artifacts.storeFile(owner, name, content);
    try {
      const time = timeOf(file.mtime);
      const modifiedAt = time === null ? null : new Date(time);
      const { artifacts: made } = await artifacts.finishUpload(owner, [stored], [], {
        filesKeywords: {},
        artifactText: '',
        keywords: [],
        source: 'Connector',
        device: device.name,
        deviceId: device.id,
        properties: new Map([[stored, { path: file.path, modifiedAt, replaces }]]),
      });
      const [{ artifactId, duplicate } = { artifactId: stored.artifactId, duplicate: false }] =
        made;
      // Bytes that existed already do not belong to this device.
      return held(file, artifactId, { sentByUs: !duplicate, placed: !duplicate });
    } catch (error) {
      await artifacts.discard(owner, [stored]);
      throw error;
    }
  }

  async function upload(step: StepOf<'upload'>, { sender, memory, tools }: Work): Promise<void> {
    const { file, sha256, replaces } = step;
    const disk = tools.scanned.get(file.path)?.disk;
    if (disk === undefined) return;
    let unread: unknown = null;
    async function* content(path: string): AsyncGenerator<Buffer> {
      try {
        for await (const piece of contentOf({ file, disk: path }))
          yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      } catch (error) {
        unread = error;
        throw error;
      }
    }
    const pieces = content(disk);
    try {
      const known = await uploadFile(step, pieces, sender);
      memory.write({ release: replaces, put: [known] });
    } catch (error) {
      const verdict = verdictOf(error);
      if (unread !== null) {
        tools.answers.delete(sha256);
        tools.passOver(file.path, unread instanceof Changed);
      } else if (verdict === null) throw error;
      else {
        const reason = verdict === 'deleted' ? null : (error as HttpError).message;
        memory.write({ put: [judged(file, verdict, reason)] });
      }
    } finally {
      // A file that was refused early is still open.
      await pieces.return(undefined);
    }
  }

  /** Applies the steps. After that, the folder is planned again. */
  return async (steps: readonly Step[], work: Work): Promise<void> => {
    const { memory, tools, beforeFile } = work;
    await backgroundYield.yieldToRequests(YIELD_MS);
    await beforeFile();
    for (const { change } of ofKind(steps, 'write')) memory.write(change);
    for (const step of ofKind(steps, 'place')) await place(step, work);
    await check(ofKind(steps, 'check'), work);
    for (const step of ofKind(steps, 'upload')) {
      await beforeFile();
      await upload(step, work);
      tools.onProgress();
    }
    await lookInto(ofKind(steps, 'hash'), memory, tools);
    tools.onProgress();
  };
}

export type WatchedSteps = ReturnType<typeof createWatchedSteps>;
