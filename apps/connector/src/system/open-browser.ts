import { spawn } from 'node:child_process';

/** What opens an address on each system; none of them is a shell, which would read the address too. */
const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
};

/** The program that shows an address in the person's browser. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform = process.platform,
): [command: string, ...args: string[]] {
  const [command, ...args] = openers[platform] ?? ['xdg-open'];
  return [command, ...args, url];
}

/** Shows an address in the person's browser; answers whether that could be asked for. */
export async function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = browserCommand(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const opener = spawn(command, args, { stdio: 'ignore', detached: true });
  opener.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  opener.unref();
  return promise;
}
