/** Bytes of one user between two checks of the plan. */
const CHECK_EVERY_BYTES = 4 * 1_048_576;

interface Arriving {
  bytes: number;
  /** The number of bytes at the last successful check. */
  checked: number;
}

/**
 * Checks the storage quota while bytes arrive, over all uploads and imports of a user together. The
 * plan itself counts only files that have rows.
 * @param assertMayUpload throws if the plan does not allow that many more bytes
 */
export function createRunningQuota(
  assertMayUpload: (userId: string, bytes: number) => Promise<void>,
) {
  const people = new Map<string, Arriving>();
  const files = new Map<string, { userId: string; bytes: number }>();

  const subtract = (file: { userId: string; bytes: number }, bytes: number): void => {
    const person = people.get(file.userId);
    if (!person) return;
    file.bytes -= bytes;
    person.bytes -= bytes;
    person.checked = Math.min(person.checked, person.bytes);
    if (person.bytes === 0) people.delete(file.userId);
  };

  return {
    begin(userId: string, artifactId: string): void {
      files.set(artifactId, { userId, bytes: 0 });
    },

    has: (artifactId: string): boolean => files.has(artifactId),

    /** @throws HttpError 402 if the user's files exceed the plan */
    async count(artifactId: string, bytes: number): Promise<void> {
      const file = files.get(artifactId);
      if (!file) return;
      const person = people.get(file.userId) ?? { bytes: 0, checked: 0 };
      people.set(file.userId, person);
      file.bytes += bytes;
      person.bytes += bytes;
      if (person.bytes - person.checked < CHECK_EVERY_BYTES) return;
      person.checked = Number.NEGATIVE_INFINITY;
      await assertMayUpload(file.userId, person.bytes);
      person.checked = person.bytes;
    },

    /** Releases bytes of an archive that the import has stored as files. */
    release(artifactId: string, bytes: number): void {
      const file = files.get(artifactId);
      if (file) subtract(file, Math.min(bytes, file.bytes));
    },

    /** Stops counting a file that has a row from now on, or was removed. */
    end(artifactId: string): void {
      const file = files.get(artifactId);
      files.delete(artifactId);
      if (file) subtract(file, file.bytes);
    },
  };
}

export type RunningQuota = ReturnType<typeof createRunningQuota>;
