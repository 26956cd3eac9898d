import { HttpError } from '../../platform/http/errors.ts';

/** The same for a device of somebody else, which is not there. */
export const deviceNotFound = (): HttpError =>
  new HttpError(404, 'device_not_found', 'There is no such device. It was ended, or never was.');

export const tooManyDevices = (most: number): HttpError =>
  new HttpError(
    409,
    'too_many_devices',
    `There are ${most} devices already. Please end one that you use no more.`,
  );
