import { beforeAll, expect, test } from 'vitest';
import { fillLibrary, formOf, plainCalls, type SentCall } from './plain-calls.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

const engram = useTestApp();
const calls = plainCalls(engram);
let token: string;
const call = (line: string, sent: SentCall = {}) => calls.call(line, { token, ...sent });

beforeAll(async () => {
  const ann = await engram.signIn('ann@example.org');
  token = ann.token;
  Object.assign(calls.names, { ann: ann.userId, unknown: '00000000-0000-4000-8000-000000000000' });
  await fillLibrary(engram, calls, token);
});

const UUID = 'This is not a valid id.';
const NOT_YOURS =
  'This is not the address of your account. The address of an account cannot be changed.';
const NOT_YOUR_PLAN =
  "This is not your account's email address. You can only pay for your own account.";
const NOT_YOUR_ACCOUNT = 'This is not the address of your account. You can only delete your own.';
const ADMINS = 'Only admins may do this.';
const PLACE = 'This position in the list is no longer valid.';
const eve = { email: 'eve@example.org' };
test.each<[string, unknown, number, string]>([
  ['POST /auth/otp/generate', { email: 5 }, 400, 'Email is required.'],
  [
    'POST /auth/otp/generate',
    { email: 'a@b.de\nBcc: c@d.de' },
    400,
    'Please enter a valid email address.',
  ],
  ['POST /auth/otp/validate', { email: 'a@b.de', code: 123_456 }, 400, "'code' must be text."],
  ['POST /auth/otp/validate', { email: 'a@b.de', code: '١٢٣٤٥٦' }, 400, 'The code has 6 digits.'],
  [
    'POST /auth/otp/validate',
    { email: 'a@b.de', code: '000000', location: null, ip: null, device: null },
    401,
    'OTP verification failed. Please try again.',
  ],
  [
    'POST /auth/otp/validate',
    { email: 'a@b.de', code: '000000', device: 'x'.repeat(101) },
    400,
    "'device' must be at most 100 characters.",
  ],
  ['PUT /user/profile', { email: 'eve@example.org' }, 403, NOT_YOURS],
  ['DELETE /user/profile/delete-account', {}, 400, 'Email is required.'],
  ['POST /artifacts/upload', {}, 415, 'An upload must be sent as multipart/form-data.'],
  ['POST /artifacts/nonsense/true', undefined, 400, UUID],
  ['POST /artifacts/{file}/TRUE', undefined, 400, "'archived' must be one of: true, false."],
  ['POST /artifacts/{file}/1', undefined, 400, "'archived' must be one of: true, false."],
  ['POST /artifacts/{file}/{unknown}/Lease.txt', undefined, 404, 'There is no such file.'],
  ['POST /artifacts/{file}/nobody/Lease.txt', undefined, 400, UUID],
  ['POST /search', {}, 400, 'Please enter a question.'],
  ['POST /search', { text: ' \n ' }, 400, 'Please enter a question.'],
  ['POST /search', { text: 5 }, 400, 'Please enter a question.'],
  ['POST /search', { text: 'x'.repeat(301) }, 400, 'A question can have at most 300 characters.'],
  [
    'POST /search',
    { text: 'x', location: { latitude: '1', longitude: 2 } },
    400,
    "'location.latitude' must be a number.",
  ],
  [
    'POST /search',
    { text: 'x', keywords: ['two words'] },
    400,
    'A keyword can only contain letters and digits.',
  ],
  ['POST /search', { text: 'x', after: 'x' }, 400, UUID],
  ['GET /search/history/1', undefined, 400, UUID],
  ['GET /search/history/1?id={entry}&id={entry}', undefined, 400, UUID],
  ['GET /search/history/2?id={entry}', undefined, 404, 'This address does not exist.'],
  ['GET /search/history/all?saved=1', undefined, 400, "'saved' must be one of: true, false."],
  ['POST /search/history/update', { isBookmark: true }, 400, UUID],
  [
    'POST /search/history/update',
    { historyId: '{entry}', isBookmark: 'true' },
    400,
    "'isBookmark' must be true or false.",
  ],
  [`POST /keywords/${'x'.repeat(26)}`, undefined, 400, 'A keyword can have at most 25 characters.'],
  [`POST /keywords/${'x'.repeat(1600)}`, undefined, 414, 'The address is too long.'],
  ['POST /keywords/a%2Fb', undefined, 400, 'A keyword can only contain letters and digits.'],
  ['POST /keywords/add', { keyword: ' ' }, 400, 'A keyword needs at least one letter or digit.'],
  ['POST /keywords/work', undefined, 409, "You already have the keyword 'Work'."],
  ['PUT /keywords/{keyword}/yes', undefined, 400, "'isActive' must be one of: true, false."],
  ['PUT /keywords/{default}/false', undefined, 409, 'Default keywords cannot be archived.'],
  ['PUT /questionnaire', { responses: 'x' }, 400, "'responses' must be a list."],
  ['PUT /questionnaire', { responses: [] }, 400, 'There is no answer among the responses.'],
  ['DELETE /keywords', undefined, 404, 'This address does not exist.'],
  ['GET /user/profile/emails', undefined, 403, ADMINS],
  ['GET /subscription/get-credits', undefined, 403, ADMINS],
  ['POST /subscription/update-credits/{ann}/5', undefined, 403, ADMINS],
  ['PUT /subscription/update-credits/{ann}/5', undefined, 403, ADMINS],
  ['GET /subscription/ledger?limit=1.5', undefined, 400, "'limit' must be a whole number."],
  ['GET /artifacts?limit=1001', undefined, 400, "'limit' must be at most 1000."],
  ['GET /artifacts?cursor=x', undefined, 400, PLACE],
  ['GET /search/history/all?cursor=x', undefined, 400, PLACE],
  [`GET /artifacts?q=${'x'.repeat(301)}`, undefined, 400, "'q' must be at most 300 characters."],
  ['DELETE /artifacts/bulk', [], 400, 'Please choose at least one file.'],
  [
    'DELETE /artifacts/bulk',
    Array.from({ length: 10_001 }, () => '{unknown}'),
    400,
    'At most 10,000 files can be deleted at once.',
  ],
  ['DELETE /artifacts/bulk', ['x'], 400, UUID],
  [
    'PUT /artifacts/keywords',
    { artifactId: '{file}', keywords: '["Home"]' },
    400,
    "'keywords' must be a list.",
  ],
  [
    'PUT /artifacts/keywords',
    { artifactId: '{file}', keywords: Array.from({ length: 51 }, (_, n) => `k${n}`) },
    400,
    "'keywords' must be at most 50 entries.",
  ],
  ['POST /api/keys/generate/%20', undefined, 400, 'An API key needs a name.'],
  ['DELETE /api/keys/{unknown}', undefined, 404, 'There is no such API key.'],
  ['POST /stripe/create-subscription', {}, 400, 'Please choose a plan.'],
  ['POST /stripe/create-subscription', { priceId: 'x' }, 404, 'This plan is not for sale.'],
  ['POST /stripe/create-subscription', { ...eve, priceId: 'x' }, 403, NOT_YOUR_PLAN],
  ['POST /stripe/create-checkout-session', { ...eve, priceId: 'x' }, 403, NOT_YOUR_PLAN],
  ['POST /stripe/update-plan', { ...eve, priceId: 'x' }, 403, NOT_YOUR_PLAN],
  ['POST /stripe/cancel-subscription', eve, 403, NOT_YOUR_PLAN],
  ['POST /stripe/resume-subscription', eve, 403, NOT_YOUR_PLAN],
  ['POST /stripe/resume-subscription', undefined, 409, 'You have no active paid plan.'],
  ['GET /stripe/preview-plan', undefined, 400, 'Please choose a plan.'],
  ['GET /stripe/preview-plan?priceId=x', undefined, 404, 'This plan is not for sale.'],
  ['GET /stripe/invoices?email=eve@example.org', undefined, 403, NOT_YOUR_PLAN],
  ['POST /stripe/cancel-subscription', undefined, 409, 'You have no active paid plan.'],
  ['GET /stripe/session-details', undefined, 400, 'The session_id of the checkout is missing.'],
  ['GET /stripe/session-details?session_id=x', undefined, 404, 'This checkout does not exist.'],
  ['POST /stripe/webhook', {}, 404, 'No payment provider is set on this server.'],
  ['GET /payments/documents/x', undefined, 404, 'This document does not exist.'],
  ['GET /exports/x', undefined, 404, 'This export does not exist.'],
  ['POST /account/import', {}, 415, 'An import must be sent as multipart/form-data.'],
  ['POST /user/profile/image', {}, 400, 'Please select an image to upload.'],
  ['DELETE /user/profile/delete-account', eve, 403, NOT_YOUR_ACCOUNT],
  ['PUT /user/profile/delete-account', eve, 403, NOT_YOUR_ACCOUNT],
  ['GET /blog/engram/nothing', undefined, 404, 'Post not found.'],
])(
  '%.60s with the body %.80j is refused with a clear message',
  async (line, body, status, message) => {
    const { answer, ...rest } = await call(line, { body });
    expect([rest.status, answer['message']]).toEqual([status, message]);
  },
);

test.each<[Record<string, string>, { name: string; content: string } | undefined, number, string]>([
  [{}, undefined, 400, 'Please upload at least one file or provide artifact text.'],
  [
    { artifactText: ' \n ' },
    undefined,
    400,
    'Please upload at least one file or provide artifact text.',
  ],
  [
    { artifactText: 'word '.repeat(501) },
    undefined,
    400,
    'Maximum word limit reached of 500 words',
  ],
  [{ artifactText: 'hi', keywords: 'Home' }, undefined, 400, 'The field keywords must be JSON.'],
  [{ artifactText: 'hi', keywords: '"Home"' }, undefined, 400, "'keywords' must be a list."],
  [
    { artifactText: 'hi', filesKeywords: '[]' },
    undefined,
    400,
    "'filesKeywords' must be an object.",
  ],
  [{}, { name: 'setup.exe', content: 'MZ\0\0' }, 415, 'File type not supported: setup.exe'],
])('an upload of %.40j and the file %j is refused', async (fields, file, status, message) => {
  const before = (await call('GET /artifacts')).answer['total'];
  const refusal = await call('POST /artifacts/upload', { body: formOf(fields, file) });
  expect([refusal.status, refusal.answer['message']]).toEqual([status, message]);
  expect((await call('GET /artifacts')).answer['total']).toBe(before);
});

test('a note of 500 words is accepted', async () => {
  const body = formOf({ artifactText: 'word '.repeat(500) });
  expect((await call('POST /artifacts/upload', { body })).status).toBe(200);
});
