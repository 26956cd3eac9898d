/** Prints measurements of speed and memory. Run it on an idle machine. */
import { parseArgs } from 'node:util';
import * as clipper from './clipper.ts';
import * as connector from './connector.ts';
import * as fairness from './fairness.ts';
import * as interactions from './interactions.ts';
import * as lists from './lists.ts';
import * as memory from './memory.ts';
import * as pages from './pages.ts';
import * as search from './search.ts';
import type { Table } from './setup.ts';
import * as start from './start.ts';
import * as upload from './upload.ts';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    quick: { type: 'boolean' },
    sizes: { type: 'string' },
    files: { type: 'string' },
    folder: { type: 'string' },
    kills: { type: 'string' },
  },
});

const benches: Record<string, () => Promise<Table[]>> = {
  clipper: clipper.run,
  connector: () => connector.run(Number(values.kills ?? 100)),
  start: start.run,
  fairness: fairness.run,
  search: () =>
    search.run({
      ...(values.quick ? search.quickSearch : search.fullSearch),
      ...(values.sizes ? { sizes: values.sizes.split(',').map(Number) } : {}),
    }),
  upload: upload.run,
  interactions: interactions.run,
  lists: lists.run,
  memory: () => memory.run(Number(values.files ?? 10_000), values.folder),
  pages: pages.run,
};

const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `Unknown bench ${unknown.join(', ')}. Choose from ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(1);
}

const results: Record<string, Table[]> = {};
for (const [name, run] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const tables = await run();
  results[name] = tables;
  if (values.json) continue;
  for (const { title, rows } of tables) {
    console.log(`\n${title}`);
    console.table(rows);
  }
}
if (values.json) console.log(JSON.stringify(results, null, 2));
process.exit(0);
