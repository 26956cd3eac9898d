import { type Counts, countFiles } from './counts.ts';
import { type FolderMemory, isUntouched, type KnownFile } from './files.ts';
import { type Answer, type ArchiveAnswer, makePlan, type Plan, type Step } from './plan.ts';
import type { RoundTools } from './reading.ts';
import { type Scan, scanFolder, type ScannedFile, type SizeLimits } from './scan.ts';

/** How long a file is skipped that keeps changing, and one that cannot be read. */
const CHANGING_MS = 10_000;
const UNREADABLE_MS = 300_000;

export interface RoundFolder {
  root: string;
  name: string;
  /** Whether files that left are to be archived, and the person's word on many of them. */
  archive: boolean;
  archiveAnswer: ArchiveAnswer | null;
}

export interface RoundContext {
  memory: FolderMemory;
  now: () => number;
  limits: SizeLimits | null;
  signal: AbortSignal;
  onCounts: (counts: Counts) => void;
  /** Does the steps of a plan, or some of them; what the server says goes into `answers`. */
  apply: (steps: readonly Step[], tools: ApplyTools) => Promise<void>;
}

export interface ApplyTools extends RoundTools {
  answers: Map<string, Answer>;
}

export interface RoundEnd {
  found: boolean;
  folders: string[];
  /** When something that waits may go on; null where nothing does. */
  lookAgainAt: number | null;
  archiveAsked: number;
}

/** Walks one folder and brings it in step, for as long as there is something to do. */
export class Rounds {
  readonly #folder: () => RoundFolder;
  /** When a file was first seen with the size and the time that it has. */
  #since = new Map<string, { file: ScannedFile; at: number }>();
  /** Files that are skipped because they could not be read or were changing. */
  readonly #alone = new Map<string, { until: number; isChanging: boolean }>();
  /** What the server said; it holds for one round. */
  readonly #answers = new Map<string, Answer>();

  constructor(folder: () => RoundFolder) {
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
    const { memory } = context;
    const { archive, archiveAnswer } = this.#folder();
    const now = context.now();
    for (const one of this.#alone.values()) one.until = Math.min(one.until, now + UNREADABLE_MS);
    const isAlone = (path: string): boolean => (this.#alone.get(path)?.until ?? 0) > now;
    const plan = makePlan({
      now,
      archive,
      archiveAnswer,
      seen: scan.files.filter(({ path }) => !isAlone(path)),
      known,
      isHidden: (path) => isAlone(path) || scan.isHidden(path),
      // A folder that is suddenly empty is more likely an unmounted disk.
      complete: scan.complete && scan.files.length > 0,
      since: (file) => this.#sinceOf(file as ScannedFile, now),
      answers: this.#answers,
      wasSent: (artifact) => memory.wasSent(artifact),
      elsewhere: (sha256) => memory.elsewhere(sha256),
    });
    for (const [path, { until, isChanging }] of this.#alone) {
      if (until <= now) this.#alone.delete(path);
      // The next walk by the clock tries what could not be read.
      else if (isChanging) plan.lookAgainAt = Math.min(plan.lookAgainAt ?? until, until);
    }
    return plan;
  }

  /** One round. A pause or an unavailable server ends it with an error. */
  async run(context: RoundContext): Promise<RoundEnd> {
    const { memory, now, signal, onCounts } = context;
    const { root, name } = this.#folder();
    const scan = await scanFolder({ root, name, limits: context.limits, signal });
    if (!scan.found) return { found: false, folders: [], lookAgainAt: null, archiveAsked: 0 };
    this.#answers.clear();
    const scanned = new Map(scan.files.map((file) => [file.path, file]));
    for (const path of this.#since.keys()) if (!scanned.has(path)) this.#since.delete(path);
    const isUnreadable = (path: string): boolean => this.#alone.get(path)?.isChanging === false;
    const count = (asked: number): void =>
      onCounts(countFiles(scan, memory.files(), asked, isUnreadable));
    let countedAt = 0;
    const tools: ApplyTools = {
      scanned,
      answers: this.#answers,
      signal,
      passOver: (path, isChanging) => {
        const until = now() + (isChanging ? CHANGING_MS : UNREADABLE_MS);
        this.#alone.set(path, { until, isChanging });
      },
      onProgress: () => {
        if (now() - countedAt < 2000) return;
        countedAt = now();
        count(0);
      },
    };
    for (;;) {
      const { steps, lookAgainAt, archiveAsked } = this.#plan(context, scan, memory.files());
      if (steps.length === 0) {
        count(archiveAsked);
        if (lookAgainAt === null) this.#since.clear();
        return { found: true, folders: scan.folders, lookAgainAt, archiveAsked };
      }
      await context.apply(steps, tools);
    }
  }
}
