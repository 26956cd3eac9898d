import { ApiError } from '@engram/client';
import type { Artifact } from '@engram/contract';
import { getArtifact, listArtifacts } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keyOf } from '../../api/keys.ts';

/** Files read in one call: the last uploads are among the newest. */
const NEWEST = 200;
/** Files beyond the newest that are read one by one, in one poll. */
const AT_ONCE = 4;
/** Milliseconds between polls: users watch what they have just uploaded. */
const POLL_MS = 1500;

/** Files by their ids; null for one that was deleted. */
type Readings = ReadonlyMap<string, Artifact | null>;

const isRead = (file: Artifact | null | undefined): boolean =>
  file === null || file?.stage === 'ready' || file?.stage === 'failed';

async function fetchOne(artifactId: string, signal: AbortSignal): Promise<Artifact | null> {
  try {
    return (await api.call(getArtifact, { params: { artifactId } }, { signal })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The state of files, polled until all of them are extracted or have failed. */
export function useReadings(ids: readonly string[]): Readings {
  const { data } = useQuery({
    queryKey: [...keyOf(listArtifacts), 'tray'],
    queryFn: async ({ signal, client, queryKey }): Promise<Readings> => {
      const { data: files } = await api.call(
        listArtifacts,
        { query: { limit: NEWEST } },
        { signal },
      );
      const newest = new Map(files.map((file) => [file.artifactId, file]));
      // With fewer files than were asked for, a file that is missing was deleted.
      if (files.length < NEWEST) return new Map(ids.map((id) => [id, newest.get(id) ?? null]));
      const before = client.getQueryState<Readings>(queryKey);
      const beyond = ids.filter((id) => !newest.has(id) && !isRead(before?.data?.get(id)));
      // Other files in each poll, so that a slow one does not delay the rest.
      const from = ((before?.dataUpdateCount ?? 0) * AT_ONCE) % Math.max(beyond.length, 1);
      const asked = [...beyond.slice(from), ...beyond.slice(0, from)].slice(0, AT_ONCE);
      const found = await Promise.all(
        asked.map(async (id) => [id, await fetchOne(id, signal)] as const),
      );
      return new Map([...(before?.data ?? []), ...newest, ...found]);
    },
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => ids.some((id) => !isRead(state.data?.get(id))) && POLL_MS,
  });
  return data ?? new Map();
}
