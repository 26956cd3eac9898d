import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const web = path.join(root, 'apps/web');
const stamp = path.join(web, 'dist/.built-from');

/** A hash over what the web app is built from: names, sizes and contents of its sources. */
function sourceHash(): string {
  const hash = createHash('sha256');
  const files = globSync(
    [
      'apps/web/{src,public}/**/*',
      'apps/web/{index.html,vite.config.ts,package.json}',
      'packages/{contract,client}/src/**/*',
    ],
    { cwd: root },
  );
  for (const file of files.toSorted()) {
    const absolute = path.join(root, file);
    if (statSync(absolute).isFile()) hash.update(file).update(readFileSync(absolute));
  }
  return hash.digest('hex');
}

/** Builds the web app when it was never built, or its sources have changed since. */
export function ensureWebBuild(): void {
  const hash = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stdout.write('Building the web app …\n');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The web app could not be built; the reason is above.');
  writeFileSync(stamp, hash);
}
