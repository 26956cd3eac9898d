/** The umask of processes that write to the data folder: only their own user may open the files. */
export const PRIVATE_UMASK = 0o077;

/** Runs a command, which may return its exit code. An error is printed after `failureMessage`. */
export async function runCommand(
  failureMessage: string,
  run: () => Promise<number | void>,
  failedCode = 1,
): Promise<void> {
  process.umask(PRIVATE_UMASK);
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${failureMessage}\n${reason}\n`);
    process.exitCode = failedCode;
  }
}
