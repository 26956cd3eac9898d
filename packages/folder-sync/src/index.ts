export type { SyncServer } from './apply.ts';
export { reportOf } from './counts.ts';
export {
  withHash,
  type Elsewhere,
  type FileChange,
  type FolderMemory,
  withArtifact,
  isUnchanged,
  withVerdict,
  type KnownFile,
  fromSeen,
  type SeenFile,
  timeOf,
  type Verdict,
} from './files.ts';
export { IGNORE_FILE } from './ignores.ts';
export {
  type Answer,
  type ArchiveAnswer,
  makePlan,
  ofKind,
  type Plan,
  type Step,
  type StepOf,
} from './plan.ts';
export {
  FileChangedError,
  contentOf,
  assertUnchanged,
  type FileToSend,
  type RoundContext,
} from './reading.ts';
export {
  folderName,
  containsPath,
  type LeftOut,
  type Scan,
  scanFolder,
  type ScannedFile,
  type SizeLimits,
} from './scan.ts';
export { SyncedFolder, type SyncSettings } from './synced-folder.ts';
