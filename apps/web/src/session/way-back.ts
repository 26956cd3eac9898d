import { readCache, writeCache } from './session-cache.ts';

const KEY = 'wayBack';

/**
 * Keeps where somebody was when they went to the plans, for this tab and until the payment is over;
 * a payment provider's own pages may lie between. Null forgets it.
 */
export const keepWayBack = (from: string | null): void => writeCache(KEY, from ?? []);

/** Where somebody was who has bought or changed a plan; null where they came from nowhere in the app. */
export function wayBack(): string | null {
  const kept = readCache<unknown>(KEY)?.data;
  return typeof kept === 'string' && kept.startsWith('/') ? kept : null;
}
