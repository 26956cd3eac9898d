import { signArtifact } from '@engram/contract/browser';
import { api } from '../api/api.ts';
import { useCall } from '../api/use-call.ts';

/** Links hold for 15 minutes: one is signed anew well before that. In milliseconds. */
export const LINK_FRESH_MS = 10 * 60_000;

/** A link to a file's bytes that works without a token for a while, with the file's name, type and size. */
export const signFile = async (artifactId: string) =>
  (await api.call(signArtifact, { params: { artifactId } })).data;

export type SignedFile = Awaited<ReturnType<typeof signFile>>;

/** What is known of a file before its link is signed. */
interface KnownFile {
  file: SignedFile;
  /** When that came, in milliseconds since the epoch. */
  at: number;
  /** Whether more is wanted than is known, such as the small picture of the file. */
  wantsMore: boolean;
}

function startWith(known: KnownFile | undefined) {
  if (!known) return {};
  const { file, at, wantsMore } = known;
  return wantsMore ? { placeholderData: file } : { initialData: file, initialDataUpdatedAt: at };
}

/** {@link signFile}, signed anew for as long as it is in use. */
export const useSignedFile = (artifactId: string, known?: KnownFile) =>
  useCall(
    signArtifact,
    { params: { artifactId } },
    { ...startWith(known), staleTime: LINK_FRESH_MS, refetchInterval: LINK_FRESH_MS },
  );
