import { endDevice, listDevices, steerDevice } from '@engram/contract/browser';
import { useAction } from '../../api/use-action.ts';
import { callQuery, useCall } from '../../api/use-call.ts';
import { notifyError } from '../../components/notify.ts';

const { queryKey } = callQuery(listDevices, {});

/** How often the list of devices is read while it is shown, in milliseconds. */
const POLL_MS = 10_000;

/** The user's devices that sync folders, newest first. */
export const useDevices = ({ enabled }: { enabled: boolean }) =>
  useCall(listDevices, {}, { refetchInterval: POLL_MS, staleTime: 0, enabled });

/** Pauses, resumes or syncs a device; it learns so with its next report. */
export const useSteerDevice = () =>
  useAction(steerDevice, {
    onSuccess: (device, _input, _before, { client }) =>
      client.setQueryData(queryKey, (all) =>
        all?.map((one) => (one.id === device.id ? device : one)),
      ),
    onError: (error) => notifyError('The device was not reached', error),
  });

/** Ends a device. */
export const useEndDevice = () =>
  useAction(endDevice, {
    acceptMissing: true,
    onSuccess: (_data, { params }, _before, { client }) =>
      client.setQueryData(queryKey, (all) => all?.filter(({ id }) => id !== params.id)),
    invalidatesAlways: [listDevices],
  });
