export { type Counts, countFiles } from './counts.ts';
export {
  afterHash,
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
export type { Elsewhere, FileChange, FolderMemory } from './memory.ts';
export { folderName, holds } from './naming.ts';
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
export { type LeftOut, type Scan, scanFolder, type ScannedFile, type SizeLimits } from './scan.ts';
