import type { Progress } from './disk.ts';

export type { Progress } from './disk.ts';

/** Whether to wait until files are read; a number is the longest wait in milliseconds. */
export type Wait = boolean | number;

/** The id of something, or the thing itself. */
export type Ref = string | { id: string } | { fileId: string } | { artifactId: string };

/** The options of every call. */
export interface CallOptions {
  /** Stops the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** How files are uploaded. */
export interface UploadOptions extends CallOptions {
  keywords?: Iterable<string> | undefined;
  /** Reports the progress of the upload. In Node only: browsers do not report it. */
  onProgress?: Progress | undefined;
  /** Waits until it can be asked about; a number is the longest wait in milliseconds. */
  wait?: Wait | undefined;
}

/** Where a file is in the folder that it came from. */
export interface FilePlace {
  /** Names joined by '/', the folder's own name first. */
  path?: string | undefined;
  /** When the file itself was last changed. */
  modifiedAt?: Date | string | undefined;
  /** The same file before it was changed: it answers until this one is ready, and is deleted then. */
  replaces?: Ref | undefined;
  /** The device that sends it: only its own files are renamed and replaced. */
  deviceId?: Ref | undefined;
}

/** A device, as it introduces itself. */
export interface DeviceName {
  /** Such as Home-PC. */
  name: string;
  /** The operating system, such as Windows 11. */
  platform: string;
  /** The version of the program on it. */
  version: string;
}
