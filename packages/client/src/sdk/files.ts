import { checkBatches } from '@engram/contract/browser';
import { EngramError, NotFoundError } from '../errors.ts';
import {
  checkArtifacts,
  type CheckedFile,
  type File,
  FilesCalls,
  type FileLink,
  openArtifact,
  type RejectedFile,
  saveWebContent,
  setArtifactKeywords,
  uploadArtifacts,
  type UploadedFile,
  type UploadResult,
  zipArtifacts,
} from './api.ts';
import * as check from './check.ts';
import { disk, type Part } from './disk.ts';
import type { CallOptions, FilePlace, Progress, Ref, UploadOptions, Wait } from './options.ts';
import { checkInput, type Spec } from './shape.ts';
import {
  type Content,
  type Digest,
  digestOf,
  type NamedSource,
  partOf,
  type Source,
} from './source.ts';

const POLL_MS = 500;
const MAX_POLL_MS = 5_000;

/** The result of an upload, and the files as they are now. */
export type UploadReport = UploadResult & { files: File[] };

/** The server rejected a file. `code` and `message` say why. */
export class UploadRejectedError extends EngramError {
  override readonly name: string = 'UploadRejectedError';
  /** The file and the reason. */
  readonly rejected: RejectedFile;

  constructor(rejected: RejectedFile) {
    super(rejected.message, { code: rejected.code });
    this.rejected = rejected;
  }
}

/** A file cannot be read. */
export class FileFailedError extends EngramError {
  override readonly name: string = 'FileFailedError';
  /** The file as it is now. */
  readonly file: File;

  constructor(file: File) {
    super(`${file.name}: ${file.statusReason || 'The file cannot be read.'}`, {
      code: 'file_failed',
    });
    this.file = file;
  }
}

/** A file is still being read after the timeout. Reading continues. */
export class WaitTimeoutError extends EngramError {
  override readonly name: string = 'WaitTimeoutError';
}

/** The bytes behind a link to a zip. */
const readZip: Spec<Response> = {
  id: 'artifacts.readZip',
  method: 'GET',
  path: '/zips/{token}',
  kind: 'file',
  fields: { token: { place: 'path', required: true, schema: { type: 'string' } } },
};

const keywordsOf = (keywords: Iterable<string>): unknown =>
  checkInput(setArtifactKeywords.fields['keywords']?.schema ?? {}, keywords, 'keywords');

function placeFields({ path, modifiedAt, replaces, deviceId }: FilePlace): Record<string, string> {
  const meta = {
    ...(path === undefined ? {} : { path: check.folderPath(path) }),
    ...(modifiedAt === undefined ? {} : { modifiedAt: check.moment(modifiedAt, 'modifiedAt') }),
    ...(replaces === undefined ? {} : { replaces: check.identifier(replaces) }),
  };
  return {
    ...(Object.keys(meta).length > 0 ? { meta: JSON.stringify([meta]) } : {}),
    ...(deviceId === undefined ? {} : { deviceId: check.identifier(deviceId) }),
  };
}

/** The files of the user. */
export class Files extends FilesCalls {
  /**
   * Uploads a path (in Node), a Blob or File, bytes, or a stream of bytes (in Node). Throws an
   * UploadRejectedError if it is rejected and, with `wait`, a FileFailedError or WaitTimeoutError.
   * `path`, `modifiedAt`, `replaces` and `deviceId` describe a file of a synced folder. `name`
   * defaults to the last part of `path`.
   */
  async upload(
    source: Source,
    {
      name,
      size,
      path,
      modifiedAt,
      replaces,
      deviceId,
      ...options
    }: UploadOptions & FilePlace & Omit<NamedSource, 'source'> = {},
  ): Promise<File> {
    const fields = placeFields({ path, modifiedAt, replaces, deviceId });
    const ownName = name ?? path?.split('/').at(-1);
    const part = await partOf({
      source,
      ...(ownName ? { name: ownName } : {}),
      ...(size === undefined ? {} : { size }),
    });
    return this.#uploadOne([part], fields, options);
  }

  /** Uploads several files in one call, and reports the result of each. */
  async uploadMany(
    sources: Iterable<Source | NamedSource>,
    {
      keywordsByName = {},
      ...options
    }: UploadOptions & { keywordsByName?: Readonly<Record<string, Iterable<string>>> } = {},
  ): Promise<UploadReport> {
    const parts = await Promise.all(check.list(sources, 'sources').map(partOf));
    if (parts.length === 0) check.refuse('There is nothing to upload.', 'nothing');
    const byName = Object.entries(keywordsByName).map(([name, words]) => [name, keywordsOf(words)]);
    const fields = { filesKeywords: JSON.stringify(Object.fromEntries(byName)) };
    return this.#upload(parts, fields, options);
  }

  /** Stores a text of up to 500 words as a file. */
  async addText(text: string, options: Omit<UploadOptions, 'onProgress'> = {}): Promise<File> {
    if (text.trim() === '') check.refuse('There is nothing to upload.', 'nothing');
    return this.#uploadOne([], { artifactText: text }, options);
  }

  /**
   * Saves content that was fetched from a web address: a page as HTML in UTF-8 (`name` ends in .html, which is
   * the default for bytes), or a file. It replaces earlier content of this address.
   */
  async saveWebContent(
    url: string,
    content: Source,
    {
      name,
      keywords = [],
      ...options
    }: CallOptions & { name?: string; keywords?: Iterable<string> } = {},
  ): Promise<UploadedFile> {
    const isBytes = content instanceof ArrayBuffer || ArrayBuffer.isView(content);
    const ownName = name ?? (isBytes ? 'page.html' : undefined);
    const part = await partOf({ source: content, name: ownName });
    const fields = { url, keywords: JSON.stringify(keywordsOf(keywords)) };
    return this.runner.send(saveWebContent, { fields, parts: [part] }, options);
  }

  /**
   * Checks which files Engram already has, without sending bytes. Takes `[path, content]` pairs, such
   * as a Map, and returns the results in their order. Files on disk are hashed as a stream.
   */
  async check(
    files: Iterable<readonly [path: string, content: Content]>,
    options: CallOptions = {},
  ): Promise<CheckedFile[]> {
    const pairs = check.list(files, 'files');
    for (const [path] of pairs) check.folderPath(path);
    const entries: (Digest & { path: string })[] = [];
    for (const [path, content] of pairs) {
      options.signal?.throwIfAborted();
      entries.push({ path, ...(await digestOf(content)) });
    }
    const checked: CheckedFile[] = [];
    for (const batch of checkBatches(entries)) {
      checked.push(...(await this.runner.run(checkArtifacts, { files: batch }, options)));
    }
    return checked;
  }

  /** Waits until a file is searchable, up to `timeout` milliseconds if given. */
  async wait(
    file: Ref,
    { timeout = true, ...options }: CallOptions & { timeout?: Wait } = {},
  ): Promise<File> {
    const settled = await this.#settle(file, timeout, options);
    if (settled.status === 'FAILED') throw new FileFailedError(settled);
    return settled;
  }

  /** A link to the bytes that works without a key for a few minutes. */
  override async link(file: Ref, options: CallOptions = {}): Promise<FileLink> {
    const link = await super.link(file, options);
    return { ...link, url: new URL(link.url, `${this.runner.baseUrl}/`).href };
  }

  /** Writes a file to a path, or into a folder under its own name. Returns the path. In Node only. */
  async download(
    file: File | string,
    to: string | URL = '.',
    { onProgress, ...options }: CallOptions & { onProgress?: Progress } = {},
  ): Promise<string> {
    const { destination, save } = await disk();
    const details = typeof file === 'string' ? await this.get(file, options) : file;
    const { id: artifactId, userId, name: fileName } = details;
    const path = await destination(to, fileName);
    const response = await this.runner.run(openArtifact, { artifactId, userId, fileName }, options);
    return save(response, path, onProgress);
  }

  /** Writes several files as one zip to a path, or into a folder. Returns the path. In Node only. */
  async downloadMany(
    files: Iterable<Ref>,
    to: string | URL = '.',
    { onProgress, ...options }: CallOptions & { onProgress?: Progress } = {},
  ): Promise<string> {
    const { destination, save } = await disk();
    const { url } = await this.runner.run(zipArtifacts, { ids: files }, options);
    const path = await destination(to, 'engram-files.zip');
    const token = url.slice(url.lastIndexOf('/') + 1);
    const response = await this.runner.run(readZip, { token }, options);
    return save(response, path, onProgress);
  }

  async #uploadOne(
    parts: readonly Part[],
    fields: Record<string, string>,
    options: UploadOptions,
  ): Promise<File> {
    const { rejected, files } = await this.#upload(parts, fields, options);
    if (rejected[0]) throw new UploadRejectedError(rejected[0]);
    const [file] = files;
    if (!file) {
      throw new NotFoundError(404, {
        message: 'The file was deleted.',
        code: 'artifact_not_found',
      });
    }
    if (options.wait && file.status === 'FAILED') throw new FileFailedError(file);
    return file;
  }

  async #upload(
    parts: readonly Part[],
    fields: Record<string, string>,
    { keywords = [], onProgress, wait = false, signal, ...others }: UploadOptions,
  ): Promise<UploadReport> {
    check.rejectUnknown(others);
    check.wait(wait);
    const allFields = { keywords: JSON.stringify(keywordsOf(keywords)), ...fields };
    const form = { fields: allFields, parts, onProgress };
    const result = await this.runner.send(uploadArtifacts, form, { signal });
    const files: File[] = [];
    for (const { id } of result.uploaded) {
      files.push(await this.#settle(id, wait, { signal }));
    }
    return { ...result, files };
  }

  /** The file once it is ready or has failed, or as it is now without `wait`. */
  async #settle(file: Ref, wait: Wait, options: CallOptions): Promise<File> {
    check.wait(wait);
    let waited = 0;
    for (let pause = POLL_MS; ; pause = Math.min(MAX_POLL_MS, pause * 1.5)) {
      const current = await this.get(file, options);
      if (wait === false || ['SUCCESS', 'FAILED'].includes(current.status)) return current;
      if (wait !== true && waited + pause > wait) {
        const message = `${current.name} is still being read.`;
        throw new WaitTimeoutError(message, { code: 'wait_timeout' });
      }
      await this.runner.sleep(pause, options.signal);
      waited += pause;
    }
  }
}
