import { ApiError } from '@engram/client';
import type { Device } from '@engram/contract';
import { endDevice, listDevices, steerDevice } from '@engram/contract/browser';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';

const devicesKey = ['devices'] as const;

/** How often devices are asked about while somebody looks, in milliseconds. */
const LOOK_MS = 10_000;

/** The person's devices that keep folders in step, the newest first. */
export function useDevices({ enabled }: { enabled: boolean }): UseQueryResult<Device[]> {
  return useQuery({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => (await api.call(listDevices, {}, { signal })).data,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    enabled,
  });
}

/** Tells a device what is wanted of it; it hears so with its next report. */
export function useSteerDevice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: { id: string; paused?: boolean; syncNow?: boolean }) => {
      const { id, ...body } = wanted;
      return (await api.call(steerDevice, { params: { id }, body })).data;
    },
    onSuccess: (device) =>
      queries.setQueryData<Device[]>(devicesKey, (all) =>
        all?.map((one) => (one.id === device.id ? device : one)),
      ),
    onError: (error) => notifyError('The device was not told', error),
  });
}

/** Ends a device. One that has ended before is as it should be. */
export function useEndDevice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Device): Promise<void> => {
      await api.call(endDevice, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: (_, { id }) =>
      queries.setQueryData<Device[]>(devicesKey, (all) => all?.filter((one) => one.id !== id)),
    onSettled: () => void queries.invalidateQueries({ queryKey: devicesKey }),
  });
}
