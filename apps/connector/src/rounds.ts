import type { Client } from '@engram/client';
import { type ApplyContext, applySteps } from './apply.ts';
import type { Clock } from './clock.ts';
import type { FolderStatus, LeftOut } from './connector.ts';
import { freeHeap } from './free-memory.ts';
import { isUntouched, type KnownFile } from './files.ts';
import { type Answer, type ArchiveAnswer, makePlan, type Plan } from './plan.ts';
import { type Scan, scanFolder, type ScannedFile, type SizeLimits } from './scan.ts';
import type { Folder, State } from './state.ts';
import type { Throttle } from './throttle.ts';

/** How long a file that changes all the time is let alone, and one that cannot be read. */
const CHANGING_MS = 10_000;
const UNREADABLE_MS = 300_000;
const NAMED = 100;

/** What a person is told of a folder's files. */
export type Counts = Pick<
  FolderStatus,
  'files' | 'waiting' | 'refused' | 'waitingBytes' | 'leftOut' | 'archiveAsked'
>;

export interface RoundContext {
  state: State;
  clock: Clock;
  client: Client;
  deviceId: string;
  limits: SizeLimits | null;
  throttle: Throttle;
  signal: AbortSignal;
  onCounts: (counts: Counts) => void;
}

export interface RoundEnd {
  found: boolean;
  /** When something that waits may go on; null where nothing does. */
  lookAgainAt: number | null;
}

const isHeld = ({ artifact, heldSha256, sha256 }: KnownFile): boolean =>
  artifact !== null && heldSha256 === sha256;

const isOut = ({ verdict }: KnownFile): boolean =>
  verdict !== null && verdict !== 'left' && verdict !== 'archived';

const SENTENCES: Partial<Record<string, string>> = {
  deleted: 'You deleted it in Engram.',
  failed: 'Engram cannot read it.',
  large: 'It is larger than Engram takes.',
  type: 'Engram does not take files of this type.',
  refused: 'Engram does not take it.',
};

/** Counts the files of a folder; before it was walked, by what is known alone. */
export function countFiles(
  scan: Scan | null,
  known: readonly KnownFile[],
  asked: number,
  isUnreadable: (path: string) => boolean = () => false,
): Counts {
  const byPath = new Map(known.map((file) => [file.path, file]));
  const leftOut: LeftOut[] = [...(scan?.leftOut ?? [])];
  const counts: Counts = {
    files: 0,
    waiting: 0,
    refused: scan?.leftOutCount ?? 0,
    waitingBytes: 0,
    leftOut,
    archiveAsked: asked,
  };
  for (const seen of scan?.files ?? known.filter(({ goneAt }) => goneAt === null)) {
    const file = byPath.get(seen.path);
    if (isUnreadable(seen.path)) {
      counts.refused += 1;
      if (leftOut.length < NAMED) leftOut.push({ path: seen.path, reason: 'It cannot be read.' });
    } else if (file && isUntouched(file, seen) && isOut(file)) {
      counts.refused += 1;
      const reason = file.reason ?? SENTENCES[file.verdict ?? ''] ?? 'Engram does not take it.';
      if (leftOut.length < NAMED) leftOut.push({ path: file.path, reason });
    } else if (file && isUntouched(file, seen) && isHeld(file)) counts.files += 1;
    else {
      counts.waiting += 1;
      counts.waitingBytes += seen.size;
    }
  }
  return counts;
}

/** Walks one folder and brings it in step, for as long as there is something to do. */
export class Rounds {
  readonly #folder: () => Folder;
  /** When a file was first seen with the size and the time that it has. */
  #since = new Map<string, { file: ScannedFile; at: number }>();
  /** Until when a file is let alone that could not be read or was changing. */
  readonly #alone = new Map<string, { until: number; isChanging: boolean }>();
  /** What the server said; it holds for one round. */
  readonly #answers = new Map<string, Answer>();

  constructor(folder: () => Folder) {
    this.#folder = folder;
  }

  #sinceOf(file: ScannedFile, now: number): number {
    const before = this.#since.get(file.path);
    // What was seen later than now was seen before the clock was set back.
    if (before && isUntouched(before.file, file)) return Math.min(before.at, now);
    this.#since.set(file.path, { file, at: now });
    return now;
  }

  #plan(context: RoundContext, scan: Scan, known: KnownFile[]): Plan {
    const { state, clock } = context;
    const folder = this.#folder();
    const now = clock.now();
    for (const one of this.#alone.values()) one.until = Math.min(one.until, now + UNREADABLE_MS);
    const isAlone = (path: string): boolean => (this.#alone.get(path)?.until ?? 0) > now;
    const plan = makePlan({
      now,
      archive: folder.archive,
      archiveAnswer: state.setting<ArchiveAnswer | null>(`archiveAnswer:${folder.id}`, null),
      seen: scan.files.filter(({ path }) => !isAlone(path)),
      known,
      isHidden: (path) => isAlone(path) || scan.isHidden(path),
      // A folder that is suddenly empty is more likely a disk that is not there.
      complete: scan.complete && scan.files.length > 0,
      since: (file) => this.#sinceOf(file as ScannedFile, now),
      answers: this.#answers,
      wasSent: (artifact) => state.wasSent(artifact),
      elsewhere: (sha256) => state.elsewhere(folder.id, sha256),
    });
    for (const [path, { until, isChanging }] of this.#alone) {
      if (until <= now) this.#alone.delete(path);
      // The next walk by the clock tries what could not be read.
      else if (isChanging) plan.lookAgainAt = Math.min(plan.lookAgainAt ?? until, until);
    }
    return plan;
  }

  /** One round; a pause, or a server that is not there, ends it with that as the error. */
  async run(context: RoundContext): Promise<RoundEnd> {
    const { state, clock, signal, onCounts } = context;
    const folder = this.#folder();
    const { root, name } = folder;
    const scan = await scanFolder({ root, name, limits: context.limits, signal });
    if (!scan.found) {
      // A word on files that left was said of a folder that was there.
      state.set(`archiveAnswer:${folder.id}`, null);
      return { found: false, lookAgainAt: null };
    }
    this.#answers.clear();
    const scanned = new Map(scan.files.map((file) => [file.path, file]));
    for (const path of this.#since.keys()) if (!scanned.has(path)) this.#since.delete(path);
    const isUnreadable = (path: string): boolean => this.#alone.get(path)?.isChanging === false;
    const count = (asked: number): void =>
      onCounts(countFiles(scan, state.files(folder.id), asked, isUnreadable));
    let countedAt = 0;
    const apply: ApplyContext = {
      ...context,
      folder,
      scanned,
      answers: this.#answers,
      passOver: (path, isChanging) => {
        const until = clock.now() + (isChanging ? CHANGING_MS : UNREADABLE_MS);
        this.#alone.set(path, { until, isChanging });
      },
      onProgress: () => {
        if (clock.now() - countedAt < 2000) return;
        countedAt = clock.now();
        count(0);
        freeHeap();
      },
    };
    for (;;) {
      const plan = this.#plan(context, scan, state.files(folder.id));
      if (plan.steps.length === 0) {
        state.set(`archiveAnswer:${folder.id}`, null);
        count(plan.archiveAsked);
        if (plan.lookAgainAt === null) this.#since.clear();
        return { found: true, lookAgainAt: plan.lookAgainAt };
      }
      await applySteps(apply, plan.steps);
    }
  }
}
