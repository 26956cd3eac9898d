import type { Storage } from '../../composition/storage.ts';
import { orNotFound } from '../../platform/files/files.ts';
import {
  artifactPrefix,
  originalKey,
  supplementsPrefix,
  thumbnailKey,
} from '../../platform/files/keys.ts';
import type { ArtifactRevision } from '../artifacts/artifacts.repository.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import { type Finding, type FindingKind, MISSING_BYTES } from './findings.ts';

const ROWS_PER_WRITE = 1000;

type Repair = (findings: readonly Finding[]) => Promise<void>;

const oneByOne =
  (repair: (finding: Finding) => Promise<void>): Repair =>
  async (findings) => {
    for (const finding of findings) await repair(finding);
  };

const revisionsOf = (findings: readonly Finding[]): ArtifactRevision[] =>
  findings.map(({ artifactId, revision }) => ({ id: artifactId, revision }));

/** Repairs findings that have not changed since. */
export function createRepairs(
  { files, index, artifactsRepository, reprocess }: Storage,
  { fail, indexing }: Pick<Ingestion, 'fail' | 'indexing'>,
  leftoversBefore: () => Date,
) {
  const extractAgain: Repair = (findings) => reprocess(revisionsOf(findings));

  const repairs: Partial<Record<FindingKind, Repair>> = {
    'unknown-user': oneByOne(async ({ userId }) => {
      await index.removeUser(userId);
      await files.removePrefix(userId);
    }),
    'unreadable-index': oneByOne(({ userId }) => index.removeUser(userId)),
    'abandoned-writes': async () => {
      await files.removeAbandonedWrites(leftoversBefore());
    },
    'stray-bytes': oneByOne(({ userId, artifactId }) =>
      files.removePrefix(artifactPrefix(userId, artifactId)),
    ),
    'missing-bytes': oneByOne(async (finding) => {
      const original = originalKey(finding.userId, finding.artifactId);
      if (!(await orNotFound(files.stat(original)))) await fail(finding, MISSING_BYTES);
    }),
    'stray-thumbnail': oneByOne(async ({ userId, artifactId }) => {
      if (await artifactsRepository.hasThumbnail(artifactId)) return;
      await files.remove(thumbnailKey(userId, artifactId));
    }),
    'stray-supplements': oneByOne(({ userId, artifactId }) =>
      files.removePrefix(supplementsPrefix(userId, artifactId)),
    ),
    'missing-thumbnail': (findings) =>
      artifactsRepository.setThumbnails(
        findings.map(({ artifactId }) => artifactId),
        false,
      ),
    'returned-bytes': extractAgain,
    'missing-index-rows': oneByOne(({ userId, artifactId }) =>
      indexing.enqueue({ userId, id: artifactId }),
    ),
    'missing-text': extractAgain,
    'forgotten-reading': (findings) => reprocess(revisionsOf(findings), { onlyUnfinished: true }),
    async 'stray-index-rows'(findings) {
      for (const [userId, ofUser] of Map.groupBy(findings, (finding) => finding.userId)) {
        const ids = ofUser.map(({ artifactId }) => artifactId);
        for (let start = 0; start < ids.length; start += ROWS_PER_WRITE) {
          await index.remove(userId, ids.slice(start, start + ROWS_PER_WRITE));
        }
      }
    },
  };

  return async (findings: readonly Finding[]): Promise<void> => {
    for (const [kind, ofKind] of Map.groupBy(findings, (finding) => finding.kind)) {
      await repairs[kind]?.(ofKind);
    }
  };
}
