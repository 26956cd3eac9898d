import { readFileSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Engram } from '@engram/client/engram-kb';

/*
 * Sends a large file to a server and fetches it again, and prints what that took: the program that
 * uses the library is watched from within, as its peak is what counts.
 */
const [folder = '.', size = '1024'] = process.argv.slice(2);
const megabytes = Number(size);
const large = path.join(folder, 'large.avi');

/** Most that was ever resident, in megabytes (Linux only). */
const peak = (): number =>
  Number(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

const handle = await open(large, 'w');
await handle.write('RIFF\0\0\0\0AVI LIST');
await handle.truncate(megabytes * 1_048_576);
await handle.close();

const engram = new Engram({ timeout: 600 });
const small = await engram.files.upload(new Blob(['Warm.']), { name: 'warm.txt' });
await engram.files.download(small, path.join(folder, 'warm.txt'));

const before = peak();
const progress = { calls: 0, sent: 0 };
const upload = await timed(() =>
  engram.files.upload(large, {
    onProgress: (sent) => Object.assign(progress, { calls: progress.calls + 1, sent }),
  }),
);
const uploaded = peak();
const copy = path.join(folder, 'copy.avi');
const [file] = await engram.files.list('large').toArray();
const download = await timed(async () => file && engram.files.download(file, copy));
const isWhole = (await stat(copy)).size === megabytes * 1_048_576;
await rm(copy);
console.log(
  JSON.stringify({
    megabytes,
    'upload, s': Number(upload.toFixed(1)),
    'memory, MB': Number((uploaded - before).toFixed(1)),
    'download, s': Number(download.toFixed(1)),
    'memory of both, MB': Number((peak() - before).toFixed(1)),
    whole: isWhole && progress.sent === megabytes * 1_048_576,
  }),
);
