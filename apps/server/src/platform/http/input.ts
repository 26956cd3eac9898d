import type { z } from 'zod';

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

/** Maximum depth of JSON that is cleaned. The contract has no deeper shapes, but a hostile body may. */
const DEPTH = 6;

/** The value with text that a database can store: no NUL, no half of a surrogate pair. */
export function storableText(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => storableText(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, storableText(item, depth - 1)]),
  );
}
