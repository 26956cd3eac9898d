import {
  fetchBounded,
  type FetchBounds,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';
import { parseJson } from '../../platform/parse-json.ts';

export interface ProviderAnswer {
  status: number;
  /** The JSON of the answer; undefined where it is none. */
  body: unknown;
}

export interface AskOptions {
  /** Sent as a form, with POST. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/**
 * Asks a provider. Rejects with an {@link UnreachableError} when it does not answer, or answers that
 * it cannot just now; what it refuses is an answer.
 */
export type AskProvider = (address: string, options?: AskOptions) => Promise<ProviderAnswer>;

export function createAskProvider(bounds: FetchBounds): AskProvider {
  return async (address, { form, headers = {} } = {}) => {
    const { status, body } = await fetchBounded(
      address,
      {
        headers: { accept: 'application/json', ...headers },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      },
      bounds,
    );
    if (status === 429 || status >= 500)
      throw new UnreachableError(`${address} answers ${status}.`);
    return { status, body: parseJson(body.toString('utf8')) };
  };
}

/** How a client proves to a provider who it is: its form fields and headers (RFC 6749, 2.3.1). */
export function clientProof(
  { id, secret }: { id: string; secret: string },
  methods: readonly string[] = ['client_secret_basic'],
): Required<AskOptions> {
  if (methods.includes('client_secret_post')) {
    return { form: { client_id: id, client_secret: secret }, headers: {} };
  }
  // Both parts are form-encoded before they are joined.
  const encode = (part: string) => new URLSearchParams({ part }).toString().slice('part='.length);
  const basic = Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64');
  return { form: {}, headers: { authorization: `Basic ${basic}` } };
}
