import { spawn } from 'node:child_process';

/** The programs that open an address. None of them is a shell, which would interpret the address. */
const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
};

/** The command that opens an address in the user's browser. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform = process.platform,
): [command: string, ...args: string[]] {
  const [command, ...args] = openers[platform] ?? ['xdg-open'];
  return [command, ...args, url];
}

/** Opens an address in the user's browser, if there is one. */
export async function openBrowser(url: string): Promise<void> {
  const [command, ...args] = browserCommand(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  const opener = spawn(command, args, { stdio: 'ignore', detached: true });
  opener.once('spawn', resolve).once('error', () => resolve());
  opener.unref();
  return promise;
}
