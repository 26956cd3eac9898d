import path from 'node:path';
import { buildClipper } from './clipper-build.ts';

const folder = path.resolve(import.meta.dirname, '../dist/clipper');
for (const file of await buildClipper(folder)) process.stdout.write(`${file}\n`);
