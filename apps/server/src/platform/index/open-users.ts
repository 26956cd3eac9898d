import type { UserIndex } from './user-index.ts';

interface Entry {
  index: Promise<UserIndex>;
  /** The same, once it is open. */
  opened: UserIndex | null;
  users: number;
}

/**
 * The users whose tables are open, least recently used first. One `UserIndex` for a user at a time:
 * it is the only writer, so the next opens only after the last has closed.
 */
export class OpenUsers {
  readonly #open: (userId: string) => Promise<UserIndex>;
  readonly #limits: { most: number; mostBytes: number };
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Map<string, Promise<void>>();
  #closed = false;

  constructor(
    open: (userId: string) => Promise<UserIndex>,
    limits: { most: number; mostBytes: number },
  ) {
    this.#open = open;
    this.#limits = limits;
  }

  /** Opens the user when needed and keeps it open until `work` has ended. */
  async use<Result>(userId: string, work: (user: UserIndex) => Promise<Result>): Promise<Result> {
    for (let closing = this.#closing.get(userId); closing; closing = this.#closing.get(userId)) {
      await closing;
    }
    if (this.#closed) throw new Error('The search index is closed.');
    const entry: Entry = this.#entries.get(userId) ?? {
      index: this.#open(userId),
      opened: null,
      users: 0,
    };
    this.#entries.delete(userId);
    this.#entries.set(userId, entry);
    entry.users += 1;
    try {
      entry.opened = await entry.index;
      return await work(entry.opened);
    } catch (error) {
      // A user that could not be opened is tried anew by the next call.
      entry.index.catch(() => this.#entries.delete(userId));
      throw error;
    } finally {
      entry.users -= 1;
      this.#evict();
    }
  }

  #evict(): void {
    let bytes = 0;
    for (const { opened } of this.#entries.values()) bytes += opened?.bytes ?? 0;
    for (const [userId, { opened, users }] of this.#entries) {
      if (this.#entries.size <= this.#limits.most && bytes <= this.#limits.mostBytes) return;
      if (users > 0 || !opened || opened.isBusy) continue;
      bytes -= opened.bytes;
      void this.#close(userId);
    }
  }

  #close(userId: string, then: () => Promise<void> = async () => undefined): Promise<void> {
    const entry = this.#entries.get(userId);
    this.#entries.delete(userId);
    const closing = (async () => {
      const index = await entry?.index.catch(() => null);
      await index?.close();
      await then();
    })().finally(() => this.#closing.delete(userId));
    this.#closing.set(userId, closing);
    return closing;
  }

  /** Closes the user, and runs `work` while nobody can open it. */
  async closed(userId: string, work: () => Promise<void>): Promise<void> {
    await this.#closing.get(userId);
    await this.#close(userId, work);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((userId) => this.#close(userId)));
    await Promise.all(this.#closing.values());
  }
}
