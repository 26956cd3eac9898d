import { signArtifact as route } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';

/** A link to the file that works without a token for a while. */
export async function signArtifact(artifactId: string): Promise<string> {
  return (await api.call(route, { params: { artifactId } })).data.presignedUrl;
}
