import pino from 'pino';
import { expect, test } from 'vitest';
import { HttpError } from '../errors.ts';
import { createHttpServer } from '../server.ts';

test.each([
  ['a refusal with a message', new HttpError(503, 'down', 'It is off.'), 'It is off.', 0],
  [
    'an unreachable database',
    new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') }),
    'A service that Engram needs is unreachable right now.',
    1,
  ],
  [
    'an unreachable bucket',
    Object.assign(new Error('inside'), { code: 'ECONNREFUSED' }),
    'A service that Engram needs is unreachable right now.',
    1,
  ],
  ['an unexpected error', new Error('inside'), 'Something went wrong on the server.', 1],
])(
  'the response to %s has a message, and only server errors are logged',
  async (name, error, message, failures) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const app = await createHttpServer({ log, trustProxy: undefined });
    app.get('/', () => Promise.reject(error));
    const response = await app.inject('/');
    await app.close();
    expect(response.statusCode).toBeGreaterThanOrEqual(500);
    expect(response.json<{ message: string }>().message).toContain(message);
    expect(response.body).not.toContain('inside');
    expect(lines).toHaveLength(failures);
  },
);
