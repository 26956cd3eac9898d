import type { z } from 'zod';

/** What is said of a request where nothing more is known. */
export const UNCLEAR = 'The request is not valid.';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Record<string, string> = { string: ' characters', array: ' entries', set: ' entries' };

/** What is wrong with a value, as a sentence; where a schema has its own sentence, that comes first. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const name = issue.path?.length ? `'${issue.path.join('.')}'` : 'The request body';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `${name} is missing.`;
      return `${name} must be ${kinds[issue.expected] ?? 'of another type'}.`;
    case 'too_small':
      return `${name} must be at least ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'too_big':
      return `${name} must be at most ${issue.maximum}${units[issue.origin] ?? ''}.`;
    case 'invalid_value':
      return `${name} must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return `${name} is not in the right form.`;
    default:
      return `${name} is not valid.`;
  }
};

/** How deep text is looked for. No shape of the contract is deeper, and a hostile body may be. */
const DEPTH = 6;

/** The same value with text that a database can store: no NUL, no half of a surrogate pair. */
export function storableText(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => storableText(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, storableText(item, depth - 1)]),
  );
}
