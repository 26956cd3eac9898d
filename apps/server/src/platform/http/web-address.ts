import { HttpError } from './errors.ts';

const ADDRESS_LIMIT = 2000;

const refuse = (code: string, message: string): HttpError => new HttpError(400, code, message);

/**
 * The normalized address, without its fragment.
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
  url.hash = '';
  return withinLimit(url.href);
}

/** The address of content that a client has. The text fragment of a part of a page stays. */
export function parseContentAddress(given: string): string {
  const [fragment = ''] = /#:~:text=[^#]+$/u.exec(URL.parse(given.trim())?.href ?? '') ?? [];
  return withinLimit(parseWebAddress(given) + fragment);
}

function withinLimit(address: string): string {
  if (address.length > ADDRESS_LIMIT) {
    const message = `A web address can have at most ${ADDRESS_LIMIT} characters.`;
    throw refuse('address_too_long', message);
  }
  return address;
}
