/** Bytes of one person that arrive between two looks at what their plan stores. */
const LOOK_EVERY_BYTES = 4 * 1_048_576;

interface Arriving {
  /** Bytes of files that have no rows yet. */
  bytes: number;
  /** How many of them there were at the last look; nothing of what was refused counts as seen. */
  seen: number;
}

/**
 * Counts what arrives for each person against their plan while it arrives, all uploads and imports
 * of theirs together: the plan itself knows only files that have rows.
 *
 * @param assertMayUpload throws where the plan does not store so many more bytes
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
    person.seen = Math.min(person.seen, person.bytes);
    if (person.bytes === 0) people.delete(file.userId);
  };

  return {
    /** A file begins to arrive. */
    begin(userId: string, artifactId: string): void {
      files.set(artifactId, { userId, bytes: 0 });
    },

    has: (artifactId: string): boolean => files.has(artifactId),

    /** @throws what the plan says where more has come than it stores. */
    async count(artifactId: string, bytes: number): Promise<void> {
      const file = files.get(artifactId);
      if (!file) return;
      const person = people.get(file.userId) ?? { bytes: 0, seen: 0 };
      people.set(file.userId, person);
      file.bytes += bytes;
      person.bytes += bytes;
      if (person.bytes - person.seen < LOOK_EVERY_BYTES) return;
      person.seen = Number.NEGATIVE_INFINITY;
      await assertMayUpload(file.userId, person.bytes);
      person.seen = person.bytes;
    },

    /** Releases bytes of an archive that the import has stored as files. */
    release(artifactId: string, bytes: number): void {
      const file = files.get(artifactId);
      if (file) subtract(file, Math.min(bytes, file.bytes));
    },

    /** A file has its row from now on, or is gone. */
    end(artifactId: string): void {
      const file = files.get(artifactId);
      files.delete(artifactId);
      if (file) subtract(file, file.bytes);
    },
  };
}

export type RunningQuota = ReturnType<typeof createRunningQuota>;
