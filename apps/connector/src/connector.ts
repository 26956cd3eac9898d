export interface FolderSettings {
  keywords: string[];
  /** Whether the first folder below becomes a keyword of what is in it. */
  topFolderKeyword: boolean;
  /** How often the folder is walked although nothing was noticed, in milliseconds; 5 minutes at first. */
  intervalMs: number;
  /** Whether files that left the folder are archived in Engram. Otherwise they stay as they are. */
  archive: boolean;
}

export interface DeviceSettings {
  /** Most bytes sent in a second; null for as many as there is room for. */
  bytesPerSecond: number | null;
  autostart: boolean;
}

/** A file that is left out or refused, and why, in a sentence. */
export interface LeftOut {
  path: string;
  reason: string;
}

/** What would happen to a folder, before anything does. */
export interface Preview {
  files: number;
  bytes: number;
  /** The first hundred of those left out, and how many there are. */
  leftOut: LeftOut[];
  leftOutCount: number;
}

export type FolderState = 'current' | 'syncing' | 'paused' | 'missing' | 'waiting';

export interface FolderStatus extends FolderSettings {
  id: number;
  root: string;
  name: string;
  state: FolderState;
  /** Files that are in Engram, that wait, and that were left out or refused. */
  files: number;
  waiting: number;
  refused: number;
  waitingBytes: number;
  /** Seconds until all is sent at the pace of the last minute; null where that is not known. */
  secondsLeft: number | null;
  leftOut: LeftOut[];
  /** Files that would be archived and wait for the user's confirmation, as they are many. */
  archiveAsked: number;
}

/**
 * - `unpaired`  nobody has let it in
 * - `ended`     the key or the connection stopped working: everything waits for a new pairing
 */
export type PairingState = 'unpaired' | 'pairing' | 'paired' | 'ended';

export interface ConnectorStatus {
  version: string;
  pairing: PairingState;
  server: string | null;
  code: { userCode: string; link: string } | null;
  /** Where the secret is kept, in a sentence. */
  secretKept: string | null;
  paused: boolean;
  /** Why nothing is synced at the moment, or null. */
  trouble: string | null;
  settings: DeviceSettings;
  folders: FolderStatus[];
  newer: { version: string; link: string } | null;
}

/** The Connector as its page and its command see it. Every refusal is an Error with a sentence. */
export interface Connector {
  status(): ConnectorStatus;
  /** Called after each change of the status, at most a few times a second; answers how to stop that. */
  onChange(listener: () => void): () => void;
  /** Begins the device flow with a server, or pairs with an API key. */
  pair(server: string, key?: string): Promise<void>;
  preview(root: string): Promise<Preview>;
  addFolder(root: string, settings: Partial<FolderSettings>): Promise<number>;
  changeFolder(id: number, settings: Partial<FolderSettings>): Promise<void>;
  /** Stops keeping a folder in step; what is in Engram stays. */
  removeFolder(id: number): Promise<void>;
  /** The user's answer about files that wait to be archived. */
  answerArchive(id: number, archive: boolean): Promise<void>;
  changeSettings(settings: Partial<DeviceSettings>): Promise<void>;
  pause(): void;
  resume(): void;
  /** Looks at every folder now; resolves when all is in step or waits for something outside. */
  syncOnce(): Promise<void>;
  /** Ends the device, deletes the secret and the state, and disables autostart. */
  uninstall(): Promise<void>;
  close(): Promise<void>;
}

/** A folder in the user's home, and the folders in it. */
export interface Directory {
  path: string;
  /** The folder above it; null for the home itself. */
  parent: string | null;
  trail: { name: string; path: string }[];
  folders: { name: string; path: string }[];
  /** How many folders after the first thousand are not listed. */
  more: number;
}
