/**
 * Prints the figures of speed and memory: `npm run bench -- [names…] [--json]`. Without names all
 * of them run, which takes some minutes; take them on a quiet machine.
 */
import * as jobsSize from './jobs-size.ts';
import * as indexSearch from './index-search.ts';
import * as indexTrickle from './index-trickle.ts';
import * as searchHttp from './search-http.ts';
import * as start from './start.ts';
import * as upload from './upload.ts';
import * as uploadMemory from './upload-memory.ts';

type Bench = () => Promise<{ title: string; rows: readonly object[] }>;

const benches: Record<string, Bench> = {
  start: start.run,
  search: () => searchHttp.run(),
  upload: upload.run,
  'upload-memory': uploadMemory.run,
  'index-search': () => indexSearch.run(),
  'index-trickle': indexTrickle.run,
  'jobs-size': async () => ({ title: 'Database size over many jobs', rows: await jobsSize.run() }),
};

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(1);
}

const results: Record<string, unknown> = {};
for (const [name, run] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const { title, rows } = await run();
  results[name] = { title, rows };
  if (!asJson) {
    console.log(`\n${title}`);
    console.table(rows);
  }
}
if (asJson) console.log(JSON.stringify(results, null, 2));
process.exit(0);
