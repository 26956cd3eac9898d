import * as api from '@engram/contract/browser';
import { json, nothing, type DescribedCall } from './calls.ts';
import * as check from './check.ts';
import type { CheckedFile, Device, DeviceReport, File, FolderReport } from './models.ts';
import type { DeviceName, Digest, Place } from './options.ts';
import * as read from './readers.ts';
import { list } from './shape.ts';

/*
 * The calls that keep a folder in step, as data.
 */

/** Bytes of one check; the server takes 1 MB, which long paths fill before there are 1,000. */
const CHECK_BYTES = 900_000;
const REASON_LIMIT = 500;
const FOLDER_STATES = ['current', 'syncing', 'paused', 'missing', 'waiting'] as const;

/** What is said of a file beside its bytes; only what was given. */
export const metaOf = ({ path, modifiedAt, replaces }: Partial<Place>) => ({
  ...(path === undefined ? {} : { path: check.folderPath(path) }),
  ...(modifiedAt === undefined ? {} : { modifiedAt: check.moment(modifiedAt, 'modifiedAt') }),
  ...(replaces === undefined ? {} : { replaces: check.identifier(replaces) }),
});

/** A file to ask about. */
export interface CheckEntry extends Digest {
  path: string;
}

/** Entries in as few calls as the server allows. */
export function batchesOf(entries: readonly CheckEntry[]): CheckEntry[][] {
  const batches: CheckEntry[][] = [];
  const encoder = new TextEncoder();
  let bytes = Infinity;
  for (const entry of entries) {
    const size = encoder.encode(JSON.stringify(entry)).length + 1;
    const last = batches.at(-1);
    if (!last || last.length === api.CHECK_LIMIT || bytes + size > CHECK_BYTES) {
      batches.push([entry]);
      bytes = size;
    } else {
      last.push(entry);
      bytes += size;
    }
  }
  return batches;
}

export const checkFiles = (files: CheckEntry[]): DescribedCall<CheckedFile[]> =>
  json(api.checkArtifacts, { body: { files } }, list(read.checkedFile));

export const placeFile = (file: File | string, { deviceId, ...meta }: Place) =>
  nothing(api.placeArtifact, {
    params: { artifactId: check.identifier(file) },
    body: {
      ...metaOf(meta),
      path: check.folderPath(meta.path),
      deviceId: check.identifier(deviceId),
    },
  });

function folderOf({ name, state, files, waiting, refused }: FolderReport) {
  const count = (value: number, what: string) =>
    check.within(value, 0, Number.MAX_SAFE_INTEGER, what);
  return {
    name: check.line(name, 'name'),
    state: check.oneOf(state, FOLDER_STATES, 'state'),
    files: count(files, 'files'),
    waiting: count(waiting, 'waiting'),
    refused: count(refused, 'refused'),
  };
}

function reportOf({ folders, refused = [], currentAt = null }: DeviceReport) {
  const all = check.several(folders, 'a list of one folder');
  check.within(all.length, 0, api.FOLDERS_LIMIT, 'The count of folders');
  check.within(refused.length, 0, api.REFUSED_NAMED, 'The count of refused files');
  return {
    folders: all.map(folderOf),
    refused: refused.map(({ path, reason }) => ({
      path: check.line(path, 'path', api.PATH_LIMIT),
      reason: check.line(reason, 'reason', REASON_LIMIT),
    })),
    currentAt: currentAt && check.moment(currentAt, 'currentAt'),
  };
}

const deviceBody = ({ name, platform, version }: DeviceName, report?: DeviceReport) => ({
  name: check.line(name, 'name'),
  platform: check.line(platform, 'platform'),
  version: check.line(version, 'version'),
  ...(report ? { report: reportOf(report) } : {}),
});

// Sent twice there would be two, so it is sent again only where it was not seen.
export const registerDevice = (device: DeviceName, report?: DeviceReport) =>
  json(api.reportDevice, { body: deviceBody(device, report) }, read.device, 'unseen');

export const reportDevice = (device: DeviceName & { id: string }, report?: DeviceReport) =>
  json(
    api.reportDevice,
    { body: { id: check.identifier(device), ...deviceBody(device, report) } },
    read.device,
  );

export const listDevices = () => json(api.listDevices, {}, list(read.device));

export const endDevice = (device: Device | string) =>
  nothing(api.endDevice, { params: { id: check.identifier(device) } }, 'unseen');
