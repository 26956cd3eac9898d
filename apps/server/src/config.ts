import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isLoopback } from './platform/http/loopback.ts';

interface Setting<S extends z.ZodType = z.ZodType> {
  /** The environment variable. */
  env: string;
  /** What it does, with its unit, for docs/configuration.md. */
  doc: string;
  schema: S;
}

const setting = <S extends z.ZodType>(env: string, schema: S, doc: string): Setting<S> => ({
  env,
  doc,
  schema,
});

const positive = (fallback: number) => z.coerce.number().positive().default(fallback);
const whole = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const url = () => z.url({ protocol: /^https?$/u, error: 'must be an http or https address' });
const list = () =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    );

/** Every setting. All are optional; an empty value counts as not set. */
export const settings = {
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
  adminEmails: setting(
    'ENGRAM_ADMIN_EMAILS',
    list(),
    'Mail addresses that get the ADMIN role, separated by commas.',
  ),
  signup: setting(
    'ENGRAM_SIGNUP',
    z.enum(['open', 'invited', 'closed']).default('open'),
    'Who may make an account: anybody; those in ENGRAM_ADMIN_EMAILS and ENGRAM_INVITED_EMAILS; nobody new.',
  ),
  invitedEmails: setting(
    'ENGRAM_INVITED_EMAILS',
    list(),
    'Mail addresses that may make an account while ENGRAM_SIGNUP is invited, separated by commas.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    z.url({ protocol: /^postgres(?:ql)?$/u, error: 'must be a postgres:// address' }).optional(),
    'PostgreSQL 15 or later instead of the embedded database.',
  ),
  smtpUrl: setting(
    'SMTP_URL',
    z.url({ protocol: /^smtps?$/u, error: 'must be an smtp:// or smtps:// address' }).optional(),
    "Mail server. Without it sign-in codes are printed in the server's log.",
  ),
  mailFrom: setting(
    'MAIL_FROM',
    z.string().default('Engram <engram@localhost>'),
    'Sender of mails.',
  ),
  googleClientId: setting(
    'GOOGLE_CLIENT_ID',
    z.string().optional(),
    'Client id of Engram at Google. With it and GOOGLE_CLIENT_SECRET people can sign in with Google.',
  ),
  googleClientSecret: setting(
    'GOOGLE_CLIENT_SECRET',
    z.string().optional(),
    'The secret that belongs to GOOGLE_CLIENT_ID.',
  ),
  googleIssuer: setting(
    'GOOGLE_ISSUER',
    url()
      .refine((issuer) => isPrivateToTheWire(issuer), {
        error: 'must be an https address, or an http address of this machine',
      })
      .default('https://accounts.google.com'),
    'OpenID provider behind the button that says Google.',
  ),
  geocoder: setting(
    'ENGRAM_GEOCODER',
    url().optional(),
    'Server that names positions, by the API of Nominatim, such as https://nominatim.openstreetmap.org. Without it they stay unnamed.',
  ),
  llm: setting(
    'ENGRAM_LLM',
    z
      .string()
      .regex(/^(?:auto|none|(?:openai|anthropic|google|ollama):.+)$/u, {
        error: 'must be auto, none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL',
      })
      .default('auto'),
    'Model that writes answers: auto (a local Ollama when there is one), none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL. Without one Engram answers with sentences of the files.',
  ),
  embeddings: setting(
    'ENGRAM_EMBEDDINGS',
    z
      .string()
      .regex(/^(?:auto|none|(?:local|openai|ollama):.*\S.*)$/u, {
        error: 'must be auto, none, local:MODEL or local:FOLDER, openai:MODEL or ollama:MODEL',
      })
      .default('auto'),
    'Model that finds passages by their meaning beside their words: auto (a small one, fetched in the background where its hub can be reached), none, local:MODEL or local:FOLDER, openai:MODEL or ollama:MODEL. Until it is there, and without one, passages are found by their words.',
  ),
  modelHub: setting(
    'HF_ENDPOINT',
    url().default('https://huggingface.co'),
    'Hub from which embedding models are fetched: the Hugging Face hub or a mirror of it.',
  ),
  speech: setting(
    'ENGRAM_SPEECH',
    z
      .string()
      .regex(/^(?:auto|none|openai:.*\S.*)$/u, {
        error: 'must be auto, none or openai:MODEL',
      })
      .default('auto'),
    'What speaks answers: auto (a voice on this machine), none, or openai:MODEL, also as openai:MODEL/VOICE.',
  ),
  transcription: setting(
    'ENGRAM_TRANSCRIPTION',
    z
      .string()
      .regex(/^(?:none|(?:openai|local):.*\S.*)$/u, {
        error: 'must be none, openai:MODEL or local:FOLDER',
      })
      .default('none'),
    'What writes down what is said in recordings: none, openai:MODEL, or local:FOLDER with a speech model for sherpa-onnx.',
  ),
  vision: setting(
    'ENGRAM_VISION',
    z
      .string()
      .regex(/^(?:none|(?:openai|anthropic|google|ollama):.*\S.*)$/u, {
        error: 'must be none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL',
      })
      .default('none'),
    'Model that describes pictures: none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL.',
  ),
  ffmpeg: setting(
    'ENGRAM_FFMPEG',
    z.string().optional(),
    'Path of ffmpeg, for stills of videos and for rare kinds of sound; none switches it off. Without it ffmpeg is looked for on the PATH.',
  ),
  openaiApiKey: setting('OPENAI_API_KEY', z.string().optional(), 'Key for openai:MODEL.'),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    url().optional(),
    'OpenAI-compatible server for openai:MODEL, such as http://127.0.0.1:8000/v1.',
  ),
  anthropicApiKey: setting('ANTHROPIC_API_KEY', z.string().optional(), 'Key for anthropic:MODEL.'),
  anthropicBaseUrl: setting('ANTHROPIC_BASE_URL', url().optional(), 'Server for anthropic:MODEL.'),
  googleApiKey: setting('GOOGLE_API_KEY', z.string().optional(), 'Key for google:MODEL.'),
  googleBaseUrl: setting(
    'GOOGLE_BASE_URL',
    url().optional(),
    'Server for google:MODEL, such as a gateway; with its path, such as /v1beta.',
  ),
  ollamaBaseUrl: setting(
    'OLLAMA_BASE_URL',
    url().default('http://127.0.0.1:11434'),
    'Where Ollama listens.',
  ),
  limits: setting(
    'ENGRAM_LIMITS',
    z.enum(['enforce', 'off']).default('off'),
    "Whether the plans' limits are enforced, or only shown.",
  ),
  mediaLimitMb: setting(
    'ENGRAM_MEDIA_LIMIT_MB',
    positive(2),
    'Largest jpeg, png, gif or mp4, in megabytes (2^20 bytes).',
  ),
  uploadLimitMb: setting(
    'ENGRAM_UPLOAD_LIMIT_MB',
    positive(512),
    'Largest file of the other types, in megabytes (2^20 bytes).',
  ),
  uploadFiles: setting('ENGRAM_UPLOAD_FILES', whole(1000), 'Most files in one upload.'),
  rateLimits: setting(
    'ENGRAM_RATE_LIMITS',
    z.enum(['on', 'off']).default('on'),
    'off switches all rate limits off, for load tests on a closed machine; the start warns of it.',
  ),
  codesPerAddress: setting(
    'ENGRAM_CODES_PER_ADDRESS',
    whole(5),
    'Sign-in codes that may be sent to one address in 15 minutes.',
  ),
  codesPerIp: setting(
    'ENGRAM_CODES_PER_IP',
    whole(30),
    'Sign-in codes that may be asked for from one network in 15 minutes.',
  ),
  failedSignInsPerIp: setting(
    'ENGRAM_FAILED_SIGN_INS_PER_IP',
    whole(20),
    'Wrong codes, and other sign-ins that fail, from one network in 15 minutes.',
  ),
  callsPerSecond: setting(
    'ENGRAM_CALLS_PER_SECOND',
    positive(50),
    'Calls of one person a second in the long run; of one address where nobody is signed in.',
  ),
  callBurst: setting('ENGRAM_CALL_BURST', whole(200), 'Calls of one person at once.'),
  trustProxy: setting(
    'ENGRAM_TRUST_PROXY',
    z.string().optional(),
    "Proxies whose X-Forwarded-For is believed: true, a number of hops, or addresses separated by commas. Without it the connection's own address counts.",
  ),
  timeZone: setting(
    'ENGRAM_TIME_ZONE',
    z
      .string()
      .refine((zone) => isTimeZone(zone), {
        error: 'must be an IANA time zone, such as Europe/Berlin',
      })
      .default('America/Los_Angeles'),
    'Time zone in which days are counted and times are shown.',
  ),
  workers: setting(
    'ENGRAM_WORKERS',
    whole(1),
    'Processes that read files, at most the number of cores less one.',
  ),
  workerMemoryMb: setting(
    'ENGRAM_WORKER_MEMORY_MB',
    whole(800),
    'Memory a process that reads files may use, in megabytes.',
  ),
  ocr: setting(
    'ENGRAM_OCR',
    z.enum(['on', 'off']).default('on'),
    'Whether text in pictures and on scanned pages is recognised.',
  ),
  ocrLanguages: setting(
    'ENGRAM_OCR_LANGUAGES',
    z
      .string()
      .regex(/^[A-Za-z]+(?:_[A-Za-z]+)*(?:\+[A-Za-z]+(?:_[A-Za-z]+)*)*$/u, {
        error: 'must name languages as Tesseract does, such as eng+deu',
      })
      .default('eng'),
    'Languages of the text in pictures, by their names in Tesseract, such as eng+deu. English comes along; the data of others lies in ENGRAM_OCR_DATA.',
  ),
  ocrData: setting(
    'ENGRAM_OCR_DATA',
    z.string().optional(),
    'Folder with the data of further languages, such as deu.traineddata.',
  ),
  contactEmail: setting(
    'ENGRAM_CONTACT_EMAIL',
    z.email().optional(),
    'Mail address of the Contact link.',
  ),
  socialLinks: setting(
    'ENGRAM_SOCIAL_LINKS',
    list(),
    'Links in the footer as Name=https://address, separated by commas.',
  ),
  logLevel: setting(
    'ENGRAM_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'How much is logged.',
  ),
} as const;

type Settings = typeof settings;

/** All settings, parsed; `secret` is always there and `dataDir` is absolute. */
export type Config = { [K in keyof Settings]: z.output<Settings[K]['schema']> } & {
  secret: string;
};

/** Whether nobody on the way can read or change what is said to an address. */
function isPrivateToTheWire(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url !== null && isLoopback(url.hostname));
}

function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads all settings once.
 * @throws ConfigError with a line for each variable that is wrong.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { env: variable, schema }] of Object.entries(settings)) {
    const given = env[variable]?.trim();
    const parsed = schema.safeParse(given === '' ? undefined : given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${variable} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const dataDir = path.resolve(values['dataDir'] as string);
  const secret = (values['secret'] as string | undefined) ?? keptSecret(dataDir);
  return { ...values, dataDir, secret } as Config;
}

function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
