import { nameLocation } from '@engram/contract/browser';
import { useEffect } from 'react';
import { api } from '../../api/api.ts';
import { degreesOf } from './degrees.ts';
import { holdPlace, holdPosition } from '../../browser/position.ts';
import { canLocate, hasAgreed, isGranted, locate } from './geolocation.ts';

async function findPlace(signal: AbortSignal): Promise<void> {
  if (!canLocate() || !hasAgreed() || !(await isGranted())) return;
  const position = await locate();
  signal.throwIfAborted();
  holdPosition(position);
  const query = degreesOf(position);
  holdPlace((await api.call(nameLocation, { query }, { signal })).data);
}

/**
 * Finds out what this place is called, for the sign-in to tell, where the person switched that on
 * earlier. Nobody is asked anything, and nobody waits for it.
 */
export function useKnownPlace(): void {
  useEffect(() => {
    const leaving = new AbortController();
    findPlace(leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, []);
}
