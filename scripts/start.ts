import { existsSync } from 'node:fs';
import { prepareEmptyCluster } from '../apps/server/src/platform/database/embedded/empty-cluster.ts';
import { ensureWebBuild } from './web-build.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
// Both take seconds the first time and nothing later; without the cluster the start makes its own.
await Promise.all([ensureWebBuild(), prepareEmptyCluster().catch(() => undefined)]);
await import('../apps/server/src/main.ts');
