import { buildMcpBundle } from './mcp-bundle.ts';

const [output] = process.argv.slice(2);
process.stdout.write(`${await buildMcpBundle(output)}\n`);
