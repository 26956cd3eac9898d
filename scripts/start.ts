import { existsSync, readFileSync } from 'node:fs';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import { ensureWebBuild } from './web-build.ts';

/** The parent's id, and where that is a shell of Linux, the id of the npm that started it. */
function ancestors(): string {
  const stat = `/proc/${process.ppid}/stat`;
  const [, npm = ''] =
    /\(sh\) \S (\d+)/u.exec(existsSync(stat) ? readFileSync(stat, 'utf8') : '') ?? [];
  return `${process.ppid} ${npm}`;
}

// npm signals its shell, which does not pass signals on. The server stops when either has exited.
if (['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) {
  const atStart = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === atStart) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

if (existsSync('.env')) process.loadEnvFile('.env');
// Both take seconds the first time and nothing later; without clusters the start makes its own.
await Promise.all([ensureWebBuild(), prepareClusters().catch(() => undefined)]);
await import('../apps/server/src/main.ts');
