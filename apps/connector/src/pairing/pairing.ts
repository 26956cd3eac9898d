import type { Clock } from '../clock.ts';
import type { PairingState } from '../connector.ts';
import { deviceName, tellOfDevice } from './device.ts';
import { beginDeviceFlow, type DeviceCode } from './oauth.ts';
import { askOffering, type Offering } from './offering.ts';
import type { Secret, Secrets } from './secrets.ts';
import { Session } from './session.ts';
import type { State } from '../sync/state.ts';
import { Ended } from '../troubles.ts';

/** How long an offering is cached, as a server's settings may change. */
const OFFERING_MS = 6 * 3_600_000;

export interface PairingOptions {
  state: State;
  secrets: Secrets;
  fetch: typeof fetch;
  clock: Clock;
  version: string;
  /** Called before what is known of one server is exchanged for that of another. */
  beforeChange: () => Promise<void>;
  onPaired: () => void;
  /** Called when the code was not confirmed, with a sentence. */
  onRefused: (reason: string) => void;
}

function originOf(server: string): string {
  const address = /^https?:\/\//iu.test(server) ? server : `https://${server}`;
  if (!URL.canParse(address)) throw new Error(`'${server}' is no address of an Engram.`);
  return new URL(address).origin;
}

/** The pairing with a server. */
export class Pairing {
  readonly #options: PairingOptions;
  state: PairingState = 'unpaired';
  code: DeviceCode | null = null;
  session: Session | null = null;
  /** What the server said of itself; null before it was asked. */
  offering: Offering | null = null;
  #offeredAt = 0;
  #flow: AbortController | null = null;

  constructor(options: PairingOptions) {
    this.#options = options;
    const secret = this.server === null ? null : options.secrets.read();
    if (secret === null) return;
    this.state = options.state.setting('ended', false) ? 'ended' : 'paired';
    if (this.state === 'paired') this.session = this.#sessionWith(this.server ?? '', secret);
  }

  get server(): string | null {
    return this.#options.state.setting<string | null>('server', null);
  }

  get deviceId(): string | null {
    return this.#options.state.setting<string | null>('deviceId', null);
  }

  #sessionWith(server: string, secret: Secret): Session {
    const { secrets, fetch, clock } = this.#options;
    return new Session(server, secrets, secret, { fetch, clock });
  }

  /** Begins the device flow with a server, or pairs with an API key. */
  async begin(server: string, key?: string): Promise<void> {
    const origin = originOf(server);
    this.cancel();
    if (key !== undefined) return this.#authorize(origin, { kind: 'key', key });
    const flow = new AbortController();
    this.#flow = flow;
    const { fetch, clock } = this.#options;
    const begun = await beginDeviceFlow({ fetch, clock }, origin, deviceName(), flow.signal);
    const before = this.state === 'pairing' ? 'unpaired' : this.state;
    this.code = begun.code;
    this.state = 'pairing';
    const finish = async (): Promise<void> => this.#authorize(origin, await begun.tokens());
    finish().catch((error: unknown) => {
      if (flow.signal.aborted) return;
      this.code = null;
      this.state = before;
      this.#options.onRefused(error instanceof Error ? error.message : String(error));
    });
  }

  async #authorize(origin: string, secret: Secret): Promise<void> {
    const { state, secrets, version } = this.#options;
    const session = this.#sessionWith(origin, secret);
    const known = this.server === origin ? this.deviceId : null;
    const device = await tellOfDevice(session.client, version, { id: known }).catch(
      (error: unknown) => {
        if (!(error instanceof Ended) || known === null) throw error;
        // Another way in is another device: the first one's files stay its own.
        return tellOfDevice(session.client, version, { id: null });
      },
    );
    await this.#options.beforeChange();
    secrets.write(session.secret);
    if (device.id !== this.deviceId) state.forgetServer();
    state.set('server', origin);
    state.set('deviceId', device.id);
    state.set('ended', false);
    this.session = session;
    this.offering = null;
    this.code = null;
    this.state = 'paired';
    this.#options.onPaired();
  }

  /** Asks the server for its limits, unless it was asked a short time ago. */
  async askOffering(): Promise<void> {
    const now = this.#options.clock.now();
    const isCached = this.offering && Math.abs(now - this.#offeredAt) < OFFERING_MS;
    if (!this.session || isCached) return;
    const { version } = this.#options;
    this.offering = await askOffering(this.session.client, this.server ?? '', version);
    this.#offeredAt = now;
  }

  end(): void {
    this.state = 'ended';
    this.session = null;
    try {
      this.#options.state.set('ended', true);
    } catch {
      // Where the disk is full, the next start finds it out again.
    }
  }

  cancel(): void {
    this.#flow?.abort();
  }
}
