/** Characters a question may have. */
export const QUESTION_LIMIT = 300;
/** Files that one question may be limited to. */
export const CHOSEN_FILES_LIMIT = 100;
/** Characters an answer may have, and a quote, where they come from elsewhere. */
export const ANSWER_LIMIT = 20_000;
/** Sections found for a question. */
export const FOUND_LIMIT = 10;

/** Passages shown as the nearest where there is no answer. */
export const NEAREST_LIMIT = 3;
/** Suggestions that are answered at once, and the bytes they take together. */
export const SUGGESTION_LIMIT = 2000;
export const SUGGESTION_BYTES = 100_000;
/** Words a typed note may have. */
export const TEXT_WORD_LIMIT = 500;
/** Characters a keyword may have. */
export const KEYWORD_LIMIT = 25;
/** Characters an address may have. */
export const EMAIL_LIMIT = 254;
/** Time after which the client's cached lists are stale, in milliseconds. */
export const CACHE_TTL_MS = 86_400_000;
/** Time between checks whether files have become searchable, in milliseconds. */
export const READY_POLL_MS = 15_000;
/** Seconds before a code can be sent again. */
export const RESEND_SECONDS = 59;
/** Days after which a session ends, however often it is renewed. */
export const SESSION_DAYS = 90;
/** Minutes for which a proof of who somebody is counts, where a call needs a fresh one. */
export const FRESH_MINUTES = 15;
/** The code of a refusal because that proof is older. */
export const FRESH_CODE_NEEDED = 'fresh_code_needed';
/** The success message where no mail was sent because enough of them were. */
export const USE_NEWEST_MAIL = 'Use the newest mail we sent';

/** The code of a refusal because a sign-in code was tried too often: another one is needed. */
export const CODE_USED_UP = 'code_used_up';

// Line breaks, other controls and angle brackets never pass: they would redirect the mail's envelope.
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

/** Characters a person's name may have. */
export const NAME_LIMIT = 100;
/** Characters a phone number may have, as it is shown. */
export const PHONE_LIMIT = 14;
export const PHONE_PATTERN = /^(?=.*\d)[+(\d][\d ().+-]*$/u;
export const PHONE_ERROR = 'Please enter a valid phone number.';
/** Bytes a photo may have. */
export const PHOTO_LIMIT = 2_097_152;
/** The header that an API key comes in. */
export const API_KEY_HEADER = 'ENGRAM-API-KEY';
/** API keys that one person may have. */
export const API_KEY_LIMIT = 50;
/** Characters the name of an API key may have. */
export const API_KEY_NAME_LIMIT = 50;
// A name stands in an address, in which one of dots alone would mean another place.
export const API_KEY_NAME_PATTERN = /^(?=.*[\p{L}\p{N}])\P{Cc}+$/u;
export const API_KEY_NAME_ERRORS = {
  missing: 'An API key needs a name.',
  tooLong: `The name of an API key has at most ${API_KEY_NAME_LIMIT} characters.`,
  malformed: 'The name of an API key needs a letter or a digit, and stands in one line.',
} as const;
/** Credits that can be added at once. */
export const CREDIT_LIMIT = 1_000_000;

export const KEYWORD_PATTERN = /^[\p{L}\p{M}\p{N}]+$/u;
export const KEYWORD_ERRORS = {
  missing: 'A keyword needs at least one letter or digit.',
  tooLong: `A keyword can have at most ${KEYWORD_LIMIT} characters.`,
  malformed: 'A keyword can only contain letters and digits.',
} as const;

/** The words of a text as the word limit counts them. */
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

/** Most files that one call asks about. */
export const CHECK_LIMIT = 1000;

/** Most letters of a file's path in the folder that it came from. */
export const PATH_LIMIT = 4000;

/** Whether a path is names joined by '/', none of which leads anywhere else. */
export const isPlainPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
  !/[\p{Cc}\\]/u.test(path);

/** Most folders that a device reports of. */
export const FOLDERS_LIMIT = 50;

/** Most refused files that a report names; it counts all of them. */
export const REFUSED_NAMED = 100;

/** Files that one call may change by their ids. */
export const BULK_LIMIT = 1000;

/** Files, and bytes of them together, that one zip may hold. */
export const ZIP_FILE_LIMIT = 5000;
export const ZIP_BYTE_LIMIT = 10_000_000_000;

/** Letters of a file's name, its ending among them. */
export const FILE_NAME_LIMIT = 255;
