import { existsSync } from 'node:fs';
import { ensureWebBuild } from './web-build.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
ensureWebBuild();
await import('../apps/server/src/main.ts');
