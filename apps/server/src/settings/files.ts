import path from 'node:path';
import { type AfterStoring, mediaTypesText, refuseEmail, settingDefaults } from '@engram/contract';
import { z } from 'zod';
import { list, matching, positive, setting, whole } from './setting.ts';

/** Which files are accepted, and how they are extracted. */
export const files = {
  mediaLimitMb: setting(
    'ENGRAM_MEDIA_LIMIT_MB',
    positive(settingDefaults.mediaLimitMb),
    `Largest ${mediaTypesText}, in megabytes (2^20 bytes).`,
  ),
  uploadLimitMb: setting(
    'ENGRAM_UPLOAD_LIMIT_MB',
    positive(settingDefaults.uploadLimitMb),
    'Largest file of the other types, in megabytes (2^20 bytes).',
  ),
  uploadFiles: setting(
    'ENGRAM_UPLOAD_FILES',
    whole(1000),
    'Maximum number of files in one upload.',
  ),
  importLimitMb: setting(
    'ENGRAM_IMPORT_LIMIT_MB',
    positive(10_240),
    'Largest export of another Engram that is imported, in megabytes (2^20 bytes). During the import the data folder needs twice its size, and it counts towards the storage quota of its plan.',
  ),
  historyLimit: setting(
    'ENGRAM_HISTORY_LIMIT',
    whole(100_000),
    'Maximum number of questions in the history of an account, asked and imported. An import may add 5,000 bytes of text per question in total.',
  ),
  watch: setting(
    'ENGRAM_WATCH',
    watchedFolders(),
    'Folders of this machine to sync, each for one account, separated by commas: folder:address, such as /srv/scans:me@example.org. The server never changes them.',
  ),
  mailIn: setting(
    'ENGRAM_MAIL_IN',
    mailboxes(),
    'Folders of IMAP servers whose messages are stored as files, separated by commas: imaps://user:password@host/FOLDER, such as imaps://scans%40example.org:secret@imap.example.org/INBOX. Append :me@example.org to name the account. Default: that of the first admin or, without admins, the oldest. docs/how-to/read-a-mailbox.md describes the options.',
  ),
  workers: setting(
    'ENGRAM_WORKERS',
    whole(1),
    'Processes for short files, and the same number for longer ones, each up to the number of cores minus one. Slow files have one additional process.',
  ),
  workerMemoryMb: setting(
    'ENGRAM_WORKER_MEMORY_MB',
    whole(800),
    'Memory limit of an extraction process, in megabytes.',
  ),
  ocr: setting(
    'ENGRAM_OCR',
    z.enum(['on', 'off']).default('on'),
    'Whether text in pictures and on scanned pages is recognized.',
  ),
  ocrLanguages: setting(
    'ENGRAM_OCR_LANGUAGES',
    matching(
      /^[A-Za-z]+(?:_[A-Za-z]+)*(?:\+[A-Za-z]+(?:_[A-Za-z]+)*)*$/u,
      'must name languages as Tesseract does, such as eng+deu',
    ).default('auto'),
    "Languages of the text in pictures: auto for English and up to two languages of the same user's other files, or names of Tesseract, such as eng+deu. Data for English, German, French, Spanish, Italian, Dutch and Portuguese is included. Data for others must be in ENGRAM_OCR_DATA. A picture reports if that of the language of most files is missing.",
  ),
  ocrData: setting(
    'ENGRAM_OCR_DATA',
    z.string().optional(),
    'Folder with data for further languages, such as deu.traineddata.',
  ),
  ffmpeg: setting(
    'ENGRAM_FFMPEG',
    z.string().optional(),
    'Path of ffmpeg, for stills of videos and rare audio formats. none disables it. Default: ffmpeg on the PATH.',
  ),
  transcription: setting(
    'ENGRAM_TRANSCRIPTION',
    matching(
      /^(?:none|(?:openai|local):[^\S\n]*\S.*)$/u,
      'must be none, openai:MODEL or local:FOLDER',
    ).default('none'),
    'Transcription of recordings: none, openai:MODEL, or local:FOLDER with a speech model for sherpa-onnx.',
  ),
  vision: setting(
    'ENGRAM_VISION',
    matching(
      /^(?:none|(?:openai|anthropic|google|ollama):[^\S\n]*\S.*)$/u,
      'must be none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL',
    ).default('none'),
    'Model that describes pictures: none, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL.',
  ),
} as const;

const MAIL_SECURITY = { 'imaps:': 'tls', 'imap+starttls:': 'starttls', 'imap:': 'none' } as const;

/**
 * Parses a folder of an IMAP server, with the address of its account or null. Returns null if a part is
 * missing.
 * @throws URIError, TypeError if the entry is malformed
 */
function mailbox(entry: string) {
  const colon = entry.lastIndexOf(':');
  const tail = entry.slice(colon + 1).toLowerCase();
  const email = tail.includes('@') && !tail.includes('/') ? tail : null;
  const url = new URL(email === null ? entry : entry.slice(0, colon));
  const security = Object.entries(MAIL_SECURITY).find(([scheme]) => scheme === url.protocol)?.[1];
  const after = /^(?:leave|read|(move):(.+))$/u.exec(url.searchParams.get('after') ?? 'leave');
  const folder = decodeURIComponent(url.pathname.slice(1));
  const { hostname, port, username, password } = url;
  if (!security || !after || !hostname || !username || !password || !folder) return null;
  if (email !== null && refuseEmail(email) !== null) return null;
  const [text, move, moveTo = null] = after;
  return {
    email,
    host: hostname.replaceAll(/[[\]]/gu, ''),
    port: Number(port) || (security === 'tls' ? 993 : 143),
    security,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    folder,
    afterStoring: (move ?? text) as AfterStoring,
    moveTo,
  };
}

/** The value contains a password, so errors do not show it. */
function mailboxes() {
  return list().transform((entries, context) =>
    entries.flatMap((entry) => {
      try {
        const mailboxId = mailbox(entry);
        if (mailboxId) return [mailboxId];
      } catch {
        // Reported below.
      }
      const message =
        'must be imaps://user:password@host/FOLDER, such as imaps://scans%40example.org:secret@imap.example.org/INBOX, optionally followed by :address, separated by commas';
      context.addIssue({ code: 'custom', message });
      return [];
    }),
  );
}

/** Folders with the addresses of their accounts. The last colon separates them, because drive letters have one, too. */
function watchedFolders() {
  return (
    list()
      .transform((entries) =>
        entries.map((entry) => {
          const colon = entry.lastIndexOf(':');
          const folder = entry.slice(0, Math.max(colon, 0)).trim();
          return {
            folder,
            email: entry
              .slice(colon + 1)
              .trim()
              .toLowerCase(),
          };
        }),
      )
      // On Windows both '/srv' and 'C:\\srv' count as absolute.
      .refine(
        (folders) =>
          folders.every(
            ({ folder, email }) => path.win32.isAbsolute(folder) && refuseEmail(email) === null,
          ),
        {
          error:
            'must be absolute folder paths, each followed by a colon and the address of its account, such as /srv/scans:me@example.org, separated by commas',
        },
      )
  );
}
