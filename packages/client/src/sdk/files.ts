import * as calls from './calls.ts';
import * as check from './check.ts';
import { digestOf } from './digest.ts';
import { disk } from './disk.ts';
import { saveResponse } from './download.ts';
import * as sets from './file-set-calls.ts';
import * as flows from './flows.ts';
import * as folder from './folder-calls.ts';
import type {
  CheckedFile,
  File,
  FileChanges,
  FileLink,
  FileView,
  Segment,
  UploadedFile,
  UploadReport,
  Word,
} from './models.ts';
import type {
  CallOptions,
  Content,
  FileFilter,
  FilePlace,
  Place,
  Progress,
  UploadOptions,
} from './options.ts';
import { Pages } from './pages.ts';
import type { Runner } from './runner.ts';
import { type NamedSource, partOf, type Source } from './source.ts';

/** Your files. */
export class Files {
  readonly #runner: Runner;

  /** @internal */
  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /**
   * Uploads a path (in Node), a Blob or File, bytes, or a stream of bytes (in Node). Throws an
   * UploadRejectedError where it is not taken and, with `wait`, a FileFailedError or WaitTimeoutError.
   * `path`, `modifiedAt`, `replaces` and `deviceId` say where it stands in a folder, whose last name
   * it has without a `name` of its own.
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
    const own = name ?? (path === undefined ? undefined : check.folderPath(path).split('/').at(-1));
    const named = {
      source,
      ...(own ? { name: own } : {}),
      ...(size === undefined ? {} : { size }),
    };
    const places = [{ path, modifiedAt, replaces, deviceId }];
    return flows.upload(this.#runner, { parts: [await partOf(named)], places, ...options });
  }

  /** Uploads several files at once, and says what became of each. */
  async uploadMany(
    sources: Iterable<Source | NamedSource>,
    options: UploadOptions & { keywordsByName?: Readonly<Record<string, Iterable<string>>> } = {},
  ): Promise<UploadReport> {
    const parts = await Promise.all(check.several(sources, 'upload()').map(partOf));
    return flows.uploadMany(this.#runner, { parts, ...options });
  }

  /** Keeps a text of at most 500 words as a file of its own. */
  addText(text: string, options: Omit<UploadOptions, 'onProgress'> = {}): Promise<File> {
    return flows.upload(this.#runner, { parts: [], text, ...options });
  }

  /**
   * Which of some contents are there already, before any bytes are sent: `[path, content]` pairs, such
   * as a Map; the answers come in their order. What is on disk is hashed a piece at a time.
   */
  async check(
    files: Iterable<readonly [path: string, content: Content]>,
    options: CallOptions = {},
  ): Promise<CheckedFile[]> {
    const given = check.several(files, 'a list of one pair');
    for (const [path] of given) check.folderPath(path);
    const entries: folder.CheckEntry[] = [];
    for (const [path, content] of given) {
      options.signal?.throwIfAborted();
      entries.push({ path, ...(await digestOf(content)) });
    }
    const checked: CheckedFile[] = [];
    for (const batch of folder.batchesOf(entries)) {
      checked.push(...(await this.#runner.call(folder.checkFiles(batch), options)));
    }
    return checked;
  }

  /** Says where a file stands in its folder now, and which file it took the place of. */
  async place(file: File | string, place: Place, options: CallOptions = {}): Promise<void> {
    return this.#runner.call(folder.placeFile(file, place), options);
  }

  /** Waits until a file can be asked about, up to `timeout` milliseconds if given. */
  wait(
    file: File | string,
    { timeout, ...options }: CallOptions & { timeout?: number } = {},
  ): Promise<File> {
    return flows.waitFor(this.#runner, file, timeout ?? true, options);
  }

  /** Whether no file is waiting or being read. */
  allReady(options: CallOptions = {}): Promise<boolean> {
    return this.#runner.call(calls.searchReady(), options);
  }

  /** The files, newest first; `q` searches their names and paths. */
  list(q?: string, { signal, ...filter }: FileFilter & CallOptions = {}): Pages<File> {
    const page = (cursor?: string) => calls.listFiles(q, filter, cursor);
    return new Pages(this.#runner, page, { signal });
  }

  /** A file by its id, as it is now. */
  async get(file: File | string, options: CallOptions = {}): Promise<File> {
    return this.#runner.call(calls.file(file), options);
  }

  /** The text that was read from a file. */
  async text(file: File | string, options: CallOptions = {}): Promise<string> {
    return this.#runner.call(calls.fileText(file), options);
  }

  /** Where in the file the stretches of its text stand; offsets are in UTF-16 units. */
  async segments(
    file: File | string,
    { start = 0, end, ...options }: CallOptions & { start?: number; end?: number } = {},
  ): Promise<Segment[]> {
    return this.#runner.call(calls.segments(file, start, end), options);
  }

  /** A file as HTML, or the part between two offsets; `path` names a member of an archive. */
  async view(
    file: File | string,
    {
      start: from = 0,
      end: to,
      path,
      ...options
    }: CallOptions & { start?: number; end?: number; path?: string } = {},
  ): Promise<FileView> {
    return this.#runner.call(calls.view(file, { from, to, path }), options);
  }

  /** Where the words recognised on a page stand on it; `path` names a member of an archive. */
  async words(
    file: File | string,
    { page = 1, path, ...options }: CallOptions & { page?: number; path?: string } = {},
  ): Promise<Word[]> {
    return this.#runner.call(calls.words(file, page, path), options);
  }

  /** A link to the bytes that works without a key for some minutes. */
  async link(file: File | string, options: CallOptions = {}): Promise<FileLink> {
    const found = await this.#runner.call(calls.link(file), options);
    return { ...found, url: new URL(found.url, `${this.#runner.baseUrl}/`).href };
  }

  /** Writes a file to a path, or into a folder under its own name; answers the path. In Node alone. */
  async download(
    file: File | string,
    to: string | URL = '.',
    { onProgress, ...options }: CallOptions & { onProgress?: Progress } = {},
  ): Promise<string> {
    const { destination, save } = await disk();
    const whole = typeof file === 'string' ? await this.get(file, options) : file;
    const path = await destination(to, whole.name);
    const response = await this.#runner.call(calls.openFile(whole), options);
    return saveResponse(save, response, path, onProgress);
  }

  /** Gives a file another name; its ending stays. */
  async rename(file: File | string, name: string, options: CallOptions = {}): Promise<File> {
    return this.#runner.call(calls.rename(file, name), options);
  }

  /** Gives a typed text another wording, under a new id; the old one answers until it is read. */
  async editNote(
    file: File | string,
    text: string,
    options: CallOptions = {},
  ): Promise<UploadedFile> {
    return this.#runner.call(calls.editNote(file, text), options);
  }

  /** Adds keywords to several files, at most 1,000; says what became of each. */
  async tagMany(
    files: Iterable<File | string>,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.#runner.call(sets.change('tag', files, 'setKeywords()', keywords), options);
  }

  /** Takes keywords from several files. */
  async untagMany(
    files: Iterable<File | string>,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.#runner.call(sets.change('untag', files, 'setKeywords()', keywords), options);
  }

  /** Takes several files out of answers, without deleting them. */
  async archiveMany(
    files: Iterable<File | string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.#runner.call(sets.change('archive', files, 'archive()'), options);
  }

  /** Brings several archived files back. */
  async unarchiveMany(
    files: Iterable<File | string>,
    options: CallOptions = {},
  ): Promise<FileChanges> {
    return this.#runner.call(sets.change('unarchive', files, 'unarchive()'), options);
  }

  /** Reads several failed files again. */
  async retryMany(files: Iterable<File | string>, options: CallOptions = {}): Promise<FileChanges> {
    return this.#runner.call(sets.change('retry', files, 'retry()'), options);
  }

  /** Writes several files as one zip to a path, or into a folder; answers the path. In Node alone. */
  async downloadMany(
    files: Iterable<File | string>,
    to: string | URL = '.',
    { onProgress, ...options }: CallOptions & { onProgress?: Progress } = {},
  ): Promise<string> {
    const { destination, save } = await disk();
    const link = await this.#runner.call(sets.zip(files), options);
    const path = await destination(to, 'engram-files.zip');
    const response = await this.#runner.call(sets.readZip(link.url), options);
    return saveResponse(save, response, path, onProgress);
  }

  /** Takes a file out of answers, without deleting it. */
  async archive(file: File | string, options: CallOptions = {}): Promise<File> {
    return this.#runner.call(calls.setArchived(file, true), options);
  }

  /** Brings an archived file back. */
  async unarchive(file: File | string, options: CallOptions = {}): Promise<File> {
    return this.#runner.call(calls.setArchived(file, false), options);
  }

  /** Replaces a file's keywords. */
  async setKeywords(
    file: File | string,
    keywords: Iterable<string>,
    options: CallOptions = {},
  ): Promise<File> {
    return this.#runner.call(calls.setKeywords(file, keywords), options);
  }

  /** Reads a failed file again. */
  async retry(file: File | string, options: CallOptions = {}): Promise<File> {
    return this.#runner.call(calls.retry(file), options);
  }

  /** Deletes a file and all that was derived from it. */
  async delete(file: File | string, options: CallOptions = {}): Promise<void> {
    return this.#runner.call(calls.deleteFile(file), options);
  }

  /** Deletes several files; answers the ids of those that were there. */
  async deleteMany(files: Iterable<File | string>, options: CallOptions = {}): Promise<string[]> {
    return this.#runner.call(calls.deleteFiles(files), options);
  }

  /** Deletes all files. */
  async deleteAll(options: CallOptions = {}): Promise<void> {
    return this.#runner.call(calls.deleteAllFiles(), options);
  }
}
