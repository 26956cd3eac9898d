import { readFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { Engram } from '@engram/client/engram-kb';

/*
 * Sends a large file to a server, or fetches it again, and prints what that took: the program that
 * uses the library is watched from within, as its peak is what counts.
 */
const [way = 'upload', folder = '.', size = '1024'] = process.argv.slice(2);
const bytes = Number(size) * 1_048_576;
const engram = new Engram({ timeout: 600_000 });

/** Most that was ever resident, in megabytes (Linux only). */
const peak = (): number =>
  Number(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;

/** Sends the file; answers how much of it was told to be on its way. */
async function upload(large: string): Promise<number> {
  let told = 0;
  await engram.files.upload(large, { onProgress: (sent) => void (told = sent) });
  return told;
}

/** Fetches the file; answers how much of it has come. */
async function download(): Promise<number> {
  const [file] = await engram.files.list('large').toArray();
  if (!file) return 0;
  return (await stat(await engram.files.download(file, path.join(folder, 'copy.avi')))).size;
}

const large = path.join(folder, 'large.avi');
if (way === 'upload') {
  const handle = await open(large, 'w');
  await handle.write('RIFF\0\0\0\0AVI LIST');
  await handle.truncate(bytes);
  await handle.close();
}
const small = await engram.files.upload(new Blob([`Warm for ${way}.`]), { name: `${way}.txt` });
await engram.files.download(small, path.join(folder, 'warm.txt'));

const before = peak();
const begin = performance.now();
const moved = way === 'upload' ? await upload(large) : await download();
const seconds = Number(((performance.now() - begin) / 1000).toFixed(1));
const memory = Number((peak() - before).toFixed(1));
console.log(JSON.stringify({ way, 'size, MB': moved / 1_048_576, seconds, 'memory, MB': memory }));
