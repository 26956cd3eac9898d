import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder on the disk, whose files have not changed for an hour. */
export class TestFolder {
  readonly base = mkdtempSync(path.join(tmpdir(), 'engram-connector-'));
  readonly root = path.join(this.base, 'Papers');
  readonly home = path.join(this.base, 'home');

  constructor() {
    mkdirSync(this.root);
  }

  disk(name: string): string {
    return path.join(this.root, name);
  }

  write(name: string, text: string, secondsAgo = 3600): void {
    mkdirSync(path.dirname(this.disk(name)), { recursive: true });
    writeFileSync(this.disk(name), text);
    const modifiedAt = Date.now() / 1000 - secondsAgo;
    utimesSync(this.disk(name), modifiedAt, modifiedAt);
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
