/** What PostgreSQL says to one of several transactions that stand in each other's way. */
const CLASHES: ReadonlySet<unknown> = new Set([
  // serialization_failure, deadlock_detected (PostgreSQL, appendix A)
  '40001',
  '40P01',
]);

/** How often a transaction is begun in all. */
const TRIES = 3;

function isClash(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && CLASHES.has(at.code)) return true;
  }
  return false;
}

/** Does the work of a transaction again where it was undone only because it met another one. */
export async function withTries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isClash(error)) throw error;
    }
  }
}
