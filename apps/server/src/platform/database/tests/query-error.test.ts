import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { messageOf, serializeError } from '../query-error.ts';

const failed = (): DrizzleQueryError =>
  new DrizzleQueryError(
    'insert into history values ($1)',
    ['my secret question'],
    Object.assign(new Error('value too long'), { code: '22001', detail: 'my secret question' }),
  );

test('a failed statement is reported without its values', () => {
  expect(messageOf(failed())).toBe('value too long (in: insert into history values ($1))');
  const serialized = serializeError(failed());
  expect(serialized).toMatchObject({ code: '22001' });
  expect(serialized.stack).toContain('query-error.test.ts');
  expect(JSON.stringify(serialized)).not.toContain('secret');
  const wrapped = serializeError(new Error('The answer was not kept', { cause: failed() }));
  expect(wrapped.message).toContain('The answer was not kept: value too long');
  expect(JSON.stringify(wrapped)).not.toContain('secret');
});

test('another error keeps its message and code', () => {
  const error = Object.assign(new TypeError('no such thing'), { code: 'E_THING' });
  expect(serializeError(error)).toMatchObject({
    type: 'TypeError',
    message: 'no such thing',
    code: 'E_THING',
  });
});
