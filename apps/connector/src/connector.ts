/** How a folder is to be kept in step. */
export interface FolderSettings {
  keywords: string[];
  /** Whether the first folder below becomes a keyword of what is in it. */
  topFolderKeyword: boolean;
  /** How often the folder is walked although nothing was noticed, in milliseconds; 5 minutes at first. */
  intervalMs: number;
  /** Whether what left the folder is archived in Engram; it stays as it is otherwise. */
  archive: boolean;
}

export interface DeviceSettings {
  /** Most bytes sent in a second; null for as many as there is room for. */
  bytesPerSecond: number | null;
  /** Whether the Connector starts with the system. */
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
  /** Where it is on this machine. */
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
  /** Files that would be archived and wait for the person's word, as they are many. */
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
  /** While pairing: the code to type, and where. */
  code: { userCode: string; link: string } | null;
  /** Where the secret is kept, in a sentence. */
  secretKept: string | null;
  paused: boolean;
  /** What keeps everything from going on, in a sentence; null where nothing does. */
  trouble: string | null;
  settings: DeviceSettings;
  folders: FolderStatus[];
  /** A newer version, and where it is; null where there is none. */
  newer: { version: string; link: string } | null;
}

/** The Connector as its page and its command see it. Every refusal is an Error with a sentence. */
export interface Connector {
  status(): ConnectorStatus;
  /** Called after each change of the status, at most a few times a second; answers how to stop that. */
  onChange(listener: () => void): () => void;
  /** Begins the device flow with a server, or lets in by a pasted key. */
  pair(server: string, key?: string): Promise<void>;
  preview(root: string): Promise<Preview>;
  addFolder(root: string, settings: Partial<FolderSettings>): Promise<number>;
  changeFolder(id: number, settings: Partial<FolderSettings>): Promise<void>;
  /** Stops keeping a folder in step; what is in Engram stays. */
  removeFolder(id: number): Promise<void>;
  /** The person's word on files that wait to be archived: do it, or leave them as they are. */
  answerArchive(id: number, archive: boolean): Promise<void>;
  changeSettings(settings: Partial<DeviceSettings>): Promise<void>;
  pause(): void;
  resume(): void;
  /** Looks at every folder now; resolves when all is in step or waits for something outside. */
  syncOnce(): Promise<void>;
  /** Ends the device, forgets the secret and the state, and starts with the system no more. */
  uninstall(): Promise<void>;
  close(): Promise<void>;
}
