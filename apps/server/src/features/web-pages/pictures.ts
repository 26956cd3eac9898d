import { readBody } from '../../platform/http/bounded-fetch.ts';
import { type FetchOptions, openAddress } from './fetch-address.ts';

const MAX_PICTURES = 20;
const MAX_PICTURE_BYTES = 1_000_000;
const MAX_TOTAL_BYTES = 5_000_000;
const CONCURRENCY = 4;

const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

async function fetchPicture(address: string, options: FetchOptions): Promise<string | null> {
  try {
    const { mediaType, body } = await openAddress(address, options);
    if (!TYPES.has(mediaType)) return null;
    const bytes = await readBody({ body }, MAX_PICTURE_BYTES, () => new Error('too large'));
    return `data:${mediaType};base64,${bytes.toString('base64')}`;
  } catch {
    // The page is saved without this picture.
    return null;
  }
}

/**
 * Embeds the pictures of a snapshot as data URLs. Pictures that are too large, too many or cannot be
 * fetched in time are omitted.
 */
export async function embedPictures(
  html: string,
  addresses: readonly string[],
  options: FetchOptions,
): Promise<string> {
  const fetched: (string | null)[] = [];
  const requested = addresses.slice(0, MAX_PICTURES);
  for (let start = 0; start < requested.length; start += CONCURRENCY) {
    const batch = requested.slice(start, start + CONCURRENCY);
    fetched.push(...(await Promise.all(batch.map((address) => fetchPicture(address, options)))));
  }
  let remaining = MAX_TOTAL_BYTES;
  return html.replaceAll(/ src="picture:(\d+)"/gu, (_, index: string) => {
    const picture = fetched[Number(index)];
    if (!picture || picture.length > remaining) return '';
    remaining -= picture.length;
    return ` src="${picture}"`;
  });
}
