import { createHash } from 'node:crypto';
import {
  checkArtifacts,
  deleteArtifact,
  listArtifacts,
  placeArtifact,
  reportDevice,
  uploadArtifacts,
} from '@engram/contract';
import type { SignedInUser, TestApp } from './app.test-setup.ts';

/** The SHA-256 of a text. */
export const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A file of a folder. */
export interface FolderFile {
  path: string;
  text: string;
  replaces?: string | undefined;
  modifiedAt?: string;
}

/** A user's device with its folder, and its calls to the server. */
export function deviceFolder(
  engram: Pick<TestApp, 'settled'>,
  { client }: Pick<SignedInUser, 'client'>,
) {
  const register = async (name = 'Home-PC'): Promise<string> => {
    const body = { name, platform: 'Linux', version: '0.1.0' };
    return (await client.call(reportDevice, { body })).data.id;
  };

  /** Sends files in one upload. Without a device they are uploaded by the user. */
  const upload = async (device: string | undefined, files: readonly FolderFile[]) => {
    const parts = files.map(({ path, text }) => ({
      name: path.split('/').at(-1) ?? '',
      content: new Blob([text]),
    }));
    const meta = files.map(({ path, replaces, modifiedAt }) => ({ path, replaces, modifiedAt }));
    const fields = device ? { meta: JSON.stringify(meta), deviceId: device } : {};
    return (await client.upload(uploadArtifacts, parts, fields)).data;
  };

  /** Sends one file and waits until it is processed. Returns its artifact. */
  const send = async (device: string | undefined, file: FolderFile): Promise<string> => {
    const { artifacts } = await upload(device, [file]);
    await engram.settled();
    return artifacts[0]?.artifactId ?? '';
  };

  const check = async (texts: readonly string[], path = 'Papers/a.txt', size?: number) => {
    const files = texts.map((text) => ({ sha256: shaOf(text), size: size ?? text.length, path }));
    return (await client.call(checkArtifacts, { body: { files } })).data;
  };

  const place = (
    device: string,
    id: string,
    entry: { path: string; replaces?: string; modifiedAt?: string },
  ) =>
    client.call(placeArtifact, {
      params: { artifactId: id },
      body: { ...entry, deviceId: device },
    });

  const listed = async () => (await client.call(listArtifacts, {})).data;
  const find = async (id: string) =>
    (await listed()).find((artifact) => artifact.artifactId === id);
  const remove = (id: string) => client.call(deleteArtifact, { params: { artifactId: id } });

  return { register, upload, send, check, place, listed, find, remove };
}
