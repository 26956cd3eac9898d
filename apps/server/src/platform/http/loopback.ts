export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);

/** The host name in a Host header or a setting, in its canonical form. */
export const nameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

export const listensLocally = (host: string): boolean =>
  isLoopback(nameIn(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host));

/** Whether only this machine reaches the server, so that every user can read its log. */
export const isOfThisMachine = ({
  host,
  publicUrl,
}: {
  host: string;
  publicUrl?: string | undefined;
}): boolean =>
  listensLocally(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
