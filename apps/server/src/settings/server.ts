import { z } from 'zod';
import { isAddressRange } from '../platform/http/public-address.ts';
import { list, matching, place, positive, setting, url, whole } from './setting.ts';

export const server = {
  port: setting(
    'PORT',
    z.coerce.number().int().min(0).max(65_535).default(3000),
    'Port of the server.',
  ),
  host: setting(
    'HOST',
    z.string().default('127.0.0.1'),
    'Address on which the server listens. The default accepts connections from this machine only. 0.0.0.0 opens the server to the network.',
  ),
  dataDir: setting(
    'ENGRAM_DATA_DIR',
    z.string().default('./data'),
    'Folder for the database, the files and the search index.',
  ),
  files: setting(
    'ENGRAM_FILES',
    place(),
    'Where files are stored: a folder, or s3://bucket/prefix. Default: files in the data folder. Credentials and region for S3 come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, a profile, or the role of the machine.',
  ),
  s3Endpoint: setting(
    'AWS_ENDPOINT_URL_S3',
    url().optional(),
    "Address of an S3 server other than Amazon's, for ENGRAM_FILES and ENGRAM_BACKUP.",
  ),
  backup: setting(
    'ENGRAM_BACKUP',
    place(),
    'Where a backup of the data folder is written every night: a folder on another disk, or s3://bucket/prefix. Without it no backups are written.',
  ),
  backupHour: setting(
    'ENGRAM_BACKUP_HOUR',
    z.coerce.number().int().min(0).max(23).default(3),
    'Hour of the day, 0 to 23 in ENGRAM_TIME_ZONE, after which the backup of the day is written.',
  ),
  backupKeep: setting(
    'ENGRAM_BACKUP_KEEP',
    whole(7),
    'Number of backups to keep. Older ones are removed when a new one is complete.',
  ),
  minFreeMb: setting(
    'ENGRAM_MIN_FREE_MB',
    z.coerce.number().int().min(0).default(256),
    'Megabytes of disk space to keep free. Uploads, imports and recordings that would use them are refused.',
  ),
  secret: setting(
    'ENGRAM_SECRET',
    z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
    'Key that signs sessions and links. Without it, one is created and stored in the data folder.',
  ),
  publicUrl: setting(
    'ENGRAM_PUBLIC_URL',
    url().optional(),
    'Address at which users reach the server, such as https://engram.example.org. With https the session cookie is Secure. Passkeys belong to its domain.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    z.url({ protocol: /^postgres(?:ql)?$/u, error: 'must be a postgres:// address' }).optional(),
    'PostgreSQL 15 or later instead of the embedded database.',
  ),
  search: setting(
    'ENGRAM_SEARCH',
    url().optional(),
    'Address of an OpenSearch server for the search index, with user and password if it needs them: https://user:password@search.example.org. Without it, the index is stored in the data folder.',
  ),
  searchIndex: setting(
    'ENGRAM_SEARCH_INDEX',
    matching(
      /^[a-z0-9][a-z0-9._-]{0,99}$/u,
      'must consist of lower-case letters, digits, dots, hyphens and underscores',
    ).default('engram'),
    'Name of the index in OpenSearch. The version of its mapping is appended.',
  ),
  role: setting(
    'ENGRAM_ROLE',
    z.enum(['all', 'web', 'worker']).default('all'),
    'Role of this server if several share a database: all, web (answers calls and runs no jobs) or worker (runs jobs and answers only health checks).',
  ),
  rateLimits: setting(
    'ENGRAM_RATE_LIMITS',
    z.enum(['on', 'off']).default('on'),
    'off disables all rate limits, for load tests on a machine that others cannot reach. The server warns about it when it starts.',
  ),
  codesPerAddress: setting(
    'ENGRAM_CODES_PER_ADDRESS',
    whole(5),
    'Sign-in mails to one address that one network may request in 15 minutes. After that, the newest mail must be used.',
  ),
  mailsPerAddress: setting(
    'ENGRAM_MAILS_PER_ADDRESS',
    whole(20),
    'Sign-in mails to one address in 15 minutes. Beyond that, another one is sent only when the newest has expired.',
  ),
  codesPerIp: setting(
    'ENGRAM_CODES_PER_IP',
    whole(30),
    'Sign-in codes that one network may request in 15 minutes.',
  ),
  failedSignInsPerIp: setting(
    'ENGRAM_FAILED_SIGN_INS_PER_IP',
    whole(20),
    'Wrong codes from clients that did not request one, and other failed sign-ins, from one network in 15 minutes.',
  ),
  wrongCodesPerAddress: setting(
    'ENGRAM_WRONG_CODES_PER_ADDRESS',
    whole(100),
    'Wrong codes for one address in 24 hours, from new browsers. The same limit applies to clients that did not request a code (a fifth of it per network), and to each browser that has signed in before. A guess is right once in a million, and links in mails still work after that.',
  ),
  callsPerSecond: setting(
    'ENGRAM_CALLS_PER_SECOND',
    positive(50),
    'Average calls per second of one user, or of one network if nobody is signed in.',
  ),
  callBurst: setting('ENGRAM_CALL_BURST', whole(200), 'Calls that one user may make in a burst.'),
  keyCallsPerSecond: setting(
    'ENGRAM_KEY_CALLS_PER_SECOND',
    positive(10),
    'Average calls per second by one API key.',
  ),
  keyCallBurst: setting(
    'ENGRAM_KEY_CALL_BURST',
    whole(50),
    'Calls that one API key may make in a burst.',
  ),
  failedCallsPerMinute: setting(
    'ENGRAM_FAILED_CALLS_PER_MINUTE',
    positive(120),
    'Calls per minute from one network with an invalid token or API key.',
  ),
  trustProxy: setting(
    'ENGRAM_TRUST_PROXY',
    z
      .string()
      .refine((text) => namesProxies(text), {
        error: 'must be true, false, a number of hops, or addresses separated by commas',
      })
      .optional(),
    'Proxies whose X-Forwarded-For is trusted: true, a number of hops, or addresses separated by commas. Without it, the address of the connection is used.',
  ),
  fetchAllow: setting(
    'ENGRAM_FETCH_ALLOW',
    list().refine((entries) => entries.every(isHostOrRange), {
      error: 'must be host names, addresses or ranges such as 10.0.0.0/8, separated by commas',
    }),
    'Hosts and address ranges outside the open internet that the server may fetch from if the address comes from a user or another server (web pages to save, webhooks, profile pictures, metadata of OAuth clients, redirects of a model hub), separated by commas: intranet.example.org, 10.0.0.0/8. Without it private, loopback and link-local addresses are never fetched. Addresses in other settings need no entry.',
  ),
  logLevel: setting(
    'ENGRAM_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Minimum level of log messages.',
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
