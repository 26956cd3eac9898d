import {
  FileChangedError,
  contentOf,
  withArtifact,
  withVerdict,
  type KnownFile,
  type RoundContext,
  type StepOf,
  type SyncServer,
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
  /** Null until the folder has been read. */
  memory: WatchedMemory | null;
}

const YIELD_MS = 1000;

/** The verdict on a refused file; null for a temporary error. */
function verdictOf(error: unknown): Verdict | null {
  if (!(error instanceof HttpError)) return null;
  if (error.code === 'deleted_by_person') return 'deleted';
  if (error.status === 413) return 'large';
  if (error.status === 415) return 'type';
  return error.status === 400 ? 'refused' : null;
}

/**
 * Implements the calls of a sync with the artifact services.
 * @param beforeFile Called before each file. Throws if uploads must stop.
 */
export function createWatchedServer(
  { backgroundYield }: Pick<Storage, 'backgroundYield'>,
  artifacts: ArtifactsService,
  folderFiles: FolderFiles,
  { userId, email, device }: Sender,
  memory: WatchedMemory,
  beforeFile: () => Promise<void>,
): SyncServer {
  const owner = { userId, email, sessionId: null, apiKeyId: null, connectionId: null };

  async function uploadFile(
    { file, replaces }: StepOf<'upload'>,
    content: AsyncIterable<Buffer>,
  ): Promise<KnownFile> {
    await artifacts.assertMayUpload(userId, file.size);
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const time = timeOf(file.mtime);
    const modifiedAt = time === null ? null : new Date(time);
    const { artifactId, duplicate } = await artifacts.storeSynced(
      owner,
      { fileName: name, content },
      {
        source: 'Connector',
        device: device.name,
        deviceId: device.id,
        propertiesOf: () => ({ path: file.path, modifiedAt, replaces }),
      },
    );
    // Bytes that already existed do not belong to this device.
    return withArtifact(file, artifactId, { sentByUs: !duplicate, placed: !duplicate });
  }

  async function upload(step: StepOf<'upload'>, round: RoundContext): Promise<void> {
    const { file, sha256, replaces } = step;
    const disk = round.scanned.get(file.path)?.disk;
    if (disk === undefined) return;
    let readError: unknown = null;
    async function* content(path: string): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of contentOf({ file, disk: path }))
          yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      } catch (error) {
        readError = error;
        throw error;
      }
    }
    const chunks = content(disk);
    try {
      const known = await uploadFile(step, chunks);
      memory.write({ release: replaces, put: [known] });
    } catch (error) {
      const verdict = verdictOf(error);
      if (readError !== null) {
        round.answers.delete(sha256);
        round.skip(file.path, readError instanceof FileChangedError);
      } else if (verdict === null) throw error;
      else {
        const reason = verdict === 'deleted' ? null : (error as HttpError).message;
        memory.write({ put: [withVerdict(file, verdict, reason)] });
      }
    } finally {
      // Closes a file that was refused early.
      await chunks.return(undefined);
    }
  }

  return {
    async check(files) {
      await backgroundYield.yieldToRequests(YIELD_MS);
      await beforeFile();
      return folderFiles.check(userId, files);
    },
    place: (artifactId, placement) =>
      folderFiles.place(userId, artifactId, { ...placement, deviceId: device.id }),
    // Files that left a watched folder are never archived.
    archive: async () => {},
    async upload(steps, round) {
      for (const step of steps) {
        await beforeFile();
        await upload(step, round);
        round.onProgress();
      }
    },
    isNotFound: (error) => error instanceof HttpError && error.status === 404,
  };
}
