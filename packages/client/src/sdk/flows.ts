import { NotFoundError } from '../errors.ts';
import * as calls from './calls.ts';
import * as check from './check.ts';
import { FileFailedError, UploadRejectedError, WaitTimeoutError } from './file-errors.ts';
import { metaOf } from './folder-calls.ts';
import { Form } from './form.ts';
import type { File, UploadReport } from './models.ts';
import type { CallOptions, FilePlace, Progress, Wait } from './options.ts';
import type { Runner } from './runner.ts';
import type { Part } from './source.ts';

const POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;
const LARGEST_PAGE = 1000;
/** Characters of a name that are searched for. */
const NAME_LIMIT = 300;

/** What is uploaded, and how. */
export interface Upload extends CallOptions {
  parts: readonly Part[];
  keywords?: Iterable<string> | undefined;
  keywordsByName?: Readonly<Record<string, Iterable<string>>> | undefined;
  text?: string;
  /** Where the files came from, in their order; all from one device. */
  places?: readonly FilePlace[];
  onProgress?: Progress | undefined;
  wait?: Wait | undefined;
}

/** A file by its id among those of its name. */
async function findFile(
  runner: Runner,
  id: string,
  name: string,
  options: CallOptions,
): Promise<File> {
  let cursor: string | undefined;
  do {
    const q = [...name].slice(0, NAME_LIMIT).join('').slice(0, NAME_LIMIT);
    const call = calls.listFiles(q, { pageSize: LARGEST_PAGE }, cursor);
    const page = await runner.call(call, options);
    const found = page.rows.find((file) => file.id === id);
    if (found) return found;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  throw new NotFoundError(404, { message: 'There is no such file.', code: 'artifact_not_found' });
}

/** A file once its reading has come to an end. */
async function settle(
  runner: Runner,
  id: string,
  name: string,
  wait: Wait,
  options: CallOptions,
): Promise<File> {
  let waited = 0;
  for (let pause = POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 1.5)) {
    const file = await findFile(runner, id, name, options);
    if (file.settled || wait === false) return file;
    if (wait !== true && waited + pause > wait) {
      throw new WaitTimeoutError(`${name} is still being read.`, { code: 'wait_timeout' });
    }
    await runner.sleep(pause, options.signal);
    waited += pause;
  }
}

/** A file once it is ready. Throws a FileFailedError where it never will be. */
export async function waitFor(
  runner: Runner,
  file: File | string,
  wait: Wait,
  options: CallOptions = {},
): Promise<File> {
  check.wait(wait);
  const name =
    typeof file === 'string' ? (await runner.call(calls.link(file), options)).fileName : file.name;
  const settled = await settle(runner, check.identifier(file), name, wait, options);
  if (settled.status === 'FAILED') throw new FileFailedError(settled);
  return settled;
}

/** What an upload says of where its files came from. */
function placesOf(places: readonly FilePlace[]): calls.UploadPlaces {
  const meta = places.map(metaOf);
  const [deviceId] = places.flatMap((place) => place.deviceId ?? []);
  return {
    ...(meta.some((one) => Object.keys(one).length > 0) ? { meta } : {}),
    ...(deviceId === undefined ? {} : { deviceId: check.identifier(deviceId) }),
  };
}

/** Uploads files, and says what became of each. */
export async function uploadMany(
  runner: Runner,
  {
    parts,
    keywords,
    keywordsByName,
    text = '',
    places = [],
    onProgress,
    wait = false,
    ...options
  }: Upload,
): Promise<UploadReport> {
  check.wait(wait);
  if (parts.length === 0 && text.trim() === '')
    check.refuse('There is nothing to upload.', 'nothing');
  const fields = calls.uploadFields(keywords, keywordsByName, text, placesOf(places));
  const report = await runner.call(calls.upload(new Form(fields, parts, onProgress)), options);
  const files: File[] = [];
  for (const taken of report.uploaded) {
    // What was there already is kept under the name that its bytes first came with.
    const name = taken.duplicate
      ? (await runner.call(calls.link(taken.id), options)).fileName
      : taken.name;
    files.push(await settle(runner, taken.id, name, wait, options));
  }
  return { ...report, files };
}

/** Uploads one file. */
export async function upload(runner: Runner, sent: Upload): Promise<File> {
  const { rejected, files } = await uploadMany(runner, sent);
  if (rejected[0]) throw new UploadRejectedError(rejected[0]);
  const [file] = files;
  if (!file)
    throw new NotFoundError(404, { message: 'The file was deleted.', code: 'artifact_not_found' });
  if (sent.wait && file.status === 'FAILED') throw new FileFailedError(file);
  return file;
}
