import type { Clock } from '../clock.ts';

const WINDOW_MS = 60_000;

/** Limits the bytes sent per second, and measures the speed of the last minute. */
export class Throttle {
  readonly #clock: Clock;
  readonly #limit: () => number | null;
  #nextFreeAt = 0;
  readonly #sent: { at: number; bytes: number }[] = [];

  constructor(clock: Clock, limit: () => number | null) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Waits until some bytes may be sent, and counts them. */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const last = this.#sent.at(-1);
    if (last && now - last.at < 1000) last.bytes += bytes;
    else this.#sent.push({ at: now, bytes });
    while ((this.#sent[0]?.at ?? now) < now - WINDOW_MS) this.#sent.shift();
    const limit = this.#limit();
    if (limit === null) return;
    // Parallel uploads share the limit.
    this.#nextFreeAt = Math.max(this.#nextFreeAt, now) + (bytes / limit) * 1000;
    const wait = this.#nextFreeAt - now;
    if (wait > 5) await this.#clock.sleep(wait, signal);
  }

  /** Bytes per second over the last minute, or null if nothing was sent. */
  pace(): number | null {
    const now = this.#clock.now();
    const recent = this.#sent.filter(({ at }) => at >= now - WINDOW_MS);
    const [first] = recent;
    if (!first) return null;
    const bytes = recent.reduce((sum, entry) => sum + entry.bytes, 0);
    return bytes / Math.max((now - first.at) / 1000, 1);
  }
}
