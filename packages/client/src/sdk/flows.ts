import { NotFoundError } from '../errors.ts';
import * as calls from './calls.ts';
import * as check from './check.ts';
import { FileFailedError, UploadRejectedError, WaitTimeoutError } from './file-errors.ts';
import { metaOf } from './folder-calls.ts';
import { Form } from './form.ts';
import type { File, UploadReport } from './models.ts';
import type { CallOptions, FilePlace, Progress, Wait } from './options.ts';
import type { Runner } from './runner.ts';
import type { Part } from './disk.ts';

const POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;

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

/** A file once its reading has ended; as it is now where nothing is waited for. */
async function settle(
  runner: Runner,
  file: File | string,
  wait: Wait,
  options: CallOptions,
): Promise<File> {
  let waited = 0;
  for (let pause = POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 1.5)) {
    const now = await runner.call(calls.file(file), options);
    if (now.settled || wait === false) return now;
    if (wait !== true && waited + pause > wait) {
      throw new WaitTimeoutError(`${now.name} is still being read.`, { code: 'wait_timeout' });
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
  const settled = await settle(runner, file, wait, options);
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
  for (const { id } of report.uploaded) files.push(await settle(runner, id, wait, options));
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
