import { expect, test } from 'vitest';
import { z } from 'zod';
import { type RouteDefinition, routes } from '../index.ts';

/** Whether a pattern limits the length of a text. */
const isBounded = (pattern: string): boolean =>
  pattern.startsWith('^') && !/[*+]|,\}/u.test(pattern.replaceAll(/\[[^\]]*\]|\\./gu, ''));

/** The paths in a schema whose text or list has no maximum length. */
function unlimitedPaths(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, pattern, format, ...rest } = node as Record<string, unknown>;
  const isLimited =
    'maxLength' in rest ||
    'enum' in rest ||
    'const' in rest ||
    format === 'uuid' ||
    (typeof pattern === 'string' && isBounded(pattern));
  const isUnlimited =
    (type === 'string' && !isLimited) || (type === 'array' && !('maxItems' in rest));
  const inside = Object.entries(rest).flatMap(([name, child]) =>
    unlimitedPaths(child, `${path}.${name}`),
  );
  return isUnlimited ? [path, ...inside] : inside;
}

/** The inputs of a call, except form fields, whose size the form limits. */
const inputsOf = ({ kind, params, query, body }: RouteDefinition) =>
  [params, query, kind === 'upload' ? undefined : body].filter((schema) => schema !== undefined);

test('every text and list in a request has a maximum length', () => {
  const unlimited = routes.flatMap((route) =>
    inputsOf(route).flatMap((schema) =>
      unlimitedPaths(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), route.id),
    ),
  );
  expect(unlimited).toEqual([]);
});
