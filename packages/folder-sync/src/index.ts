export { type Counts, countFiles } from './counts.ts';
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
export {
  Changed,
  contentOf,
  lookInto,
  mustBeUntouched,
  type Outgoing,
  type RoundTools,
} from './reading.ts';
export { type ApplyTools, type RoundContext, type RoundFolder, Rounds } from './rounds.ts';
export { FolderWatch } from './watching.ts';
export {
  folderName,
  holds,
  type LeftOut,
  type Scan,
  scanFolder,
  type ScannedFile,
  type SizeLimits,
} from './scan.ts';
