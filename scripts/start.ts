import { existsSync } from 'node:fs';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import { ensureWebBuild } from './web-build.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
// Both take seconds the first time and nothing later; without clusters the start makes its own.
await Promise.all([ensureWebBuild(), prepareClusters().catch(() => undefined)]);
await import('../apps/server/src/main.ts');
