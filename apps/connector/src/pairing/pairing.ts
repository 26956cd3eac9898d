import { beginDeviceFlow, type DeviceCode, waitForTokens } from '@engram/client';
import { appSettings, type ConnectorBuild, listConnectorBuilds } from '@engram/contract';
import type { SizeLimits } from '@engram/folder-sync';
import type { Clock } from '../clock.ts';
import type { ConnectorStatus, PairingState } from '../connector.ts';
import type { Secret, Secrets } from './secrets.ts';
import { deviceName, Session } from './session.ts';
import type { State } from '../sync/state.ts';
import { ConnectionEndedError } from '../sync-problem.ts';

/** How long the server's settings are cached. */
const SERVER_INFO_TTL_MS = 6 * 3_600_000;

/** A server's file size limits, and a newer Connector if it has one. */
interface ServerInfo {
  limits: SizeLimits;
  newer: ConnectorStatus['newer'];
}

const PLATFORMS: Record<string, ConnectorBuild['platform']> = {
  'linux-x64': 'linux',
  'win32-x64': 'windows',
  'darwin-arm64': 'macos-arm64',
  'darwin-x64': 'macos-x64',
};

/** The platform of this machine, or undefined if the Connector is not built for it. */
export const hostPlatform = PLATFORMS[`${process.platform}-${process.arch}`];

interface PairingOptions {
  state: State;
  secrets: Secrets;
  fetch: typeof fetch;
  clock: Clock;
  version: string;
  /** Replaces the stored data of one server by that of another while nothing is synced. */
  betweenSyncs: (change: () => void) => Promise<void>;
  onPaired: () => void;
  /** Called with the reason if the code was not confirmed. */
  onRejected: (reason: string) => void;
}

function originOf(server: string): string {
  const address = /^https?:\/\//iu.test(server) ? server : `https://${server}`;
  if (!URL.canParse(address))
    throw new Error(`'${server}' is not the address of an Engram server.`);
  return new URL(address).origin;
}

/** The pairing with a server. */
export class Pairing {
  readonly #options: PairingOptions;
  state: PairingState = 'unpaired';
  code: DeviceCode | null = null;
  session: Session | null = null;
  /** Null until the server has answered. */
  serverInfo: ServerInfo | null = null;
  #serverInfoAt = 0;
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
    const context = { fetch, clock };
    const name = `Connector on ${deviceName()}`;
    const flowStart = await beginDeviceFlow(context, origin, name, flow.signal);
    const previousState = this.state === 'pairing' ? 'unpaired' : this.state;
    this.code = flowStart.code;
    this.state = 'pairing';
    const finish = async (): Promise<void> =>
      this.#authorize(origin, await waitForTokens(context, flowStart.flow, flow.signal));
    finish().catch((error: unknown) => {
      if (flow.signal.aborted) return;
      this.code = null;
      this.state = previousState;
      this.#options.onRejected(error instanceof Error ? error.message : String(error));
    });
  }

  async #authorize(origin: string, secret: Secret): Promise<void> {
    const { state, secrets, version } = this.#options;
    const session = this.#sessionWith(origin, secret);
    const knownId = this.server === origin ? this.deviceId : null;
    const device = await session.report(version, knownId).catch((error: unknown) => {
      if (!(error instanceof ConnectionEndedError) || knownId === null) throw error;
      // These credentials need a new device. Synced files stay with the previous one.
      return session.report(version, null);
    });
    await this.#options.betweenSyncs(() => {
      secrets.write(session.secret);
      if (device.id !== this.deviceId) state.forgetServer();
      state.set('server', origin);
      state.set('deviceId', device.id);
      state.set('ended', false);
      this.session = session;
      this.serverInfo = null;
      this.code = null;
      this.state = 'paired';
      this.#options.onPaired();
    });
  }

  /** Fetches the server's limits, unless they are cached. */
  async refreshServerInfo(): Promise<void> {
    const now = this.#options.clock.now();
    const isCached = this.serverInfo && Math.abs(now - this.#serverInfoAt) < SERVER_INFO_TTL_MS;
    if (!this.session || isCached) return;
    const { client } = this.session;
    const { data } = await client.call(appSettings, {});
    // Older servers do not have this call.
    const builds = await client.call(listConnectorBuilds, {}).catch(() => ({ data: [] }));
    const build = builds.data.find(({ platform }) => platform === hostPlatform);
    const isNewer =
      build !== undefined &&
      build.version.localeCompare(this.#options.version, 'en', { numeric: true }) > 0;
    this.serverInfo = {
      limits: { media: data.mediaLimitMb * 1_048_576, other: data.uploadLimitMb * 1_048_576 },
      newer: isNewer ? { version: build.version, link: `${this.server}/connector` } : null,
    };
    this.#serverInfoAt = now;
  }

  end(): void {
    this.state = 'ended';
    this.session = null;
    try {
      this.#options.state.set('ended', true);
    } catch {
      // The disk is full. The next start detects it again.
    }
  }

  cancel(): void {
    this.#flow?.abort();
  }
}
