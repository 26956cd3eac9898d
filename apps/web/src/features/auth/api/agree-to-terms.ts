import { updateProfile, type Profile } from '@engram/contract';
import { api } from '../../../lib/api.ts';

/** Keeps that the person accepts the terms. */
export async function agreeToTerms(): Promise<Profile> {
  return (await api.call(updateProfile, { body: { isAgreedTerms: true } })).data;
}
