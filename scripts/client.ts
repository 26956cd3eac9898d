import { buildClientPackage } from './client-package.ts';

const [outDir] = process.argv.slice(2);
process.stdout.write(`${await buildClientPackage(outDir)}\n`);
