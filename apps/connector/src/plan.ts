import { isUntouched, type KnownFile, newlyKnown, type SeenFile } from './files.ts';
import type { Elsewhere, FileChange } from './state.ts';

/** How long a file's size and time have to stand still before it is taken. */
export const STILL_MS = 10_000;
/** More files than these that left a folder at once are archived only after a question. */
export const UNASKED_FILES = 20;
export const UNASKED_SHARE = 1 / 5;

/** What the server said of some bytes. */
export interface Answer {
  state: 'known' | 'new' | 'deleted' | 'refused';
  artifactId: string | null;
  reason: string | null;
}

export interface PlanInput {
  now: number;
  /** Whether files that left are to be archived, and the person's word on many of them. */
  archive: boolean;
  archiveAnswer: boolean | null;
  seen: readonly SeenFile[];
  known: readonly KnownFile[];
  /** Whether nothing can be said of a path: it is left out, or its folder could not be read. */
  isHidden: (path: string) => boolean;
  /** Whether all of the folder could be read: nothing is archived otherwise. */
  complete: boolean;
  /** When a file was first seen with the size and the time that it has. */
  since: (file: SeenFile) => number;
  /** What the server said a moment ago, by the bytes. */
  answers: ReadonlyMap<string, Answer>;
  /** A file of another folder with the same bytes. */
  elsewhere: (sha256: string) => Elsewhere | null;
}

/** What is to be written once a step is done. */
type Then = Required<FileChange>;

export type Step =
  | { kind: 'hash'; file: SeenFile; known: KnownFile | null }
  | { kind: 'check'; file: KnownFile; sha256: string }
  | { kind: 'upload'; file: KnownFile; sha256: string; replaces: string | null }
  | {
      kind: 'place';
      artifact: string;
      path: string;
      mtime: number | null;
      replaces: string | null;
      then: Then;
    }
  | { kind: 'archive'; artifact: string; archived: boolean; then: Then }
  | { kind: 'write'; then: Then };

export interface Plan {
  steps: Step[];
  /** When something that has to wait may go on; null where nothing waits for the clock. */
  lookAgainAt: number | null;
  /** Files that wait for the person's word. */
  archiveAsked: number;
}

/** A file that is there and whose bytes are known. */
type Settled = KnownFile & { sha256: string };

/** The folder, taken apart once for all rules. */
interface Picture {
  input: PlanInput;
  /** Files whose bytes are known, by those bytes. */
  present: Map<string, Settled[]>;
  /** Rows that say in which artifact some bytes are, wherever these bytes are now. */
  holders: Map<string, KnownFile[]>;
  verdicts: Map<string, KnownFile>;
  gone: Set<KnownFile>;
  /** Sizes of files whose bytes are not known: any of them may be a file that was moved. */
  unknownSizes: Set<number>;
  plan: Plan;
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

const isOfBytes = ({ verdict }: KnownFile): boolean =>
  verdict !== null && verdict !== 'left' && verdict !== 'archived';

function waitUntil(plan: Plan, at: number): void {
  plan.lookAgainAt = Math.min(plan.lookAgainAt ?? at, at);
}

/** When a file has stood still for long enough. */
function stillAt({ now, since }: PlanInput, file: SeenFile): number {
  // A time in the future says nothing: what counts there is since when it was seen like that.
  const from = file.mtime <= now ? Math.min(file.mtime, since(file)) : since(file);
  return from + STILL_MS;
}

/** A file that came back after it was thought to be gone. */
function comeBack(file: KnownFile): KnownFile {
  const verdict = isOfBytes(file) ? file.verdict : null;
  return { ...file, goneAt: null, verdict, reason: verdict ? file.reason : null };
}

/** Looks at one file that is there; answers what is known of it where that still holds. */
function lookAt(picture: Picture, seen: SeenFile, known: KnownFile | undefined): void {
  const { input, plan, present, unknownSizes } = picture;
  if (!known?.sha256 || !isUntouched(known, seen)) {
    unknownSizes.add(seen.size);
    const at = stillAt(input, seen);
    if (at > input.now) waitUntil(plan, at);
    else plan.steps.push({ kind: 'hash', file: seen, known: known ?? null });
    return;
  }
  let file = known;
  if (known.goneAt !== null) {
    file = comeBack(known);
    const then = { put: [file], drop: [] };
    if (known.verdict === 'archived' && known.artifact) {
      plan.steps.push({ kind: 'archive', artifact: known.artifact, archived: false, then });
      return;
    }
    plan.steps.push({ kind: 'write', then });
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
    plan: { steps: [], lookAgainAt: null, archiveAsked: 0 },
  };
  const known = new Map(input.known.map((file) => [file.path, file]));
  for (const seen of input.seen) {
    lookAt(picture, seen, known.get(seen.path));
    known.delete(seen.path);
  }
  for (const file of known.values()) {
    if (!input.isHidden(file.path)) picture.gone.add(file);
  }
  for (const file of input.known) {
    if (file.artifact && file.heldSha256) add(picture.holders, file.heldSha256, file);
    if (file.sha256 && isOfBytes(file)) picture.verdicts.set(file.sha256, file);
  }
  return picture;
}

/** The artifact that stands for older bytes of a file, where this device sent it. */
const older = (file: Settled): { artifact: string; sha256: string; size: number } | null =>
  file.artifact && file.sentByUs && file.heldSha256 && file.heldSha256 !== file.sha256
    ? { artifact: file.artifact, sha256: file.heldSha256, size: file.heldSize ?? -1 }
    : null;

const isElsewhere = ({ present, input }: Picture, sha256: string): boolean =>
  present.has(sha256) || input.elsewhere(sha256) !== null;

/** The artifact that a file's new bytes take the place of, unless some file still has the old ones. */
function replacedBy(picture: Picture, file: Settled): string | null {
  const before = older(file);
  return before && !isElsewhere(picture, before.sha256) ? before.artifact : null;
}

/** Whether that has to be put off: a file that nobody has looked into yet may have the old bytes. */
function isUndecided(picture: Picture, file: Settled): boolean {
  const before = older(file);
  return (
    before !== null &&
    picture.unknownSizes.has(before.size) &&
    !isElsewhere(picture, before.sha256)
  );
}

const held = (file: Settled, artifact: string, sentByUs: boolean): KnownFile => ({
  ...file,
  artifact,
  heldSha256: file.sha256,
  heldSize: file.size,
  sentByUs,
  sending: false,
  verdict: null,
  reason: null,
  nextTry: null,
});

/** Bytes that are in Engram by what is known here: nothing is asked, at most the place is said. */
function joinHolder(picture: Picture, file: Settled, holder: Elsewhere | KnownFile): void {
  const { plan, present, holders, gone } = picture;
  const artifact = holder.artifact ?? '';
  const replaces = replacedBy(picture, file);
  const home = (present.get(file.sha256) ?? []).find(
    (other) => other.path !== file.path && other.heldSha256 === file.sha256 && other.artifact,
  );
  const put = [held(file, artifact, holder.sentByUs)];
  if (!holder.sentByUs || ((home ?? picture.input.elsewhere(file.sha256)) && !replaces)) {
    plan.steps.push({ kind: 'write', then: { put, drop: [] } });
    return;
  }
  const moved = holders.get(file.sha256) ?? [];
  const drop = home ? [] : moved.filter((row) => gone.has(row)).map((row) => row.path);
  const archived = moved.some(({ verdict }) => verdict === 'archived') && !home;
  const path = (home ?? file).path;
  const { mtime } = home ?? file;
  plan.steps.push({ kind: 'place', artifact, path, mtime, replaces, then: { put, drop } });
  if (archived) {
    plan.steps.push({
      kind: 'archive',
      artifact,
      archived: false,
      then: { put: [], drop: [] },
    });
  }
}

/** What is done with bytes that nothing is known of here, by what the server says. */
function followAnswer(picture: Picture, file: Settled, answer: Answer): void {
  const { plan } = picture;
  const { artifactId, reason } = answer;
  if (answer.state === 'new') {
    const replaces = replacedBy(picture, file);
    plan.steps.push({ kind: 'upload', file, sha256: file.sha256, replaces });
    return;
  }
  if (answer.state === 'known' && artifactId) {
    const put = [held(file, artifactId, file.sending)];
    const replaces = replacedBy(picture, file);
    if (!file.sending && !replaces) {
      plan.steps.push({ kind: 'write', then: { put, drop: [] } });
      return;
    }
    const { path, mtime } = file;
    const then = { put, drop: [] };
    plan.steps.push({ kind: 'place', artifact: artifactId, path, mtime, replaces, then });
    return;
  }
  const failed = answer.state === 'refused' && artifactId ? 'failed' : answer.state;
  const verdict = failed === 'known' ? 'refused' : failed;
  const put = [{ ...file, verdict, reason, sending: false, nextTry: null }];
  plan.steps.push({ kind: 'write', then: { put, drop: [] } });
}

/** Files that are there and are not in Engram with the bytes that they have. */
function settle(picture: Picture): void {
  const { input, plan, holders, present, verdicts } = picture;
  for (const [sha256, files] of present) {
    let isAsked = false;
    for (const file of files) {
      if (file.verdict !== null || (file.artifact && file.heldSha256 === sha256)) continue;
      if (file.nextTry !== null && file.nextTry > input.now) {
        waitUntil(plan, file.nextTry);
        continue;
      }
      const verdict = verdicts.get(sha256);
      const holder = bestOf(holders.get(sha256)) ?? input.elsewhere(sha256);
      if (verdict) {
        const { verdict: same, reason } = verdict;
        const put = [{ ...file, verdict: same, reason }];
        plan.steps.push({ kind: 'write', then: { put, drop: [] } });
      } else if (isUndecided(picture, file) || isAsked) {
        // The next round knows more: what the other files are, or what became of the same bytes.
      } else if (holder) {
        joinHolder(picture, file, holder);
        // Where the artifact is at home is known once this is done.
        isAsked = true;
      } else {
        const answer = input.answers.get(sha256);
        isAsked = true;
        if (answer) followAnswer(picture, file, answer);
        else plan.steps.push({ kind: 'check', file, sha256 });
      }
    }
  }
}

/** Of several artifacts with the same bytes the one that this device may move. */
const bestOf = (rows: KnownFile[] | undefined): KnownFile | undefined =>
  rows?.find(({ sentByUs }) => sentByUs) ?? rows?.[0];

/** A file that is gone while another one has its bytes: the artifact is said to be there. */
function handOver({ plan }: Picture, file: KnownFile, path: string, mtime: number | null): void {
  const then = { put: [], drop: [file.path] };
  if (!file.artifact || !file.sentByUs) plan.steps.push({ kind: 'write', then });
  else {
    const { artifact } = file;
    plan.steps.push({ kind: 'place', artifact, path, mtime, replaces: null, then });
  }
}

/** What is to be done with one file that is gone; answers whether it is one to archive. */
function letGo(picture: Picture, file: KnownFile): boolean {
  const { input, plan, present } = picture;
  if (file.verdict === 'left' || file.verdict === 'archived') return false;
  if (!file.artifact || !file.heldSha256) {
    plan.steps.push({ kind: 'write', then: { put: [], drop: [file.path] } });
    return false;
  }
  if (file.goneAt === null) {
    const put = [{ ...file, goneAt: input.now }];
    plan.steps.push({ kind: 'write', then: { put, drop: [] } });
    waitUntil(plan, input.now + STILL_MS);
    return false;
  }
  const heirs = present.get(file.heldSha256);
  const heir = heirs?.find((other) => other.artifact === file.artifact);
  const other = heirs ? null : input.elsewhere(file.heldSha256);
  if (heir) handOver(picture, file, heir.path, heir.mtime);
  else if (other) handOver(picture, file, other.path, null);
  // Another file with these bytes takes the artifact over first.
  if (heirs || other) return false;
  if (file.goneAt + STILL_MS > input.now) {
    waitUntil(plan, file.goneAt + STILL_MS);
    return false;
  }
  // A file that nobody has looked into yet may be this one under a new name.
  if (picture.unknownSizes.has(file.heldSize ?? file.size)) return false;
  if (input.archive && file.sentByUs) return true;
  const put: KnownFile[] = [{ ...file, verdict: 'left', reason: null }];
  plan.steps.push({ kind: 'write', then: { put, drop: [] } });
  return false;
}

/** Files that left: they are archived where that is wanted, and asked about where they are many. */
function letAllGo(picture: Picture): void {
  const { input, plan, gone } = picture;
  if (!input.complete) return;
  const leaving = [...gone].filter((file) => letGo(picture, file));
  const most = Math.min(UNASKED_FILES, (input.seen.length + leaving.length) * UNASKED_SHARE);
  if (leaving.length > most && input.archiveAnswer === null) {
    plan.archiveAsked = leaving.length;
    return;
  }
  const verdict = input.archiveAnswer === false ? 'left' : 'archived';
  for (const file of leaving) {
    const then: Then = { put: [{ ...file, verdict, reason: null }], drop: [] };
    const artifact = file.artifact ?? '';
    if (verdict === 'left') plan.steps.push({ kind: 'write', then });
    else plan.steps.push({ kind: 'archive', artifact, archived: true, then });
  }
}

/**
 * What has to be done so that a folder is in Engram, by what is there, what is known, and what the
 * server says. It is asked again after its steps were done, until there are none.
 */
export function makePlan(input: PlanInput): Plan {
  const picture = takeApart(input);
  settle(picture);
  letAllGo(picture);
  return picture.plan;
}

/** What is known of a file once its bytes were hashed. */
export function afterHash(seen: SeenFile, known: KnownFile | null, sha256: string): KnownFile {
  const before = known ?? newlyKnown(seen);
  const { path, size, mtime, inode } = seen;
  const file = { ...before, path, size, mtime, inode, sha256 };
  if (before.sha256 === sha256) return file;
  const other = { verdict: null, reason: null, nextTry: null, goneAt: null, sending: false };
  // What left a while ago was another file, although it had this name.
  const isAnother = before.verdict === 'left' || before.verdict === 'archived';
  const nothing = { artifact: null, heldSha256: null, heldSize: null, sentByUs: false };
  return { ...file, ...other, ...(isAnother ? nothing : {}) };
}
