import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listArtifacts, search, uploadArtifacts } from '@engram/contract';
import { onTestFinished } from 'vitest';
import { openBackupPlace } from '../composition/file-store.ts';
import { openFileStore } from '../composition/file-store.ts';
import { createDiskRoom } from '../platform/files/disk-room.ts';
import { buildTestApp, type SignedInUser, type TestApp } from './app.test-setup.ts';
import { createBackups } from '../features/backup/backups.ts';
import { type Backup, type BackupPlace, listBackups } from '../features/backup/manifest.ts';
import { restore } from '../features/backup/restore.ts';

/** An empty folder for one test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const SETTINGS = { minFreeMb: 0, s3Endpoint: undefined };

/** Opens a folder of backups for one test. */
export async function openPlace(folder: string): Promise<BackupPlace> {
  const place = await openBackupPlace(SETTINGS, folder);
  onTestFinished(place.close);
  return place;
}

export const backupsIn = async (folder: string): Promise<Backup[]> =>
  (await listBackups((await openPlace(folder)).backups)).complete;

/** Backups of an app that keeps two of them. */
export const backupsOf = ({ deps }: Pick<TestApp, 'deps'>, open: () => Promise<BackupPlace>) =>
  createBackups(
    {
      ...deps,
      config: { ...deps.config, backupKeep: 2, backupHour: 3, timeZone: 'Asia/Tokyo' },
      storage: { ...deps.storage, database: deps.database, files: deps.files },
    },
    open,
  );

/** Restores the given backup, or else the newest, into a new folder. */
export async function restoreInto(
  dataDir: string,
  place: BackupPlace,
  { backup, skipDamaged = false }: { backup?: Backup; skipDamaged?: boolean } = {},
): Promise<string[]> {
  const chosen = backup ?? (await listBackups(place.backups)).complete.at(-1);
  if (!chosen) throw new Error('There is no backup.');
  const openFiles = () =>
    openFileStore(
      { ...SETTINGS, files: undefined, dataDir },
      { room: createDiskRoom({ folder: dataDir, spareBytes: 0 }) },
    );
  return restore({ place, backup: chosen, dataDir, openFiles, skipDamaged });
}

/** Runs the app on a data folder until the end of a test. */
export async function startOn(dataDir: string): Promise<TestApp> {
  const app = await buildTestApp({ dataDir });
  onTestFinished(() => app.close());
  return app;
}

export async function upload(
  { client }: SignedInUser,
  name: string,
  text: string,
): Promise<string> {
  const { data } = await client.upload(uploadArtifacts, [{ name, content: new Blob([text]) }], {});
  return data.artifacts[0]?.artifactId ?? '';
}

/** The data of a user, with the state of each file. */
export async function filesOf({ client }: SignedInUser): Promise<Record<string, string>> {
  const { data } = await client.call(listArtifacts, {});
  return Object.fromEntries(data.map((file) => [file.artifactFileName, file.uploadStatus]));
}

export async function answerOf({ client }: SignedInUser, text: string): Promise<string> {
  const { data } = await client.call(search, { body: { text, audio: false } });
  return data.answers.join(' ');
}
