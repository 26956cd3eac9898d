import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  type Artifact,
  exportAccount,
  getProfile,
  type HistoryEntry,
  importAccount,
  listArtifacts,
  listHistory,
  listKeywords,
  uploadArtifacts,
} from '@engram/contract';
import { fromBufferPromise } from 'yauzl';
import { storedZip } from './archives.test-setup.ts';
import type { SignedInUser } from './app.test-setup.ts';

export type Members = Record<string, Buffer>;

/** The members of a zip, by path. */
export async function unpack(bytes: Uint8Array): Promise<Members> {
  const zip = await fromBufferPromise(Buffer.from(bytes));
  const members: Members = {};
  for await (const entry of zip.eachEntry()) {
    members[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  }
  return members;
}

/** The bytes of a user's export. */
export const exportOf = async ({ client }: SignedInUser): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(await (await client.file(exportAccount, {})).arrayBuffer());

/** The report of an import. */
export const importOf = async ({ client }: SignedInUser, bytes: Uint8Array<ArrayBuffer>) =>
  (await client.upload(importAccount, [{ name: 'engram.zip', content: new Blob([bytes]) }], {}))
    .data;

/** An export with changed members: null removes one, and values that are not bytes become JSON. */
export async function changed(
  bytes: Uint8Array,
  change: (json: <T>(path: string) => T, members: Members) => Record<string, unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  const members = await unpack(bytes);
  const json = <T>(path: string): T => JSON.parse(String(members[path])) as T;
  for (const [path, value] of Object.entries(change(json, members))) {
    if (value === null) delete members[path];
    else members[path] = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  }
  return storedZip(members);
}

const SAME_DATE = '2026-01-05T10:00:00.000Z';

/** An export with the given number of questions of one date, and extra members. */
export function exportOfQuestions(
  questions: number,
  members: Record<string, Buffer> = {},
): Uint8Array<ArrayBuffer> {
  const entry = {
    answer: 'The lease ends in May.',
    grounded: false,
    notice: null,
    citations: [],
    related: [],
    recommendations: [],
    keywords: [],
    latitude: null,
    longitude: null,
    ip: null,
    device: null,
    saved: false,
    archived: false,
    follows: null,
    date: SAME_DATE,
  };
  const history = Array.from({ length: questions }, (_, n) => ({
    ...entry,
    id: randomUUID(),
    question: `When does lease ${n} end?`,
  }));
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  return storedZip({
    'manifest.json': json({
      format: 'engram-export',
      version: 1,
      madeAt: SAME_DATE,
      madeBy: 'Engram',
    }),
    'files.json': json([]),
    'keywords.json': json([]),
    'history.json': json(history),
    ...members,
  });
}

export const upload = async (
  { client }: SignedInUser,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
  body: Record<string, string> = {},
) =>
  (
    await client.upload(
      uploadArtifacts,
      Object.entries(files).map(([name, content]) => ({ name, content: new Blob([content]) })),
      body,
    )
  ).data;

const byName = (a: Artifact, b: Artifact): number =>
  a.artifactFileName < b.artifactFileName ? -1 : 1;

/** All data of a user, without values that differ between accounts. */
export async function belongings({ client }: SignedInUser) {
  const { data: files } = await client.call(listArtifacts, { query: {} });
  const names = new Map(
    files.map(({ artifactId, artifactFileName }) => [artifactId, artifactFileName]),
  );
  const nameOf = ({ artifactId }: { artifactId: string }) => names.get(artifactId);
  const { data: asked } = await client.call(listHistory, { query: {} });
  const questions = new Map(asked.map(({ id, searchText }) => [id, searchText]));
  const named = (passages: HistoryEntry['citations']) =>
    passages.map((passage) => ({ ...passage, artifactId: nameOf(passage) }));
  const present = ({
    citations,
    nearest,
    found,
    similarVectors,
    chosenFiles,
    follows,
    thread,
    ...entry
  }: HistoryEntry) => ({
    ...entry,
    id: null,
    userId: null,
    follows: follows && questions.get(follows),
    thread: questions.get(thread),
    citations: named(citations),
    nearest: named(nearest),
    found: found.map(({ newer, ...section }) => ({
      ...section,
      artifactId: nameOf(section),
      newer: newer && { ...newer, artifactId: nameOf(newer) },
    })),
    similarVectors: similarVectors.map((file) => [nameOf(file), file.score]),
    chosenFiles: chosenFiles.map((file) => [nameOf(file), file.fileName]),
  });
  const { data: words } = await client.call(listKeywords, { query: {} });
  const { data: profile } = await client.call(getProfile, {});
  return {
    // Files of one upload have no defined order.
    files: files.toSorted(byName).map((file) => ({
      name: file.artifactFileName,
      type: file.artifactFileType,
      size: file.artifactFileSize,
      keywords: file.keywords.toSorted(),
      archived: file.artifactArchived,
      source: file.source,
      device: file.deviceUsed,
      created: file.artifactCreatedDate,
      status: file.uploadStatus,
      reason: file.statusReason,
      text: file.artifactText,
    })),
    history: asked.map(present),
    keywords: words.map(({ keyword, isActive, isDefault }) => ({ keyword, isActive, isDefault })),
    profile: { name: profile.name, altEmail: profile.altEmail, phone: profile.phone },
  };
}
