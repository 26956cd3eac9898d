import { existsSync, readFileSync } from 'node:fs';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import { ensureWebBuild } from './web-build.ts';

/** The ID of the parent, and if that is a shell on Linux, of the npm that started it. */
function ancestors(): string {
  const stat = `/proc/${process.ppid}/stat`;
  const [, npm = ''] =
    /\(sh\) \S (\d+)/u.exec(existsSync(stat) ? readFileSync(stat, 'utf8') : '') ?? [];
  return `${process.ppid} ${npm}`;
}

// npm signals its shell, which does not forward signals. The server stops when either has exited.
if (['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) {
  const initial = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === initial) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

if (existsSync('.env')) process.loadEnvFile('.env');
// Both take seconds once. If preparing the clusters fails, the server creates its own.
await Promise.all([ensureWebBuild(), prepareClusters().catch(() => undefined)]);
await import('../apps/server/src/main.ts');
