/** Whether a URL's host name is this machine's own. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);

/** Whether people reach the server from its own machine alone: who signs in can read its log. */
export const isOfThisMachine = ({
  host,
  publicUrl,
}: {
  host: string;
  publicUrl?: string | undefined;
}): boolean =>
  (isLoopback(host) || host === '::1') &&
  (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
