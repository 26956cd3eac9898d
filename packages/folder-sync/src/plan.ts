import {
  type Elsewhere,
  type FileChange,
  withArtifact,
  isRejected,
  isUnchanged,
  withVerdict,
  type KnownFile,
  type SeenFile,
} from './files.ts';

/** How long a file must be unchanged before it is uploaded. */
export const STABLE_MS = 10_000;
/** If more files are removed together, they are archived only after the user confirms it. */
const MAX_AUTO_ARCHIVED = 20;
const MAX_AUTO_ARCHIVED_SHARE = 1 / 5;

export interface Answer {
  state: 'known' | 'new' | 'deleted' | 'refused';
  artifactId: string | null;
  reason: string | null;
}

/** The user's answer about removed files, and how many they were. */
export interface ArchiveAnswer {
  archive: boolean;
  files: number;
}

interface PlanInput {
  now: number;
  archive: boolean;
  archiveAnswer: ArchiveAnswer | null;
  seen: readonly SeenFile[];
  known: readonly KnownFile[];
  /** Whether a path is left out or cannot be read, so that it is not missing. */
  isHidden: (path: string) => boolean;
  /** Whether the whole folder could be read. Otherwise nothing is archived. */
  complete: boolean;
  /** When a file was first seen with its current size and time. */
  since: (file: SeenFile) => number;
  /** The server's answers in this round, by SHA-256. */
  answers: ReadonlyMap<string, Answer>;
  wasSent: (artifact: string) => boolean;
  elsewhere: (sha256: string) => Elsewhere | null;
}

/** `change` is written after the step succeeded. */
export type Step =
  | { kind: 'hash'; file: SeenFile }
  | { kind: 'check'; file: KnownFile; sha256: string }
  | { kind: 'upload'; file: KnownFile; sha256: string; replaces: string | null }
  | {
      kind: 'place';
      artifact: string;
      path: string;
      mtime: number | null;
      replaces: string | null;
      change: FileChange;
    }
  | { kind: 'archive'; artifact: string; archived: boolean; change: FileChange }
  | { kind: 'write'; change: FileChange };

export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

export const ofKind = <K extends Step['kind']>(steps: readonly Step[], kind: K): StepOf<K>[] =>
  steps.filter((step): step is StepOf<K> => step.kind === kind);

export interface Plan {
  steps: Step[];
  /** When a waiting file may continue, or null. */
  retryAt: number | null;
  archiveAsked: number;
}

/** An existing file whose hash is known. */
type HashedFile = KnownFile & { sha256: string };

interface PlanState {
  input: PlanInput;
  /** Existing files by their hash. */
  present: Map<string, HashedFile[]>;
  /** Files with an artifact, by the hash of the artifact's bytes. */
  holders: Map<string, KnownFile[]>;
  verdicts: Map<string, KnownFile>;
  gone: Set<KnownFile>;
  /** Sizes of files that are not hashed yet. Any of them may be a file that was moved. */
  unknownSizes: Set<number>;
  /** Hashes of interrupted uploads. Other files with these bytes wait for the server's answer. */
  pendingHashes: Set<string>;
  /** Artifacts that this plan replaces. Other files with them wait for the next plan. */
  replaced: Set<string>;
  plan: Plan;
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

function waitUntil(plan: Plan, time: number): void {
  plan.retryAt = Math.min(plan.retryAt ?? time, time);
}

function stableAt({ now, since }: PlanInput, file: SeenFile): number {
  // For a time in the future, the time of the first scan counts.
  const from = file.mtime <= now ? Math.min(file.mtime, since(file)) : since(file);
  return from + STABLE_MS;
}

function restored(file: KnownFile): KnownFile {
  const verdict = isRejected(file) ? file.verdict : null;
  return { ...file, goneAt: null, verdict, reason: verdict ? file.reason : null };
}

const delayCheck = ({ now }: PlanInput, file: KnownFile): KnownFile => ({
  ...file,
  nextTry: now + STABLE_MS,
});

const withoutUpload = (file: KnownFile): KnownFile => ({ ...file, sending: false, nextTry: null });

/**
 * Plans a file whose upload was interrupted. The server is asked first whether the bytes arrived, and
 * asked twice, because it may still be storing them.
 */
function planInterrupted(
  { input, plan, pendingHashes }: PlanState,
  file: KnownFile,
  sha256: string,
): void {
  pendingHashes.add(sha256);
  const { nextTry } = file;
  if (nextTry !== null && nextTry > input.now && nextTry <= input.now + STABLE_MS) {
    waitUntil(plan, nextTry);
    return;
  }
  const answer = input.answers.get(sha256);
  if (!answer) {
    plan.steps.push({ kind: 'check', file, sha256 });
    return;
  }
  const hasArrived = answer.state === 'known' && answer.artifactId !== null;
  const put = hasArrived
    ? [withArtifact(file, answer.artifactId ?? '', { sentByUs: true, placed: true })]
    : [answer.state === 'new' && nextTry === null ? delayCheck(input, file) : withoutUpload(file)];
  plan.steps.push({ kind: 'write', change: { put } });
}

/** Plans an existing file. */
function planSeen(planState: PlanState, seen: SeenFile, known: KnownFile | undefined): void {
  const { input, plan, present, unknownSizes } = planState;
  if (known?.sending && known.sha256) {
    unknownSizes.add(seen.size);
    planInterrupted(planState, known, known.sha256);
    return;
  }
  if (!known?.sha256 || !isUnchanged(known, seen)) {
    unknownSizes.add(seen.size);
    const stableTime = stableAt(input, seen);
    if (stableTime > input.now) waitUntil(plan, stableTime);
    else plan.steps.push({ kind: 'hash', file: seen });
    return;
  }
  let file = known;
  if (known.goneAt !== null) {
    file = restored(known);
    const change = { put: [file] };
    if (known.verdict === 'archived' && known.artifact) {
      plan.steps.push({ kind: 'archive', artifact: known.artifact, archived: false, change });
      return;
    }
    plan.steps.push({ kind: 'write', change });
  }
  add(present, known.sha256, file as HashedFile);
}

function createPlanState(input: PlanInput): PlanState {
  const planState: PlanState = {
    input,
    present: new Map(),
    holders: new Map(),
    verdicts: new Map(),
    gone: new Set(),
    unknownSizes: new Set(),
    pendingHashes: new Set(),
    replaced: new Set(),
    plan: { steps: [], retryAt: null, archiveAsked: 0 },
  };
  const known = new Map(input.known.map((file) => [file.path, file]));
  for (const seen of input.seen) {
    planSeen(planState, seen, known.get(seen.path));
    known.delete(seen.path);
  }
  for (const file of known.values()) {
    if (file.sending && file.sha256) planInterrupted(planState, file, file.sha256);
    else if (!input.isHidden(file.path)) planState.gone.add(file);
  }
  for (const file of input.known) {
    if (file.artifact && file.heldSha256) add(planState.holders, file.heldSha256, file);
    if (file.sha256 && isRejected(file)) planState.verdicts.set(file.sha256, file);
  }
  return planState;
}

/** The artifact with older bytes of a file, if this device uploaded it. */
const previousArtifact = (
  file: HashedFile,
): { artifact: string; sha256: string; size: number } | null =>
  file.artifact && file.sentByUs && file.heldSha256 && file.heldSha256 !== file.sha256
    ? { artifact: file.artifact, sha256: file.heldSha256, size: file.heldSize ?? -1 }
    : null;

const existsElsewhere = ({ present, input }: PlanState, sha256: string): boolean =>
  present.has(sha256) || input.elsewhere(sha256) !== null;

/** The artifact that a file's new bytes replace, unless another file still has the old bytes. */
function replacedBy(planState: PlanState, file: HashedFile): string | null {
  const previous = previousArtifact(file);
  if (!previous || existsElsewhere(planState, previous.sha256)) return null;
  planState.replaced.add(previous.artifact);
  return previous.artifact;
}

/** Whether the replaced artifact is unknown, because a file without a hash may have the old bytes. */
function mayReplace(planState: PlanState, file: HashedFile): boolean {
  const previous = previousArtifact(file);
  if (!previous) return false;
  const mayBeElsewhere =
    planState.unknownSizes.has(previous.size) && !existsElsewhere(planState, previous.sha256);
  return mayBeElsewhere || planState.replaced.has(previous.artifact);
}

/** Restores an artifact that was archived when its file was removed. */
function unarchive({ plan, holders }: PlanState, sha256: string, artifact: string): void {
  const isArchived = holders.get(sha256)?.some(({ verdict }) => verdict === 'archived');
  if (isArchived) plan.steps.push({ kind: 'archive', artifact, archived: false, change: {} });
}

/** Links a file to an artifact with the same bytes, without asking the server. */
function linkToHolder(planState: PlanState, file: HashedFile, holder: Elsewhere | KnownFile): void {
  const { plan, holders } = planState;
  const artifact = holder.artifact ?? '';
  const replaces = replacedBy(planState, file);
  const put = [withArtifact(file, artifact, { sentByUs: holder.sentByUs, placed: false })];
  const change: FileChange = { put };
  // The artifact's file may not be hashed yet. If it has changed, a later plan moves the artifact.
  const placedHolder = holders.get(file.sha256)?.find(({ placed }) => placed);
  unarchive(planState, file.sha256, artifact);
  if (replaces) {
    const { path, mtime } = placedHolder ?? file;
    const fullChange = { ...change, release: replaces };
    plan.steps.push({ kind: 'place', artifact, path, mtime, replaces, change: fullChange });
  } else plan.steps.push({ kind: 'write', change });
}

/** Moves artifacts of this device whose path in Engram no longer exists. */
function placeArtifacts(planState: PlanState): void {
  const { input, plan, present, holders, replaced } = planState;
  for (const [sha256, files] of present) {
    const first = files.find((file) => file.sentByUs && file.heldSha256 === sha256);
    if (!first?.artifact || replaced.has(first.artifact)) continue;
    const isPlaced = holders.get(sha256)?.some(({ placed }) => placed);
    if (isPlaced || input.elsewhere(sha256)?.placed) continue;
    const { artifact, path, mtime } = first;
    const change = { put: [{ ...first, placed: true }] };
    unarchive(planState, sha256, artifact);
    plan.steps.push({ kind: 'place', artifact, path, mtime, replaces: null, change });
  }
}

/** Plans bytes that are new on this device, by the server's answer. */
function applyAnswer(planState: PlanState, file: HashedFile, answer: Answer): void {
  const { plan, input } = planState;
  const { artifactId, reason } = answer;
  if (answer.state === 'new') {
    const replaces = replacedBy(planState, file);
    plan.steps.push({ kind: 'upload', file, sha256: file.sha256, replaces });
    return;
  }
  if (answer.state === 'known' && artifactId) {
    // Placed again even if the file has it, because a replaced artifact would be deleted.
    const { path, mtime } = file;
    const sentByUs = input.wasSent(artifactId);
    const replaces = replacedBy(planState, file);
    const put = [withArtifact(file, artifactId, { sentByUs, placed: sentByUs })];
    const change = { put, release: replaces };
    plan.steps.push({ kind: 'place', artifact: artifactId, path, mtime, replaces, change });
    return;
  }
  const refused = artifactId ? 'failed' : 'refused';
  const put = [withVerdict(file, answer.state === 'deleted' ? 'deleted' : refused, reason)];
  plan.steps.push({ kind: 'write', change: { put } });
}

/** Plans existing files whose current bytes are not in Engram. */
function planUnsynced(planState: PlanState): void {
  const { input, plan, holders, present, verdicts, pendingHashes } = planState;
  for (const [sha256, files] of present) {
    let isAsked = pendingHashes.has(sha256);
    for (const file of files) {
      if (file.verdict !== null || (file.artifact && file.heldSha256 === sha256)) continue;
      if (file.nextTry !== null && file.nextTry > input.now) {
        waitUntil(plan, file.nextTry);
        continue;
      }
      const verdict = verdicts.get(sha256);
      const holder = bestOf(holders.get(sha256)) ?? input.elsewhere(sha256);
      if (verdict) {
        const put = [{ ...file, verdict: verdict.verdict, reason: verdict.reason }];
        plan.steps.push({ kind: 'write', change: { put } });
      } else if (mayReplace(planState, file) || isAsked) {
        // The next round knows the hashes of the other files, or the server's answer.
      } else if (holder) {
        linkToHolder(planState, file, holder);
      } else {
        const answer = input.answers.get(sha256);
        isAsked = true;
        if (answer) applyAnswer(planState, file, answer);
        else plan.steps.push({ kind: 'check', file, sha256 });
      }
    }
  }
}

const bestOf = (rows: KnownFile[] | undefined): KnownFile | undefined =>
  rows?.find(({ sentByUs }) => sentByUs) ?? rows?.[0];

/** Removes the row of a missing file without an artifact to archive. */
function forget({ plan }: PlanState, file: KnownFile): false {
  plan.steps.push({ kind: 'write', change: { drop: [file.path] } });
  return false;
}

/** Plans a missing file. Returns whether it is to be archived. */
function planMissing(planState: PlanState, file: KnownFile): boolean {
  const { input, plan, present } = planState;
  if (file.artifact && planState.replaced.has(file.artifact)) return false;
  if (!file.artifact || !file.heldSha256) return forget(planState, file);
  if (file.goneAt === null) {
    const put = [{ ...file, goneAt: input.now, placed: false }];
    plan.steps.push({ kind: 'write', change: { put } });
    waitUntil(plan, input.now + STABLE_MS);
    return false;
  }
  // Another file with these bytes keeps the artifact.
  const others = present.get(file.heldSha256);
  if (others) {
    return others.some((other) => other.heldSha256 === file.heldSha256) && forget(planState, file);
  }
  if (input.elsewhere(file.heldSha256)) return forget(planState, file);
  if (file.verdict === 'left' || file.verdict === 'archived') return false;
  if (file.goneAt + STABLE_MS > input.now) {
    waitUntil(plan, file.goneAt + STABLE_MS);
    return false;
  }
  // A file that is not hashed yet may be this one under a new name.
  if (planState.unknownSizes.has(file.heldSize ?? file.size)) return false;
  if (input.archive && file.sentByUs) return true;
  const put: KnownFile[] = [{ ...file, verdict: 'left', reason: null }];
  plan.steps.push({ kind: 'write', change: { put } });
  return false;
}

/** Plans missing files. If many would be archived, the user is asked first. */
function planAllMissing(planState: PlanState): void {
  const { input, plan, gone } = planState;
  if (!input.complete) return;
  const toArchive = [...gone].filter((file) => planMissing(planState, file));
  const maxFiles = Math.min(
    MAX_AUTO_ARCHIVED,
    (input.seen.length + toArchive.length) * MAX_AUTO_ARCHIVED_SHARE,
  );
  const answer = input.archiveAnswer;
  if (toArchive.length > Math.max(maxFiles, answer?.files ?? 0)) {
    plan.archiveAsked = toArchive.length;
    return;
  }
  const verdict = answer?.archive === false ? 'left' : 'archived';
  for (const file of toArchive) {
    const change: FileChange = { put: [{ ...file, verdict, reason: null }] };
    const artifact = file.artifact ?? '';
    if (verdict === 'left') plan.steps.push({ kind: 'write', change });
    else plan.steps.push({ kind: 'archive', artifact, archived: true, change });
  }
}

/**
 * Plans the steps that sync a folder, from its files, the stored files and the server's answers. It is
 * called again after its steps, until no steps are left.
 */
export function makePlan(input: PlanInput): Plan {
  const planState = createPlanState(input);
  planUnsynced(planState);
  placeArtifacts(planState);
  planAllMissing(planState);
  return planState.plan;
}
