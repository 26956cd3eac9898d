/** The mailed link that signs in: its address and key stand in the fragment, which is sent nowhere. */
export interface SignInLink {
  email: string;
  key: string;
}

/** The sign-in link of an address such as `/#email=…&key=…`; null for any other address. */
export function signInLinkIn(hash: string): SignInLink | null {
  const params = new URLSearchParams(hash.replace(/^#/u, ''));
  const email = params.get('email');
  const key = params.get('key');
  return email && key ? { email, key } : null;
}
