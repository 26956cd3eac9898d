export type { SyncServer } from './apply.ts';
export { reportOf } from './counts.ts';
export {
  afterHash,
  type Elsewhere,
  type FileChange,
  type FolderMemory,
  held,
  isUntouched,
  judged,
  type KnownFile,
  newlyKnown,
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
export { Changed, contentOf, mustBeUntouched, type Outgoing, type RoundTools } from './reading.ts';
export {
  folderName,
  holds,
  type LeftOut,
  type Scan,
  scanFolder,
  type ScannedFile,
  type SizeLimits,
} from './scan.ts';
export { SyncedFolder, type SyncSettings } from './synced-folder.ts';
