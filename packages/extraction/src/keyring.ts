import { ExtractionError } from './errors.ts';

/** Failed attempts of one upload, because each may take a tenth of a second. */
const MAX_FAILURES = 500;

/** Ends an extraction that only checks a password. */
export class PasswordFits extends Error {}

export type Keyring = ReturnType<typeof createKeyring>;

/** The passwords that are tried on an upload and the files in it, the last one that worked first. */
export function createKeyring(
  passwords: readonly string[] = [],
  onOpened?: (password: string) => void,
) {
  let ordered = passwords;
  let failures = 0;
  let locked = false;

  function* attempts(): Generator<string> {
    for (const password of ordered) {
      if (failures >= MAX_FAILURES) return;
      failures += 1;
      yield password;
    }
  }

  const accept = (password: string): void => {
    failures -= 1;
    ordered = [password, ...ordered.filter((other) => other !== password)];
    onOpened?.(password);
  };

  const refuse = (message: string): ExtractionError => {
    locked = true;
    return new ExtractionError('password_needed', message);
  };

  return {
    /** Whether something is still locked. */
    get locked(): boolean {
      return locked;
    },
    /** The passwords to try. Ends with `accept` for the one that fits, or with `refuse`. */
    attempts,
    accept,
    refuse,
    /** Returns the result of the first password that fits. Throws {@link ExtractionError} if none fits. */
    open<Opened>(attempt: (password: string) => Opened | null, message: string): Opened {
      for (const password of attempts()) {
        const opened = attempt(password);
        if (opened === null) continue;
        accept(password);
        return opened;
      }
      throw refuse(message);
    },
  };
}
