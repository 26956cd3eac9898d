import { expect, test } from 'vitest';
import { z } from 'zod';
import { type RouteDefinition, routes } from '../index.ts';

/** Whether a pattern matches texts of a few lengths only. */
const isBounded = (pattern: string): boolean =>
  pattern.startsWith('^') && !/[*+]|,\}/u.test(pattern.replaceAll(/\[[^\]]*\]|\\./gu, ''));

/** Where in a schema a text or a list may be of any length. */
function endless(node: unknown, at: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, pattern, format, ...rest } = node as Record<string, unknown>;
  const ends =
    'maxLength' in rest ||
    'enum' in rest ||
    'const' in rest ||
    format === 'uuid' ||
    (typeof pattern === 'string' && isBounded(pattern));
  const here = (type === 'string' && !ends) || (type === 'array' && !('maxItems' in rest));
  const inside = Object.entries(rest).flatMap(([name, child]) => endless(child, `${at}.${name}`));
  return here ? [at, ...inside] : inside;
}

/** What a call takes; the fields of a form have an end as parts of it. */
const taken = ({ kind, params, query, body }: RouteDefinition) =>
  [params, query, kind === 'upload' ? undefined : body].filter((schema) => schema !== undefined);

test('every text and list in a request has a maximum length', () => {
  const found = routes.flatMap((route) =>
    taken(route).flatMap((schema) =>
      endless(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), route.id),
    ),
  );
  expect(found).toEqual([]);
});
