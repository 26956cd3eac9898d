import type { Profile } from '@engram/contract';
import { updateProfile } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/** Keeps that the person accepts the terms. */
export async function agreeToTerms(): Promise<Profile> {
  return (await api.call(updateProfile, { body: { isAgreedTerms: true } })).data;
}
