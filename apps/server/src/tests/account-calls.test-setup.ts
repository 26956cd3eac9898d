import { expect } from 'vitest';
import { bought, type AccountCall } from './account-calls.payments.test-setup.ts';
import { formOf } from './plain-calls.test-setup.ts';

const text = expect.any(String) as unknown;
const some = (...shapes: object[]) => expect.arrayContaining(shapes) as unknown;
const ann = { id: '{ann}', email: '{annEmail}' };
const completeList = (total: number) => ({ total, nextCursor: null });
const change = { id: text, userId: '{ann}', reason: 'Added by an admin', createdDate: text };

/** Calls of a new user who buys a plan and cleans up, in this order. */
export const walked: AccountCall[] = [
  {
    line: 'PUT /user/profile',
    body: { name: 'Ann Lee', altEmail: 'lee@example.net', phone: '5551234567', role: 'ADMIN' },
    message: 'Profile updated successfully!',
    data: {
      ...ann,
      name: 'Ann Lee',
      altEmail: 'lee@example.net',
      phone: '(555) 123-4567',
      role: 'USER',
      country: null,
      profileImage: null,
      ip: '127.0.0.1',
      device: null,
      location: null,
      createdDate: text,
      isAgreedTerms: true,
      deviceTimeZone: false,
    },
  },
  {
    line: 'GET /questionnaire/all',
    data: some({
      questionId: text,
      question: text,
      options: some({ optionId: text, optionText: text }),
      selectedOptionId: null,
    }),
  },
  {
    line: 'GET /user/profile/emails',
    by: 'root',
    data: [ann, { id: '{bob}', email: '{bobEmail}' }, { id: '{root}', email: '{rootEmail}' }],
    list: completeList(3),
  },
  {
    line: 'POST /subscription/update-credits/{ann}/5',
    by: 'root',
    message: 'Updated successfully',
    data: { userId: '{ann}', credit: 5 },
  },
  {
    line: 'PUT /subscription/update-credits/{ann}/2',
    by: 'root',
    message: 'Updated successfully',
    data: { userId: '{ann}', credit: 7 },
  },
  {
    line: 'GET /subscription/get-credits',
    by: 'root',
    data: some({ userId: '{ann}', credit: 7 }, { userId: '{bob}', credit: 0 }),
    list: completeList(3),
  },
  {
    line: 'GET /admin/ledger',
    by: 'root',
    data: [
      { ...change, change: 2, balance: 7, email: '{annEmail}' },
      { ...change, change: 5, balance: 5, email: '{annEmail}' },
    ],
    list: completeList(2),
  },
  {
    line: 'GET /subscription/ledger?limit=5',
    data: [
      { ...change, change: 2, balance: 7 },
      { ...change, change: 5, balance: 5 },
    ],
    list: completeList(2),
  },
  {
    line: 'GET /admin/users?q=ann',
    by: 'root',
    data: [
      {
        ...ann,
        name: 'Ann Lee',
        role: 'USER',
        createdDate: text,
        plan: 'Starter(Free)',
        status: 'Active',
        credit: 7,
        files: 2,
        stored: 71,
      },
    ],
    list: completeList(1),
  },
  {
    line: 'GET /admin/audit',
    by: 'root',
    data: some({
      id: text,
      createdDate: text,
      actor: { id: '{root}', email: '{rootEmail}' },
      action: 'credits.add',
      subject: ann,
      details: 'Added 2 credits. The balance is now 7.',
    }),
    list: completeList(7),
  },
  {
    line: 'GET /subscription/metrics',
    data: {
      plan: 'Starter(Free)',
      credit: 7,
      status: 'Active',
      enforced: false,
      daily_query_limit: 15,
      daily_queries_used: 1,
      weekly_query_limit: 105,
      weekly_queries_used: 1,
      monthly_query_limit: 0,
      monthly_queries_used: 1,
      weekly_file_size: 71e-9,
      weekly_file_size_limit: 10,
      yearly_file_size: 71e-9,
      yearly_file_size_limit: 0,
    },
  },
  {
    line: 'GET /subscription/active',
    data: some(
      expect.objectContaining({
        name: 'Starter(Free)',
        amount: 0,
        fileSizeLimit: { weeklyLimit: 10, monthlyLimit: 0, quarterlyLimit: 0, yearlyLimit: 0 },
      }) as object,
      {
        name: 'Engram - Elite - yearly',
        productId: text,
        priceId: text,
        amount: 96,
        billingPeriod: 'yearly',
        queryLimit: { dailyLimit: 100, weeklyLimit: 700, monthlyLimit: 3000 },
        fileSizeLimit: {
          weeklyLimit: 100,
          monthlyLimit: 100,
          quarterlyLimit: 100,
          yearlyLimit: 100,
        },
      },
    ),
  },
  ...bought,
  {
    line: 'POST /api/keys/generate/Laptop',
    message: 'Generated Key successfully',
    body: { readOnly: true, expiresAt: '2990-12-31' },
    data: {
      id: text,
      apiKey: text,
      name: 'Laptop',
      createdDate: text,
      readOnly: true,
      expiresAt: '2991-01-01T00:00:00.000Z',
    },
    keep: { key: 'id' },
  },
  {
    line: 'GET /api/keys',
    message: 'Fetched Keys successfully',
    data: [
      {
        id: '{key}',
        name: 'Laptop',
        apiKey: expect.stringMatching(/^eg\P{L}+[\w-]{3}$/u) as unknown,
        createdDate: text,
        lastUsedDate: null,
        readOnly: true,
        expiresAt: '2991-01-01T00:00:00.000Z',
      },
    ],
  },
  { line: 'DELETE /api/keys/{key}', message: 'Revoked Api Key successfully', data: null },
  {
    line: 'GET /artifacts?q=LEASE',
    message: 'Artifacts fetched successfully',
    data: [
      {
        artifactId: '{file}',
        artifactGroupId: text,
        artifactFileType: 'text/plain',
        artifactFileName: 'Lease.txt',
        artifactFileSize: 40,
        artifactFilePathS3: text,
        artifactArchived: false,
        artifactCreatedDate: text,
        artifactUpdatedDate: text,
        artifactCreatedBy: '{annEmail}',
        artifactUpdatedBy: '{annEmail}',
        deviceUsed: null,
        uploadStatus: 'SUCCESS',
        statusReason: null,
        needsPassword: false,
        progress: 100,
        stage: 'ready',
        durationMs: null,
        thumbnailUrl: null,
        keywords: ['Work', 'Home'],
        userId: '{ann}',
        isVectorReady: true,
        artifactText: text,
        source: 'Web',
        path: null,
        modifiedAt: null,
        webAddress: null,
      },
    ],
    list: completeList(1),
  },
  {
    line: 'PUT /artifacts/keywords',
    body: { artifactId: '{file}', keywords: ['Rent'] },
    message: 'Keywords updated successfully',
    data: expect.objectContaining({ artifactId: '{file}', keywords: ['Rent'] }),
  },
  {
    line: 'POST /keywords/{keyword}/false',
    message: 'Keyword updated successfully',
    data: expect.objectContaining({ id: '{keyword}', isActive: false }),
  },
  {
    line: 'POST /artifacts/upload',
    body: formOf({ filesKeywords: '{"a.txt": ["Home"]}', artifactText: 'Bins on Monday.' }),
    message: 'Upload successful.',
    data: {
      artifactGroupId: text,
      artifacts: [{ artifactId: text, fileName: text, duplicate: false }],
      rejected: [],
    },
    keep: { note: 'artifacts.0.artifactId' },
  },
  {
    line: 'DELETE /artifacts/bulk',
    body: ['{file}', '{root}'],
    message: 'Artifacts deleted successfully',
    data: ['{file}'],
  },
  { line: 'DELETE /artifacts/{note}', message: 'Artifact Deleted successfully', data: null },
  { line: 'DELETE /artifacts/all', message: 'Files deleted successfully.', data: null },
  {
    line: 'DELETE /search/history/delete',
    message: 'Search history deleted successfully.',
    data: null,
  },
  { line: 'GET /search/history/all', data: [], list: completeList(0) },
  {
    line: 'GET /blog',
    data: some({
      title: text,
      username: text,
      slug: text,
      link: null,
      pubDate: text,
      description: text,
    }),
    keep: { username: '0.username', slug: '0.slug' },
  },
  {
    line: 'GET /blog/{username}/{slug}',
    data: expect.objectContaining({ slug: '{slug}', content: text }),
  },
  {
    line: 'GET /status',
    data: {
      version: text,
      abilities:
        'mail google geocoder payments blog model speech embeddings reranker recognition transcription vision ffmpeg'
          .split(' ')
          .map((name) => ({ name, on: expect.any(Boolean) as unknown, detail: text })),
    },
  },
  { line: 'POST /account/export/link', data: { url: text, expiresAt: text } },
];

/** Calls that end an account. */
export const leaving: AccountCall[] = [
  {
    line: 'PUT /user/profile/delete-account',
    by: 'bob',
    body: { email: '{bobEmail}' },
    message: 'User account and all related data deleted successfully',
    data: null,
  },
  {
    line: 'DELETE /user/profile/delete-account',
    body: { email: 'ANN@example.org' },
    message: 'User account and all related data deleted successfully',
    data: null,
  },
];
