import type {
  Connector,
  ConnectorStatus,
  FolderSettings,
  FolderStatus,
  Preview,
} from '../../connector.ts';

const defaultFolder: FolderStatus = {
  id: 1,
  root: '/home/mara/Documents/Insurance',
  name: 'Insurance',
  state: 'current',
  files: 312,
  waiting: 0,
  refused: 0,
  waitingBytes: 0,
  secondsLeft: null,
  leftOut: [],
  archiveAsked: 0,
  keywords: [],
  topFolderKeyword: false,
  intervalMs: 300_000,
  archive: false,
};

export const sampleFolder = (settings: Partial<FolderStatus>): FolderStatus => ({
  ...defaultFolder,
  ...settings,
});

const paired: ConnectorStatus = {
  version: '0.1.0',
  pairing: 'paired',
  server: 'https://engram.example.org',
  code: null,
  secretLocation: 'In the keychain of this computer.',
  paused: false,
  problem: null,
  settings: { bytesPerSecond: null, autostart: true },
  folders: [],
  newer: null,
};

/** The preview of a folder. */
export const samplePreview: Preview = {
  files: 1204,
  bytes: 3_100_000_000,
  leftOut: [
    { path: 'node_modules/left-pad/index.js', reason: 'Files of programs are left out.' },
    { path: 'Videos/Summer.mov', reason: 'It is larger than what Engram takes.' },
    { path: 'Videos/Winter.mov', reason: 'It is larger than what Engram takes.' },
  ],
  leftOutCount: 37,
};

/** A Connector in memory that records the calls of the page. */
export class SampleConnector implements Connector {
  readonly calls: unknown[][] = [];
  #status: ConnectorStatus;
  #listeners = new Set<() => void>();

  constructor(status: Partial<ConnectorStatus> = {}) {
    this.#status = { ...paired, ...status };
  }

  status(): ConnectorStatus {
    return this.#status;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The number of listeners. */
  get listeners(): number {
    return this.#listeners.size;
  }

  set(status: Partial<ConnectorStatus>): void {
    this.#status = { ...this.#status, ...status };
    for (const listener of this.#listeners) listener();
  }

  #setFolder(id: number, settings: Partial<FolderStatus>): void {
    const folders = this.#status.folders.map((folder) =>
      folder.id === id ? { ...folder, ...settings } : folder,
    );
    this.set({ folders });
  }

  async pair(server: string, key?: string): Promise<void> {
    this.calls.push(['pair', server, key]);
    if (!URL.canParse(server)) throw new Error('That is not the address of a server.');
    if (key !== undefined) this.set({ server, pairing: 'paired' });
    else {
      const code = { userCode: 'WDJB-MJHT', link: `${server}/device?user_code=WDJB-MJHT` };
      this.set({ server, pairing: 'pairing', code });
    }
  }

  async preview(root: string): Promise<Preview> {
    this.calls.push(['preview', root]);
    if (root.includes('nowhere')) throw new Error('There is no such folder.');
    return samplePreview;
  }

  async addFolder(root: string, settings: Partial<FolderSettings>): Promise<number> {
    this.calls.push(['addFolder', root, settings]);
    const id = this.#status.folders.length + 1;
    const name = root.split('/').at(-1) ?? root;
    const folder = sampleFolder({ id, root, name, ...settings });
    this.set({ folders: [...this.#status.folders, folder] });
    return id;
  }

  async changeFolder(id: number, settings: Partial<FolderSettings>): Promise<void> {
    this.calls.push(['changeFolder', id, settings]);
    this.#setFolder(id, settings);
  }

  async removeFolder(id: number): Promise<void> {
    this.calls.push(['removeFolder', id]);
    this.set({ folders: this.#status.folders.filter((folder) => folder.id !== id) });
  }

  async answerArchive(id: number, archive: boolean): Promise<void> {
    this.calls.push(['answerArchive', id, archive]);
    this.#setFolder(id, { archiveAsked: 0 });
  }

  async changeSettings(settings: Partial<ConnectorStatus['settings']>): Promise<void> {
    this.calls.push(['changeSettings', settings]);
    this.set({ settings: { ...this.#status.settings, ...settings } });
  }

  pause(): void {
    this.calls.push(['pause']);
    this.set({ paused: true });
  }

  resume(): void {
    this.calls.push(['resume']);
    this.set({ paused: false });
  }

  async syncOnce(): Promise<void> {
    this.calls.push(['syncOnce']);
  }

  async uninstall(): Promise<void> {
    this.calls.push(['uninstall']);
  }

  async close(): Promise<void> {
    this.calls.push(['close']);
  }
}
