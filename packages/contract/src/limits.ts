/** Characters of a question. */
export const QUESTION_LIMIT = 300;
/** Files that a question can be limited to. */
export const CHOSEN_FILES_LIMIT = 100;
/** Characters of an imported answer, and of its quotes. */
export const ANSWER_LIMIT = 20_000;
/** Sections found for a question. */
export const FOUND_LIMIT = 10;

/** Closest passages that are shown without an answer. */
export const NEAREST_LIMIT = 3;
/** Suggestions in one response, and their bytes. */
export const SUGGESTION_LIMIT = 2000;
export const SUGGESTION_BYTES = 100_000;
/** Words of a typed note. */
export const TEXT_WORD_LIMIT = 500;
/** Characters of a keyword. */
export const KEYWORD_LIMIT = 25;
/** Characters of an e-mail address. */
export const EMAIL_LIMIT = 254;
/** Time after which the client's cached lists are stale, in milliseconds. */
export const CACHE_TTL_MS = 86_400_000;
/** Time between checks whether files have become searchable, in milliseconds. */
export const READY_POLL_MS = 15_000;
/** Seconds before a code can be sent again. */
export const RESEND_SECONDS = 59;
/** Days after which a session ends, however often it is renewed. */
export const SESSION_DAYS = 90;
/** Minutes for which an authentication counts as recent. */
export const FRESH_MINUTES = 15;
/** The error code if a call needs a recent authentication. */
export const FRESH_CODE_NEEDED = 'fresh_code_needed';
/** The success message if no further e-mail was sent. */
export const USE_NEWEST_MAIL = 'Use the newest mail we sent';

/** The error code if a sign-in code was tried too often and another one is needed. */
export const CODE_USED_UP = 'code_used_up';

// Control characters and angle brackets would redirect the e-mail.
const ATOM = String.raw`[^\s\p{Cc}@<>,;:"()[\]\\.]+`;
const LABEL = `(?!-)${ATOM}(?<!-)`;
export const EMAIL_PATTERN = new RegExp(
  String.raw`^${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})+$`,
  'u',
);
export const EMAIL_ERRORS = {
  missing: 'Email is required.',
  malformed: 'Please enter a valid email address.',
} as const;

/** Characters of a user's name. */
export const NAME_LIMIT = 100;
/** Characters of a phone number. */
export const PHONE_LIMIT = 14;
export const PHONE_PATTERN = /^(?=.*\d)[+(\d][\d ().+-]*$/u;
export const PHONE_ERROR = 'Please enter a valid phone number.';
/** Bytes of a photo. */
export const PHOTO_LIMIT = 2_097_152;
/** The header of an API key. */
export const API_KEY_HEADER = 'ENGRAM-API-KEY';
/** API keys per user. */
export const API_KEY_LIMIT = 50;
/** Characters of the name of an API key. */
export const API_KEY_NAME_LIMIT = 50;
// The name is part of a URL, where dots alone would mean another path.
export const API_KEY_NAME_PATTERN = /^(?=.*[\p{L}\p{N}])\P{Cc}+$/u;
export const API_KEY_NAME_ERRORS = {
  missing: 'An API key needs a name.',
  tooLong: `The name of an API key has at most ${API_KEY_NAME_LIMIT} characters.`,
  malformed: 'The name of an API key needs a letter or a digit, and has only one line.',
} as const;
/** Saved file passwords per user, and the characters of one. */
export const SAVED_PASSWORD_LIMIT = 20;
export const FILE_PASSWORD_MAX_LENGTH = 255;
/** Passkeys per user. */
export const PASSKEY_LIMIT = 20;
/** Characters of the name of a passkey. */
export const PASSKEY_NAME_LIMIT = 50;
/** Webhooks per user. */
export const WEBHOOK_LIMIT = 10;
/** Characters of the description of a webhook. */
export const WEBHOOK_DESCRIPTION_LIMIT = 200;
/** Mailboxes per user. */
export const MAILBOX_LIMIT = 10;
/** Credits that can be added at once. */
export const CREDIT_LIMIT = 1_000_000;

export const KEYWORD_PATTERN = /^[\p{L}\p{M}\p{N}]+$/u;
export const KEYWORD_ERRORS = {
  missing: 'A keyword needs at least one letter or digit.',
  tooLong: `A keyword can have at most ${KEYWORD_LIMIT} characters.`,
  malformed: 'A keyword can only contain letters and digits.',
} as const;

/** Counts words for the word limit. */
export const countWords = (text: string): number =>
  text.trim().split(/\s+/u).filter(Boolean).length;

interface TextErrors {
  missing: string;
  tooLong: string;
  malformed: string;
}

/** Why a text is refused, or null. A character outside of the basic plane counts as one. */
function refuseText(typed: string, limit: number, pattern: RegExp, errors: TextErrors) {
  const text = typed.trim();
  if (text === '') return errors.missing;
  if ([...text].length > limit) return errors.tooLong;
  return pattern.test(text) ? null : errors.malformed;
}

/** Why an e-mail address is refused, or null. Spaces around it are allowed. */
export const refuseEmail = (typed: string): string | null =>
  refuseText(typed, EMAIL_LIMIT, EMAIL_PATTERN, {
    ...EMAIL_ERRORS,
    tooLong: EMAIL_ERRORS.malformed,
  });

/** Why the name of an API key is refused, or null. */
export const refuseApiKeyName = (typed: string): string | null =>
  refuseText(typed, API_KEY_NAME_LIMIT, API_KEY_NAME_PATTERN, API_KEY_NAME_ERRORS);

/** Why a keyword is refused, or null. Spaces around it are allowed. */
export const refuseKeyword = (typed: string): string | null =>
  refuseText(typed, KEYWORD_LIMIT, KEYWORD_PATTERN, KEYWORD_ERRORS);

/** Files per check. */
export const CHECK_LIMIT = 1000;

/** Bytes of a check. The server accepts 1 MB, which fewer files with long paths can fill. */
const CHECK_BYTES = 900_000;

/** Splits the files of a check by the limits of one call. */
export function checkBatches<T>(files: readonly T[]): T[][] {
  const batches: T[][] = [];
  const encoder = new TextEncoder();
  let bytes = Infinity;
  for (const file of files) {
    const size = encoder.encode(JSON.stringify(file)).length + 1;
    const last = batches.at(-1);
    if (!last || last.length === CHECK_LIMIT || bytes + size > CHECK_BYTES) {
      batches.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return batches;
}

/** Characters of a path in a folder. */
export const PATH_LIMIT = 4000;

/** Whether a path is names joined by '/', without '.' and '..'. */
export const isPlainPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
  !/[\p{Cc}\\]/u.test(path);

/** Folders per device report. */
export const FOLDERS_LIMIT = 50;

/** Refused files that a device report names; it counts all. */
export const REFUSED_NAMED = 100;

/** Files per bulk change by ids. */
export const BULK_LIMIT = 1000;

/** Files and bytes per zip. */
export const ZIP_FILE_LIMIT = 5000;
export const ZIP_BYTE_LIMIT = 10_000_000_000;

/** Characters of a file name with its extension. */
export const FILE_NAME_LIMIT = 255;
