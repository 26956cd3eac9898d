import {
  type Elsewhere,
  type FileChange,
  held,
  isRejected,
  isUntouched,
  judged,
  type KnownFile,
  type SeenFile,
} from './files.ts';

/** How long a file must be unchanged before it is uploaded. */
export const STILL_MS = 10_000;
/** If more files than these leave a folder together, they are archived only after a question. */
const UNASKED_FILES = 20;
const UNASKED_SHARE = 1 / 5;

export interface Answer {
  state: 'known' | 'new' | 'deleted' | 'refused';
  artifactId: string | null;
  reason: string | null;
}

/** The user's answer about files that left, and the number of files it was about. */
export interface ArchiveAnswer {
  archive: boolean;
  files: number;
}

export interface PlanInput {
  now: number;
  archive: boolean;
  archiveAnswer: ArchiveAnswer | null;
  seen: readonly SeenFile[];
  known: readonly KnownFile[];
  /** Whether a path is left out, or its folder could not be read. */
  isHidden: (path: string) => boolean;
  /** Whether the whole folder could be read. Otherwise nothing is archived. */
  complete: boolean;
  /** When a file was first seen with the size and the time that it has. */
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
  /** When a waiting file may continue; null if none waits. */
  lookAgainAt: number | null;
  archiveAsked: number;
}

/** An existing file whose hash is known. */
type Settled = KnownFile & { sha256: string };

interface Picture {
  input: PlanInput;
  /** Existing files by their hash. */
  present: Map<string, Settled[]>;
  /** Files with an artifact, by the hash of the artifact's bytes. */
  holders: Map<string, KnownFile[]>;
  verdicts: Map<string, KnownFile>;
  gone: Set<KnownFile>;
  /** Sizes of files that are not hashed yet. Any of them may be a file that was moved. */
  unknownSizes: Set<number>;
  /** Hashes of interrupted uploads. Other files with these bytes wait for the server's answer. */
  awaited: Set<string>;
  /** Artifacts that this plan replaces. Other files with them wait for the next plan. */
  replaced: Set<string>;
  plan: Plan;
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

function waitUntil(plan: Plan, at: number): void {
  plan.lookAgainAt = Math.min(plan.lookAgainAt ?? at, at);
}

function stillAt({ now, since }: PlanInput, file: SeenFile): number {
  // A time in the future is ignored, and the time of the first scan counts.
  const from = file.mtime <= now ? Math.min(file.mtime, since(file)) : since(file);
  return from + STILL_MS;
}

function comeBack(file: KnownFile): KnownFile {
  const verdict = isRejected(file) ? file.verdict : null;
  return { ...file, goneAt: null, verdict, reason: verdict ? file.reason : null };
}

const askAgain = ({ now }: PlanInput, file: KnownFile): KnownFile => ({
  ...file,
  nextTry: now + STILL_MS,
});

const notSent = (file: KnownFile): KnownFile => ({ ...file, sending: false, nextTry: null });

/**
 * Plans a file whose upload was interrupted. The server is asked first whether the bytes arrived, and
 * asked twice, because it may still be storing them.
 */
function findOut({ input, plan, awaited }: Picture, file: KnownFile, sha256: string): void {
  awaited.add(sha256);
  const { nextTry } = file;
  if (nextTry !== null && nextTry > input.now && nextTry <= input.now + STILL_MS) {
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
    ? [held(file, answer.artifactId ?? '', { sentByUs: true, placed: true })]
    : [answer.state === 'new' && nextTry === null ? askAgain(input, file) : notSent(file)];
  plan.steps.push({ kind: 'write', change: { put } });
}

/** Plans an existing file. */
function lookAt(picture: Picture, seen: SeenFile, known: KnownFile | undefined): void {
  const { input, plan, present, unknownSizes } = picture;
  if (known?.sending && known.sha256) {
    unknownSizes.add(seen.size);
    findOut(picture, known, known.sha256);
    return;
  }
  if (!known?.sha256 || !isUntouched(known, seen)) {
    unknownSizes.add(seen.size);
    const at = stillAt(input, seen);
    if (at > input.now) waitUntil(plan, at);
    else plan.steps.push({ kind: 'hash', file: seen });
    return;
  }
  let file = known;
  if (known.goneAt !== null) {
    file = comeBack(known);
    const change = { put: [file] };
    if (known.verdict === 'archived' && known.artifact) {
      plan.steps.push({ kind: 'archive', artifact: known.artifact, archived: false, change });
      return;
    }
    plan.steps.push({ kind: 'write', change });
  }
  add(present, known.sha256, file as Settled);
}

function takeApart(input: PlanInput): Picture {
  const picture: Picture = {
    input,
    present: new Map(),
    holders: new Map(),
    verdicts: new Map(),
    gone: new Set(),
    unknownSizes: new Set(),
    awaited: new Set(),
    replaced: new Set(),
    plan: { steps: [], lookAgainAt: null, archiveAsked: 0 },
  };
  const known = new Map(input.known.map((file) => [file.path, file]));
  for (const seen of input.seen) {
    lookAt(picture, seen, known.get(seen.path));
    known.delete(seen.path);
  }
  for (const file of known.values()) {
    if (file.sending && file.sha256) findOut(picture, file, file.sha256);
    else if (!input.isHidden(file.path)) picture.gone.add(file);
  }
  for (const file of input.known) {
    if (file.artifact && file.heldSha256) add(picture.holders, file.heldSha256, file);
    if (file.sha256 && isRejected(file)) picture.verdicts.set(file.sha256, file);
  }
  return picture;
}

/** The artifact with older bytes of a file, if this device uploaded it. */
const older = (file: Settled): { artifact: string; sha256: string; size: number } | null =>
  file.artifact && file.sentByUs && file.heldSha256 && file.heldSha256 !== file.sha256
    ? { artifact: file.artifact, sha256: file.heldSha256, size: file.heldSize ?? -1 }
    : null;

const isElsewhere = ({ present, input }: Picture, sha256: string): boolean =>
  present.has(sha256) || input.elsewhere(sha256) !== null;

/** The artifact that a file's new bytes replace, unless another file still has the old bytes. */
function replacedBy(picture: Picture, file: Settled): string | null {
  const before = older(file);
  if (!before || isElsewhere(picture, before.sha256)) return null;
  picture.replaced.add(before.artifact);
  return before.artifact;
}

/** Whether that is unknown, because a file that is not hashed yet may have the old bytes. */
function isUndecided(picture: Picture, file: Settled): boolean {
  const before = older(file);
  if (!before) return false;
  const mayBeElsewhere =
    picture.unknownSizes.has(before.size) && !isElsewhere(picture, before.sha256);
  return mayBeElsewhere || picture.replaced.has(before.artifact);
}

/** Restores an artifact that was archived when its file left. */
function bringBack({ plan, holders }: Picture, sha256: string, artifact: string): void {
  const left = holders.get(sha256)?.some(({ verdict }) => verdict === 'archived');
  if (left) plan.steps.push({ kind: 'archive', artifact, archived: false, change: {} });
}

/** Links a file to an artifact with the same bytes, without asking the server. */
function joinHolder(picture: Picture, file: Settled, holder: Elsewhere | KnownFile): void {
  const { plan, holders } = picture;
  const artifact = holder.artifact ?? '';
  const replaces = replacedBy(picture, file);
  const put = [held(file, artifact, { sentByUs: holder.sentByUs, placed: false })];
  const change: FileChange = { put };
  // It may be a file that is not hashed yet. If it has changed, a later plan moves the artifact.
  const home = holders.get(file.sha256)?.find(({ placed }) => placed);
  bringBack(picture, file.sha256, artifact);
  if (replaces) {
    const { path, mtime } = home ?? file;
    const all = { ...change, release: replaces };
    plan.steps.push({ kind: 'place', artifact, path, mtime, replaces, change: all });
  } else plan.steps.push({ kind: 'write', change });
}

/** Moves artifacts of this device whose path in Engram no longer exists. */
function findHomes(picture: Picture): void {
  const { input, plan, present, holders, replaced } = picture;
  for (const [sha256, files] of present) {
    const first = files.find((file) => file.sentByUs && file.heldSha256 === sha256);
    if (!first?.artifact || replaced.has(first.artifact)) continue;
    const hasHome = holders.get(sha256)?.some(({ placed }) => placed);
    if (hasHome || input.elsewhere(sha256)?.placed) continue;
    const { artifact, path, mtime } = first;
    const change = { put: [{ ...first, placed: true }] };
    bringBack(picture, sha256, artifact);
    plan.steps.push({ kind: 'place', artifact, path, mtime, replaces: null, change });
  }
}

/** Plans bytes that are unknown here by the server's answer. */
function followAnswer(picture: Picture, file: Settled, answer: Answer): void {
  const { plan, input } = picture;
  const { artifactId, reason } = answer;
  if (answer.state === 'new') {
    const replaces = replacedBy(picture, file);
    plan.steps.push({ kind: 'upload', file, sha256: file.sha256, replaces });
    return;
  }
  if (answer.state === 'known' && artifactId) {
    // Placed again even if the file had it, because a replaced artifact is deleted otherwise.
    const { path, mtime } = file;
    const sentByUs = input.wasSent(artifactId);
    const replaces = replacedBy(picture, file);
    const put = [held(file, artifactId, { sentByUs, placed: sentByUs })];
    const change = { put, release: replaces };
    plan.steps.push({ kind: 'place', artifact: artifactId, path, mtime, replaces, change });
    return;
  }
  const refused = artifactId ? 'failed' : 'refused';
  const put = [judged(file, answer.state === 'deleted' ? 'deleted' : refused, reason)];
  plan.steps.push({ kind: 'write', change: { put } });
}

/** Plans existing files whose current bytes are not in Engram. */
function settle(picture: Picture): void {
  const { input, plan, holders, present, verdicts, awaited } = picture;
  for (const [sha256, files] of present) {
    let isAsked = awaited.has(sha256);
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
      } else if (isUndecided(picture, file) || isAsked) {
        // The next round knows the hashes of the other files, or the server's answer.
      } else if (holder) {
        joinHolder(picture, file, holder);
      } else {
        const answer = input.answers.get(sha256);
        isAsked = true;
        if (answer) followAnswer(picture, file, answer);
        else plan.steps.push({ kind: 'check', file, sha256 });
      }
    }
  }
}

const bestOf = (rows: KnownFile[] | undefined): KnownFile | undefined =>
  rows?.find(({ sentByUs }) => sentByUs) ?? rows?.[0];

/** Forgets a deleted file that has nothing to archive. */
function forget({ plan }: Picture, file: KnownFile): false {
  plan.steps.push({ kind: 'write', change: { drop: [file.path] } });
  return false;
}

/** Plans a missing file. Returns whether it is to be archived. */
function letGo(picture: Picture, file: KnownFile): boolean {
  const { input, plan, present } = picture;
  if (file.artifact && picture.replaced.has(file.artifact)) return false;
  if (!file.artifact || !file.heldSha256) return forget(picture, file);
  if (file.goneAt === null) {
    const put = [{ ...file, goneAt: input.now, placed: false }];
    plan.steps.push({ kind: 'write', change: { put } });
    waitUntil(plan, input.now + STILL_MS);
    return false;
  }
  // Another file with these bytes keeps the artifact.
  const heirs = present.get(file.heldSha256);
  if (heirs) {
    return heirs.some((other) => other.heldSha256 === file.heldSha256) && forget(picture, file);
  }
  if (input.elsewhere(file.heldSha256)) return forget(picture, file);
  if (file.verdict === 'left' || file.verdict === 'archived') return false;
  if (file.goneAt + STILL_MS > input.now) {
    waitUntil(plan, file.goneAt + STILL_MS);
    return false;
  }
  // A file that is not hashed yet may be this one under a new name.
  if (picture.unknownSizes.has(file.heldSize ?? file.size)) return false;
  if (input.archive && file.sentByUs) return true;
  const put: KnownFile[] = [{ ...file, verdict: 'left', reason: null }];
  plan.steps.push({ kind: 'write', change: { put } });
  return false;
}

/** Plans missing files. If many would be archived, the user is asked first. */
function letAllGo(picture: Picture): void {
  const { input, plan, gone } = picture;
  if (!input.complete) return;
  const leaving = [...gone].filter((file) => letGo(picture, file));
  const most = Math.min(UNASKED_FILES, (input.seen.length + leaving.length) * UNASKED_SHARE);
  const answer = input.archiveAnswer;
  if (leaving.length > Math.max(most, answer?.files ?? 0)) {
    plan.archiveAsked = leaving.length;
    return;
  }
  const verdict = answer?.archive === false ? 'left' : 'archived';
  for (const file of leaving) {
    const change: FileChange = { put: [{ ...file, verdict, reason: null }] };
    const artifact = file.artifact ?? '';
    if (verdict === 'left') plan.steps.push({ kind: 'write', change });
    else plan.steps.push({ kind: 'archive', artifact, archived: true, change });
  }
}

/**
 * Plans what has to be done to sync a folder, by its files, what is known of them, and the server's
 * answers. It is called again after its steps, until no steps are left.
 */
export function makePlan(input: PlanInput): Plan {
  const picture = takeApart(input);
  settle(picture);
  findHomes(picture);
  letAllGo(picture);
  return picture.plan;
}
