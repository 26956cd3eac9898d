import type { Progress } from './disk.ts';

export type { Progress } from './disk.ts';

/** Whether to wait until files are searchable. A number is the longest wait in milliseconds. */
export type Wait = boolean | number;

/** An ID, or an object that has one. */
export type Ref = string | { id: string } | { fileId: string } | { artifactId: string };

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface UploadOptions extends CallOptions {
  keywords?: Iterable<string> | undefined;
  /** Reports the progress of the upload. In Node only: browsers do not report it. */
  onProgress?: Progress | undefined;
  wait?: Wait | undefined;
}

/** The place of a file in a synced folder. */
export interface FilePlace {
  /** Names joined by '/', the folder's own name first. */
  path?: string | undefined;
  /** When the file itself was last changed. */
  modifiedAt?: Date | string | undefined;
  /** The previous version, which is searched until this one is ready, and is then deleted. */
  replaces?: Ref | undefined;
  /** The device that sends it. Only its own files are renamed and replaced. */
  deviceId?: Ref | undefined;
}

/** The description of a device. */
export interface DeviceName {
  /** Such as Home-PC. */
  name: string;
  /** The operating system, such as Windows 11. */
  platform: string;
  /** The version of the program on it. */
  version: string;
}
