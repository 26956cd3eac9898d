import { PRIVATE_UMASK } from '../platform/files/private-umask.ts';

/** Runs a command, which may answer its exit code; what it fails of is told after the sentence. */
export async function runCommand(
  failed: string,
  run: () => Promise<number | void>,
  failedCode = 1,
): Promise<void> {
  process.umask(PRIVATE_UMASK);
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${failed}\n${told}\n`);
    process.exitCode = failedCode;
  }
}
