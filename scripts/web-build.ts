import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '..');
const web = path.join(root, 'apps/web');
const dist = path.join(web, 'dist');
const stamp = path.join(dist, '.built-from');

const isSource = (file: string): boolean =>
  !/\.test\.tsx?$|[/\\]testing[/\\]/u.test(file) && statSync(file).isFile();

/** A hash of the names and contents of the web app's sources. */
function sourceHash(): string {
  const hash = createHash('sha256');
  const files = globSync(
    [
      'apps/web/{build,src,public}/**/*',
      'apps/web/{index.html,vite.config.ts,package.json}',
      'packages/{contract,client}/{package.json,src/**/*}',
      'scripts/web-build.ts',
    ],
    { cwd: root },
  );
  for (const file of files.toSorted()) {
    const absolute = path.join(root, file);
    if (isSource(absolute)) hash.update(file).update(readFileSync(absolute));
  }
  return hash.digest('hex');
}

/** Smaller files do not get smaller by compression. */
const MIN_COMPRESSED_BYTES = 1000;

/** Writes compressed copies of the built files, so that requests need no compression. */
function compress(): void {
  for (const file of globSync('**/*.{js,mjs,css,html,svg,json,webmanifest}', { cwd: dist })) {
    const content = readFileSync(path.join(dist, file));
    if (content.length < MIN_COMPRESSED_BYTES) continue;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(path.join(dist, `${file}.br`), brotliCompressSync(content, { params: quality }));
    writeFileSync(path.join(dist, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
}

/** Builds the web app if it is missing or its sources have changed. */
export async function ensureWebBuild(): Promise<void> {
  const hash = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stdout.write('Building the web app …\n');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    stdio: 'inherit',
    // In tests NODE_ENV would select a development build, which is half as large again.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [status] = (await once(build, 'exit')) as [number | null];
  if (status !== 0) throw new Error('The web app could not be built. The reason is above.');
  compress();
  writeFileSync(stamp, hash);
}
