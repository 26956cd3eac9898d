import { HttpError } from './errors.ts';

const ADDRESS_LIMIT = 2000;

const refuse = (code: string, message: string): HttpError => new HttpError(400, code, message);

const VIDEO = 'https://www.youtube.com/watch?v=';
const VIDEO_HOST = /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/u;
const VIDEO_ID = /^[\w-]{11}$/u;

/** The ID of the YouTube video at an address, or null. */
export function videoIdOf({ host, pathname, searchParams }: URL): string | null {
  const [first, second] = pathname.split('/').slice(1);
  let id: string | null | undefined;
  if (host === 'youtu.be' || host === 'www.youtu.be') id = first;
  else if (!VIDEO_HOST.test(host)) return null;
  else if (first === 'watch') id = searchParams.get('v');
  else if (/^(?:shorts|live|embed|v)$/u.test(first ?? '')) id = second;
  return id && VIDEO_ID.test(id) ? id : null;
}

/**
 * The normalized address, without its fragment. All addresses of a YouTube video become one.
 * @throws HttpError 400 if it is not an http or https address
 */
export function parseWebAddress(text: string, base?: string): string {
  const url = URL.parse(text.trim(), base);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.hostname === '') {
    throw refuse('not_a_web_address', 'A web address must begin with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    const message = 'Please remove the user name and password from the address.';
    throw refuse('address_with_password', message);
  }
  const video = videoIdOf(url);
  if (video !== null) return VIDEO + video;
  url.hash = '';
  return withinLimit(url.href);
}

/** The address of content that a client has. The text fragment of a part of a page stays. */
export function parseContentAddress(text: string): string {
  const [fragment = ''] = /#:~:text=[^#]+$/u.exec(URL.parse(text.trim())?.href ?? '') ?? [];
  return withinLimit(parseWebAddress(text) + fragment);
}

function withinLimit(address: string): string {
  if (address.length > ADDRESS_LIMIT) {
    const message = `A web address can have at most ${ADDRESS_LIMIT} characters.`;
    throw refuse('address_too_long', message);
  }
  return address;
}
