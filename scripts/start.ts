import { existsSync } from 'node:fs';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import { ensureWebBuild } from './web-build.ts';

// npm passes SIGTERM and SIGINT on. The server ends if npm itself is gone, as after SIGHUP or SIGKILL.
if (['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

if (existsSync('.env')) process.loadEnvFile('.env');
// Both take seconds the first time and nothing later; without clusters the start makes its own.
await Promise.all([ensureWebBuild(), prepareClusters().catch(() => undefined)]);
await import('../apps/server/src/main.ts');
