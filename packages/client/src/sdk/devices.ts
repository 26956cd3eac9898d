import * as calls from './folder-calls.ts';
import type { Device, DeviceReport } from './models.ts';
import type { CallOptions, DeviceName } from './options.ts';
import type { Runner } from './runner.ts';

/** The devices that keep folders in step. */
export class Devices {
  readonly #runner: Runner;

  /** @internal */
  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** Registers a device, once; keep its id. `version` is that of your program. */
  async register(
    device: DeviceName,
    { report, ...options }: CallOptions & { report?: DeviceReport } = {},
  ): Promise<Device> {
    return this.#runner.call(calls.registerDevice(device, report), options);
  }

  /**
   * Reports how far a device is; the answer says what the person wants of it. A NotFoundError means
   * that the person ended the device.
   */
  async report(
    device: DeviceName & { id: string },
    report?: DeviceReport,
    options: CallOptions = {},
  ): Promise<Device> {
    return this.#runner.call(calls.reportDevice(device, report), options);
  }

  /** All devices, newest first. */
  async list(options: CallOptions = {}): Promise<Device[]> {
    return this.#runner.call(calls.listDevices(), options);
  }

  /** Ends a device: what it was let in with stops working, its files stay. */
  async end(device: Device | string, options: CallOptions = {}): Promise<void> {
    return this.#runner.call(calls.endDevice(device), options);
  }
}
