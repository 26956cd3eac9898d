import { z } from 'zod';
import { isAddressRange } from '../platform/http/public-address.ts';
import { list, matching, place, positive, setting, url, whole } from './setting.ts';

export const serving = {
  port: setting(
    'PORT',
    z.coerce.number().int().min(0).max(65_535).default(3000),
    'Port of the server.',
  ),
  host: setting(
    'HOST',
    z.string().default('127.0.0.1'),
    'Address the server listens on. The default is reached from this machine alone; 0.0.0.0 opens it to the network.',
  ),
  dataDir: setting(
    'ENGRAM_DATA_DIR',
    z.string().default('./data'),
    'Folder for the database, the files and the search index.',
  ),
  files: setting(
    'ENGRAM_FILES',
    place(),
    'Where the files are kept: a folder, or s3://bucket/prefix. Without it the folder files in the data folder. S3 takes its keys and region as other programs do: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, a profile, or the role of the machine.',
  ),
  s3Endpoint: setting(
    'AWS_ENDPOINT_URL_S3',
    url().optional(),
    "Address of an S3 server that is not Amazon's, for ENGRAM_FILES and ENGRAM_BACKUP.",
  ),
  backup: setting(
    'ENGRAM_BACKUP',
    place(),
    'Where a backup of the data folder is written every night: a folder on another disk, or s3://bucket/prefix. Without it no backups are written.',
  ),
  backupHour: setting(
    'ENGRAM_BACKUP_HOUR',
    z.coerce.number().int().min(0).max(23).default(3),
    'Hour of the day in ENGRAM_TIME_ZONE from which on the backup of a day is written, 0 to 23.',
  ),
  backupKeep: setting(
    'ENGRAM_BACKUP_KEEP',
    whole(7),
    'How many backups stay; older ones are removed once a newer one is whole.',
  ),
  minFreeMb: setting(
    'ENGRAM_MIN_FREE_MB',
    z.coerce.number().int().min(0).default(256),
    'Megabytes of the disk that stay free: uploads, imports and recordings end with a refusal before.',
  ),
  secret: setting(
    'ENGRAM_SECRET',
    z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
    'Key that signs sessions and links. Without it one is made and kept in the data folder.',
  ),
  publicUrl: setting(
    'ENGRAM_PUBLIC_URL',
    url().optional(),
    'Address under which people reach the server, such as https://engram.example.org. With https the session cookie is Secure.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    z.url({ protocol: /^postgres(?:ql)?$/u, error: 'must be a postgres:// address' }).optional(),
    'PostgreSQL 15 or later instead of the embedded database.',
  ),
  search: setting(
    'ENGRAM_SEARCH',
    url().optional(),
    'Address of an OpenSearch server that keeps the search index, with user and password where it wants some: https://user:password@search.example.org. Without it the index is kept in the data folder.',
  ),
  searchIndex: setting(
    'ENGRAM_SEARCH_INDEX',
    matching(
      /^[a-z0-9][a-z0-9._-]{0,99}$/u,
      'must be small letters, digits, dots, hyphens and underscores',
    ).default('engram'),
    'What the index is called in the OpenSearch of ENGRAM_SEARCH. The version of its mapping is added.',
  ),
  role: setting(
    'ENGRAM_ROLE',
    z.enum(['all', 'web', 'worker']).default('all'),
    'What this server does beside others on the same database: all, web (takes calls, runs no jobs) or worker (reads files and does the other jobs; of calls it answers only whether it lives).',
  ),
  rateLimits: setting(
    'ENGRAM_RATE_LIMITS',
    z.enum(['on', 'off']).default('on'),
    'off switches all rate limits off, for load tests on a closed machine; the start warns of it.',
  ),
  codesPerAddress: setting(
    'ENGRAM_CODES_PER_ADDRESS',
    whole(5),
    'Sign-in mails to one address that one network may ask for in 15 minutes. Beyond that the newest mail is to be used.',
  ),
  mailsPerAddress: setting(
    'ENGRAM_MAILS_PER_ADDRESS',
    whole(20),
    'Sign-in mails to one address in 15 minutes. One more is sent on request once the newest has expired.',
  ),
  codesPerIp: setting(
    'ENGRAM_CODES_PER_IP',
    whole(30),
    'Sign-in codes that may be asked for from one network in 15 minutes.',
  ),
  failedSignInsPerIp: setting(
    'ENGRAM_FAILED_SIGN_INS_PER_IP',
    whole(20),
    'Wrong codes of callers without a code of their own, and other sign-ins that fail, from one network in 15 minutes.',
  ),
  wrongCodesPerAddress: setting(
    'ENGRAM_WRONG_CODES_PER_ADDRESS',
    whole(100),
    'Wrong codes for one address in 24 hours, from new browsers. Callers without a code of their own have as many, one network a fifth of them, and so has each browser that has signed in before. A guess is right once in a million, and links in mails work beyond that.',
  ),
  callsPerSecond: setting(
    'ENGRAM_CALLS_PER_SECOND',
    positive(50),
    'Calls of one person a second in the long run; of one network where nobody is signed in.',
  ),
  callBurst: setting('ENGRAM_CALL_BURST', whole(200), 'Calls of one person at once.'),
  keyCallsPerSecond: setting(
    'ENGRAM_KEY_CALLS_PER_SECOND',
    positive(10),
    'Calls by one API key a second in the long run.',
  ),
  keyCallBurst: setting('ENGRAM_KEY_CALL_BURST', whole(50), 'Calls by one API key at once.'),
  failedCallsPerMinute: setting(
    'ENGRAM_FAILED_CALLS_PER_MINUTE',
    positive(120),
    'Calls a minute from one network with an invalid token or API key.',
  ),
  trustProxy: setting(
    'ENGRAM_TRUST_PROXY',
    z
      .string()
      .refine((text) => namesProxies(text), {
        error: 'must be true, false, a number of hops, or addresses separated by commas',
      })
      .optional(),
    "Proxies whose X-Forwarded-For is believed: true, a number of hops, or addresses separated by commas. Without it the connection's own address counts.",
  ),
  fetchAllow: setting(
    'ENGRAM_FETCH_ALLOW',
    list().refine((entries) => entries.every(isHostOrRange), {
      error: 'must be host names, addresses or ranges such as 10.0.0.0/8, separated by commas',
    }),
    'Hosts and address ranges outside the open internet that the server may fetch from when an address comes from outside (profile pictures, metadata of OAuth clients, redirects of a model hub), separated by commas: intranet.example.org, 10.0.0.0/8. Without it private, loopback and link-local addresses are never fetched. Addresses in other settings need no entry.',
  ),
  logLevel: setting(
    'ENGRAM_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'How much is logged.',
  ),
} as const;

const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isHostOrRange = (entry: string): boolean =>
  isAddressRange(entry) || /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/u.test(entry);

function namesProxies(text: string): boolean {
  if (/^(?:true|false|\d{1,3})$/u.test(text)) return true;
  return text
    .split(',')
    .map((part) => part.trim())
    .every((part) => RANGES.has(part) || isAddressRange(part));
}
