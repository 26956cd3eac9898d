export interface FolderSettings {
  keywords: string[];
  /** Whether the name of a top folder becomes a keyword of its files. */
  topFolderKeyword: boolean;
  /** Interval of periodic scans in milliseconds. */
  intervalMs: number;
  /** Whether files that are removed from the folder are archived in Engram. */
  archive: boolean;
}

export interface DeviceSettings {
  /** Maximum upload speed, or null for no limit. */
  bytesPerSecond: number | null;
  autostart: boolean;
}

/** A file that is left out or rejected, and the reason as a sentence. */
export interface LeftOut {
  path: string;
  reason: string;
}

/** What syncing a folder would send. */
export interface Preview {
  files: number;
  bytes: number;
  /** The first hundred files that are left out, and the number of all. */
  leftOut: LeftOut[];
  leftOutCount: number;
}

export type FolderState = 'current' | 'syncing' | 'paused' | 'missing' | 'waiting';

export interface FolderStatus extends FolderSettings {
  id: number;
  root: string;
  name: string;
  state: FolderState;
  /** Numbers of files that are in Engram, waiting, and left out or rejected. */
  files: number;
  waiting: number;
  refused: number;
  waitingBytes: number;
  /** Seconds until everything is sent at the speed of the last minute, or null if unknown. */
  secondsLeft: number | null;
  leftOut: LeftOut[];
  /** Files that are archived only after the user confirms it, because they are many. */
  archiveAsked: number;
}

/**
 * - `unpaired`  not connected to a server
 * - `ended`     the key or the connection is no longer valid: syncing waits for a new pairing
 */
export type PairingState = 'unpaired' | 'pairing' | 'paired' | 'ended';

export interface ConnectorStatus {
  version: string;
  pairing: PairingState;
  server: string | null;
  code: { userCode: string; link: string } | null;
  /** Where the credentials are stored, as a sentence. */
  secretLocation: string | null;
  paused: boolean;
  /** Why syncing is stopped, or null. */
  problem: string | null;
  settings: DeviceSettings;
  folders: FolderStatus[];
  newer: { version: string; link: string } | null;
}

/** The interface for the page and the command. Failures are Errors whose messages are for users. */
export interface Connector {
  status(): ConnectorStatus;
  /** Calls a listener when the status changes, a few times a second at most. Returns a function that stops. */
  onChange(listener: () => void): () => void;
  /** Begins the device flow with a server, or pairs with an API key. */
  pair(server: string, key?: string): Promise<void>;
  preview(root: string): Promise<Preview>;
  addFolder(root: string, settings: Partial<FolderSettings>): Promise<number>;
  changeFolder(id: number, settings: Partial<FolderSettings>): Promise<void>;
  /** Stops syncing a folder. Its files stay in Engram. */
  removeFolder(id: number): Promise<void>;
  /** The user's answer about files that wait to be archived. */
  answerArchive(id: number, archive: boolean): Promise<void>;
  changeSettings(settings: Partial<DeviceSettings>): Promise<void>;
  pause(): void;
  resume(): void;
  /** Scans and syncs every folder now. Resolves when all are synced or have to wait. */
  syncOnce(): Promise<void>;
  /** Ends the device, deletes the secret and the state, and disables autostart. */
  uninstall(): Promise<void>;
}

/** A folder in the user's home, and the folders in it. */
export interface Directory {
  path: string;
  trail: { name: string; path: string }[];
  folders: { name: string; path: string }[];
  /** The number of folders after the first thousand, which are not listed. */
  more: number;
}
