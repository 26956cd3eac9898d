export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);

/** Whether only this machine reaches the server, so that whoever signs in can read its log. */
export const isOfThisMachine = ({
  host,
  publicUrl,
}: {
  host: string;
  publicUrl?: string | undefined;
}): boolean =>
  (isLoopback(host) || host === '::1') &&
  (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
