import { SdkHttpError } from '@modelcontextprotocol/client';

const UNREACHABLE =
  'Engram cannot be reached. Start it, or set ENGRAM_BASE_URL to the address where it runs.';
const NO_ENDPOINT =
  'There is no Engram at this address, or an old one. Set ENGRAM_BASE_URL to the address where it runs.';
const KEY_HINT = 'Make a key in Engram under Api, and set ENGRAM_API_KEY to it.';

/** What the server says of a refusal; empty where it is no sentence of ours. */
function saidIn(text: unknown): string {
  try {
    const { error } = JSON.parse(String(text)) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

/** Why a request failed, as a sentence for the user. */
export function explain(error: unknown): string {
  if (!(error instanceof SdkHttpError)) {
    // What fetch throws where nobody listens.
    return error instanceof TypeError
      ? UNREACHABLE
      : `Engram's answer cannot be read: ${String(error)}`;
  }
  const { status } = error;
  const said = saidIn(error.data?.text);
  if (status === 401) return `${said || 'The API key is not valid.'} ${KEY_HINT}`;
  if (status === 404 && said === '') return NO_ENDPOINT;
  return said || `Engram answered with the status ${status}.`;
}
