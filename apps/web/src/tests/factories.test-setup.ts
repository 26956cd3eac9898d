import {
  addKeyword,
  appSettings,
  getMetrics,
  getProfile,
  listArtifacts,
  listKeywords,
  settingDefaults,
  type Artifact,
  type DataOf,
  type Keyword,
  type Metrics,
  type Profile,
  type Session,
} from '@engram/contract';
import { startFakeServer, type FakeServer } from './fake-server.test-setup.ts';

export const aSession = (overrides: Partial<Session> = {}): Session => ({
  token: 'a-token',
  exist: true,
  question: false,
  agreed: true,
  roles: ['USER'],
  ...overrides,
});

export const aProfile = (overrides: Partial<Profile> = {}): Profile => ({
  id: crypto.randomUUID(),
  email: 'ann.becker@example.com',
  name: 'Ann Becker',
  altEmail: null,
  phone: null,
  role: 'USER',
  country: null,
  profileImage: null,
  ip: null,
  device: null,
  location: null,
  createdDate: '2026-01-02T03:04:05Z',
  isAgreedTerms: true,
  deviceTimeZone: false,
  ...overrides,
});

export const someMetrics = (overrides: Partial<Metrics> = {}): Metrics => ({
  plan: 'Starter(Free)',
  credit: 0,
  status: 'Active',
  enforced: false,
  daily_query_limit: 15,
  daily_queries_used: 4,
  weekly_query_limit: 105,
  weekly_queries_used: 4,
  monthly_query_limit: 0,
  monthly_queries_used: 4,
  weekly_file_size: 0,
  weekly_file_size_limit: 10,
  yearly_file_size: 0,
  yearly_file_size_limit: 0,
  ...overrides,
});

export const someSettings = (
  overrides: Partial<DataOf<typeof appSettings>> = {},
): DataOf<typeof appSettings> => ({
  ...settingDefaults,
  codesInLog: false,
  google: null,
  transcription: false,
  contactEmail: null,
  contactPhone: null,
  contactAddress: null,
  contactPosition: null,
  payments: { provider: settingDefaults.payments },
  socialLinks: [],
  ...overrides,
});

export const aKeyword = (keyword: string, overrides: Partial<Keyword> = {}): Keyword => ({
  id: crypto.randomUUID(),
  keyword,
  isActive: true,
  isDefault: true,
  createdDate: '2026-01-02T03:04:05Z',
  files: null,
  ...overrides,
});

export const anArtifact = (overrides: Partial<Artifact> = {}): Artifact => ({
  artifactId: crypto.randomUUID(),
  artifactGroupId: crypto.randomUUID(),
  artifactFileType: 'application/pdf',
  artifactFileName: 'Lease.pdf',
  artifactFileSize: 1_843_221,
  artifactFilePathS3: 'a/b',
  artifactArchived: false,
  artifactCreatedDate: '2026-11-03T17:05:00Z',
  artifactUpdatedDate: '2026-11-03T17:05:00Z',
  artifactCreatedBy: 'ann',
  artifactUpdatedBy: 'ann',
  deviceUsed: null,
  uploadStatus: 'SUCCESS',
  statusReason: null,
  progress: 100,
  stage: 'ready',
  durationMs: null,
  thumbnailUrl: null,
  keywords: [],
  userId: crypto.randomUUID(),
  isVectorReady: true,
  needsPassword: false,
  artifactText: null,
  source: 'Web',
  path: null,
  webAddress: null,
  modifiedAt: null,
  ...overrides,
});

/** A server with the account of a signed-in user, and the given files. */
export function startServerWithFiles(files: Artifact[] = []): FakeServer {
  return startFakeServer()
    .on(appSettings, () => someSettings())
    .on(getProfile, () => aProfile())
    .on(getMetrics, () => someMetrics())
    .on(listKeywords, () => [aKeyword('Finance'), aKeyword('Work')])
    .on(addKeyword, ({ params }) => aKeyword(params['keyword'] ?? '', { isDefault: false }))
    .on(
      listArtifacts,
      ({ query }) => {
        const start = startOf(query);
        return filterFiles(files, query).slice(start, start + Number(query.get('limit')));
      },
      ({ query }) => {
        const end = startOf(query) + Number(query.get('limit'));
        const found = filterFiles(files, query);
        return {
          total: found.length,
          nextCursor: end < found.length ? String(end) : null,
        };
      },
    );
}

/** The cursors of this server are offsets. */
const startOf = (query: URLSearchParams): number =>
  Number(query.get('offset') ?? query.get('cursor') ?? 0);

const filterFiles = (files: Artifact[], query: URLSearchParams): Artifact[] =>
  files.filter(
    ({ artifactFileName, artifactArchived, keywords }) =>
      (!query.has('keyword') || keywords.includes(query.get('keyword') ?? '')) &&
      artifactFileName.toLowerCase().includes((query.get('q') ?? '').toLowerCase()) &&
      [null, String(artifactArchived)].includes(query.get('archived')),
  );
