import { type FileStore, ifThere } from '../../platform/files/files.ts';
import {
  artifactPrefix,
  originalKey,
  supplementsPrefix,
  thumbnailKey,
} from '../../platform/files/keys.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { ArtifactsRepository, Reading } from '../artifacts/artifacts.repository.ts';
import type { Reread } from '../artifacts/rereading.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { Finding, FindingKind } from './findings.ts';
import { MISSING_BYTES } from './inspection.ts';

export interface MendingDependencies {
  files: FileStore;
  index: SearchIndex;
  artifacts: ArtifactsRepository;
  readAgain: Reread;
  /** See {@link createLeftBefore}. */
  leftBefore: () => Date;
  indexAgain: Ingestion['indexing']['enqueue'];
  /** Says of a file why it cannot be read; its name and keywords still find it. */
  giveUp: (
    reading: { artifactId: string; userId: string; revision: number },
    reason: string,
  ) => Promise<void>;
}

/** A finding about one artifact. */
interface ArtifactFinding extends Finding {
  userId: string;
  artifactId: string;
}

/** Index rows that are removed in one write. */
const ROWS_PER_WRITE = 1000;

/** Sets right what was found; what has changed since is left alone. */
export function createMending(deps: MendingDependencies) {
  const { files, index, artifacts, readAgain, giveUp } = deps;

  const each =
    (mend: (finding: ArtifactFinding) => Promise<void>) =>
    async (findings: readonly ArtifactFinding[]): Promise<void> => {
      for (const finding of findings) await mend(finding);
    };

  const readingsOf = (findings: readonly ArtifactFinding[]): Reading[] =>
    findings.map(({ artifactId, revision }) => ({ id: artifactId, revision }));

  const read = (findings: readonly ArtifactFinding[]): Promise<void> =>
    readAgain(readingsOf(findings));

  const ofArtifacts: Partial<
    Record<FindingKind, (findings: readonly ArtifactFinding[]) => Promise<void>>
  > = {
    'stray-bytes': each(({ userId, artifactId }) =>
      files.removePrefix(artifactPrefix(userId, artifactId)),
    ),
    'missing-bytes': each(async (finding) => {
      const original = originalKey(finding.userId, finding.artifactId);
      if (!(await ifThere(files.stat(original)))) await giveUp(finding, MISSING_BYTES);
    }),
    'stray-thumbnail': each(async ({ userId, artifactId }) => {
      if (await artifacts.showsThumbnail(artifactId)) return;
      await files.remove(thumbnailKey(userId, artifactId));
    }),
    'stray-supplements': each(({ userId, artifactId }) =>
      files.removePrefix(supplementsPrefix(userId, artifactId)),
    ),
    'missing-thumbnail': (findings) =>
      artifacts.clearThumbnails(findings.map(({ artifactId }) => artifactId)),
    'returned-bytes': read,
    'missing-index-rows': each(({ userId, artifactId }) =>
      deps.indexAgain({ userId, id: artifactId }),
    ),
    'missing-text': read,
    'forgotten-reading': (findings) => readAgain(readingsOf(findings), { onlyUnfinished: true }),
    async 'stray-index-rows'(findings) {
      for (const [userId, found] of Map.groupBy(findings, (finding) => finding.userId)) {
        const ids = found.map(({ artifactId }) => artifactId);
        for (let at = 0; at < ids.length; at += ROWS_PER_WRITE) {
          await index.remove(userId, ids.slice(at, at + ROWS_PER_WRITE));
        }
      }
    },
  };

  const ofUsers: Partial<Record<FindingKind, (userId: string) => Promise<void>>> = {
    async 'unknown-user'(userId) {
      await index.removeUser(userId);
      await files.removePrefix(userId);
    },
    'unreadable-index': index.removeUser,
  };

  return {
    /** Mends findings of one user. */
    async mend(findings: readonly Finding[]): Promise<void> {
      for (const [kind, found] of Map.groupBy(findings, (finding) => finding.kind)) {
        const about = found.filter(
          (finding): finding is ArtifactFinding =>
            finding.userId !== null && finding.artifactId !== null,
        );
        await ofArtifacts[kind]?.(about);
        for (const { userId } of found) if (userId !== null) await ofUsers[kind]?.(userId);
        if (kind === 'abandoned-writes') await files.removeAbandonedWrites(deps.leftBefore());
      }
    },
  };
}
