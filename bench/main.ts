/** Prints the figures of speed and memory; measure on a quiet machine. */
import * as connector from './connector.ts';
import * as embedding from './embedding.ts';
import * as fairness from './fairness.ts';
import * as ingestMany from './ingest-many.ts';
import * as interactions from './interactions.ts';
import * as memory from './memory.ts';
import * as lists from './lists.ts';
import * as pages from './pages.ts';
import * as searchHttp from './search-http.ts';
import * as start from './start.ts';
import * as upload from './upload.ts';
import * as uploadMemory from './upload-memory.ts';

interface Figures {
  title: string;
  rows: readonly object[];
}

/** One table or several. */
type Bench = () => Promise<Figures | Figures[]>;

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const names = args.filter((arg) => !arg.startsWith('--'));
const option = (name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const fileCount = Number(option('files'));
const sizes = option('sizes')?.split(',').filter(Boolean).map(Number);
const searchOptions = args.includes('--quick') ? searchHttp.quickSearch : searchHttp.fullSearch;

const benches: Record<string, Bench> = {
  connector: () => connector.run(Number(option('kills')) || undefined),
  embedding: () => embedding.run(option('folder')?.split(',') ?? []),
  start: start.run,
  fairness: fairness.run,
  search: () => searchHttp.run({ ...searchOptions, ...(sizes ? { sizes } : {}) }),
  upload: upload.run,
  'upload-memory': uploadMemory.run,
  many: () => ingestMany.run(fileCount > 0 ? fileCount : undefined),
  interactions: interactions.run,
  lists: lists.run,
  memory: () =>
    memory.run({ files: fileCount > 0 ? fileCount : undefined, folder: option('folder') }),
  pages: pages.run,
};

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
  const figures = await run();
  results[name] = figures;
  if (asJson) continue;
  for (const { title, rows } of [figures].flat()) {
    console.log(`\n${title}`);
    console.table(rows);
  }
}
if (asJson) console.log(JSON.stringify(results, null, 2));
process.exit(0);
