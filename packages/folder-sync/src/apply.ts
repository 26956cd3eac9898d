import { checkBatches, fileMeta } from '@engram/contract';
import { type FolderMemory, timeOf } from './files.ts';
import { type Answer, ofKind, type Step, type StepOf } from './plan.ts';
import { hashFiles, type RoundContext } from './reading.ts';

/** The calls of a sync. An error of any of them ends the round. */
export interface SyncServer {
  /** Asks which files Engram has. The answers are in their order. */
  check(files: { path: string; size: number; sha256: string }[]): Promise<readonly Answer[]>;
  /** Reports the path of an artifact, and which artifact it replaces. */
  place(
    artifactId: string,
    place: { path: string; modifiedAt: string | null; replaces: string | null },
  ): Promise<void>;
  archive(artifactId: string, archived: boolean): Promise<void>;
  /** Uploads files and writes the results to the memory. */
  upload(steps: readonly StepOf<'upload'>[], tools: RoundContext): Promise<void>;
  /** Whether a call failed because the artifact does not exist. */
  isNotFound(error: unknown): boolean;
}

interface Round {
  memory: FolderMemory;
  server: SyncServer;
  tools: RoundContext;
}

async function check(steps: readonly StepOf<'check'>[], { server, tools }: Round): Promise<void> {
  const { answers } = tools;
  const sendable = steps.filter(({ file, sha256 }) => {
    if (fileMeta.shape.path.safeParse(file.path).success) return true;
    const reason = 'Its path cannot be sent.';
    answers.set(sha256, { state: 'refused', artifactId: null, reason });
    return false;
  });
  const files = sendable.map(({ file: { path, size }, sha256 }) => ({ path, size, sha256 }));
  for (const batch of checkBatches(files)) {
    const answered = await server.check(batch);
    for (const [index, { sha256 }] of batch.entries()) {
      const answer = answered[index];
      if (answer) answers.set(sha256, answer);
    }
  }
}

/** Changes one artifact. If the artifact no longer exists, its files are checked again. */
async function changeArtifact(
  step: StepOf<'place' | 'archive'>,
  { memory, server, tools }: Round,
): Promise<void> {
  const { artifact, change } = step;
  try {
    if (step.kind === 'archive') await server.archive(artifact, step.archived);
    else {
      const { path, mtime, replaces } = step;
      await server.place(artifact, { path, modifiedAt: timeOf(mtime), replaces });
    }
    memory.write(change);
  } catch (error) {
    if (!server.isNotFound(error)) throw error;
    for (const { sha256 } of change.put ?? []) if (sha256) tools.answers.delete(sha256);
    memory.write({ release: artifact });
  }
}

/** Applies some or all steps of a plan. The folder is planned again afterwards. */
export async function applySteps(steps: readonly Step[], round: Round): Promise<void> {
  const { memory, server, tools } = round;
  memory.write(...ofKind(steps, 'write').map(({ change }) => change));
  for (const step of steps) {
    tools.signal.throwIfAborted();
    if (step.kind === 'place' || step.kind === 'archive') await changeArtifact(step, round);
  }
  await check(ofKind(steps, 'check'), round);
  await server.upload(ofKind(steps, 'upload'), tools);
  await hashFiles(ofKind(steps, 'hash'), memory, tools);
  tools.onProgress();
}
