import type { BillingRecord, Profile } from '@engram/contract';
import { getBilling, getMetrics, getProfile } from '@engram/contract/browser';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { callQuery, useCall } from '../api/use-call.ts';
import { isSignedIn, writeSession } from './session.ts';

export const EXPIRED_MESSAGE =
  'Your subscription has expired. Please renew to continue accessing the services.';

export function initialsOf({ name, email }: Pick<Profile, 'name' | 'email'>): string {
  const words = (name?.trim() || email.split('@')[0] || '').split(/[\s._-]+/u).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last]
    .map((word) => (word ? [...word][0] : ''))
    .join('')
    .toUpperCase();
}

const profileQuery = {
  queryKey: callQuery(getProfile, {}).queryKey,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    if (!isSignedIn()) throw new Error('Authentication token is missing.');
    return (await api.call(getProfile, {}, { signal })).data;
  },
};

export const useKnownProfile = (): Profile | undefined =>
  useQuery({ ...profileQuery, enabled: false }).data;

/** The user's profile, which is also stored in session storage as specified. */
export function useProfile() {
  const query = useQuery(profileQuery);
  const profile = query.data;
  useEffect(() => {
    if (!profile) return;
    writeSession('userData', JSON.stringify(profile));
    writeSession('userInitials', initialsOf(profile));
  }, [profile]);
  return query;
}

export const useMetrics = () => useCall(getMetrics, {});

const firstOrNull = (records: readonly BillingRecord[]): BillingRecord | null => records[0] ?? null;

export const useBilling = () => useCall(getBilling, {}, { select: firstOrNull });
