import { routes } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from './use-app.test-setup.ts';

const engram = useTestApp();

const ID = '00000000-0000-4000-8000-000000000000';

const samplePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    if (name === 'archived' || name === 'isActive') return 'true';
    return name.toLowerCase().endsWith('id') ? ID : 'word';
  });

/** 'GET /v1/artifacts' for every route below /v1, except files of the reference page. */
function mountedRoutes(): string[] {
  const matches: string[] = [];
  const stack: string[] = [];
  for (const line of engram.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^(?<indent>[│├└─\s]*)(?<segment>\S+)(?: \((?<methods>[^)]*)\))?/u.exec(line);
    if (!match?.groups?.['segment']) continue;
    const { indent = '', segment, methods = '' } = match.groups;
    const depth = Math.round(indent.length / 4);
    stack.splice(depth);
    stack[depth] = segment;
    const path = stack.join('');
    for (const method of methods.split(', ').filter(Boolean)) {
      if (method !== 'HEAD' && path.startsWith('/v1/')) matches.push(`${method} ${path}`);
    }
  }
  return matches;
}

test('the mounted routes are exactly those of the contract', () => {
  const described = routes.map(
    ({ method, path }) => `${method} /v1${path.replaceAll(/\{\w+\}/gu, ':')}`,
  );
  // The scripts and styles of the reference page are not calls.
  const mounted = mountedRoutes()
    .filter((route) => !/\/v1\/(?:reference|openai)[/*]/u.test(route))
    .map((route) => route.replaceAll(/:[^/]+/gu, ':'));
  expect(mounted.toSorted()).toEqual(described.toSorted());
});

const named = (chosen: typeof routes) =>
  chosen.map((route) => [`${route.method} ${route.path}`, route] as const);

// Restoring a session needs a cookie instead of a token.
const needsSession = routes.filter(
  ({ auth, id }) => auth !== 'public' || id === 'auth.refreshSession',
);

test.each(named(needsSession))('%s answers 401 without a token', async (_, route) => {
  const { method, path } = route;
  const response = await engram.app.inject({ method, url: `/v1${samplePath(path)}` });
  expect(response.statusCode).toBe(401);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.json()).toEqual({
    message: expect.stringMatching(/\.$/u) as string,
    code: expect.any(String) as string,
  });
});

test.each(named(routes.filter((route) => !needsSession.includes(route))))(
  '%s is public',
  async (_, { method, path }) => {
    const response = await engram.app.inject({ method, url: `/v1${samplePath(path)}` });
    expect(response.statusCode).not.toBe(401);
  },
);

test('a forged token is refused', async () => {
  const response = await engram.app.inject({
    url: '/v1/artifacts',
    headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
  });
  expect(response.statusCode).toBe(401);
});

test('malformed JSON returns a clear message', async () => {
  const response = await engram.app.inject({
    method: 'POST',
    url: '/v1/auth/otp/generate',
    headers: { 'content-type': 'application/json' },
    payload: '{"email": ',
  });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual({
    message: 'The request body is not valid JSON.',
    code: 'invalid_request',
  });
});

test('an unknown call returns 404 and an error code', async () => {
  const response = await engram.app.inject({ url: '/v1/nothing' });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'not_found' });
});
