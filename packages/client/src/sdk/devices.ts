import { type Device, type DeviceReport, DevicesCalls, reportDevice } from './api.ts';
import type { CallOptions, DeviceName } from './options.ts';

/** A report; refused files and the time may be left out. */
export type GivenReport = Pick<DeviceReport, 'folders'> & Partial<DeviceReport>;

/** The devices that keep folders in step. */
export class Devices extends DevicesCalls {
  /** Registers a device, once; store its id. `version` is that of your program. */
  async register(
    { name, platform, version }: DeviceName,
    { report, ...options }: CallOptions & { report?: GivenReport } = {},
  ): Promise<Device> {
    return this.runner.run(reportDevice, { name, platform, version, report }, options);
  }

  /**
   * Reports how far a device is; the answer says what the user wants of it. A NotFoundError means that
   * the user ended the device.
   */
  async report(
    { id, name, platform, version }: DeviceName & { id: string },
    report?: GivenReport,
    options: CallOptions = {},
  ): Promise<Device> {
    // With an id the call registers nothing, so that it may be sent again.
    const { notRepeatable: _, ...spec } = reportDevice;
    return this.runner.run(spec, { id, name, platform, version, report }, options);
  }
}
