/** Prints the figures of speed and memory; measure on a quiet machine. */
import * as client from './client.ts';
import * as cluster from './cluster.ts';
import * as connector from './connector.ts';
import * as embedding from './embedding.ts';
import * as fairness from './fairness.ts';
import * as files from './files.ts';
import * as ingestMany from './ingest-many.ts';
import * as interactions from './interactions.ts';
import * as jobsSize from './jobs-size.ts';
import * as ingest from './ingest.ts';
import * as indexSearch from './index-search.ts';
import * as mcp from './mcp.ts';
import * as memory from './memory.ts';
import * as lists from './lists.ts';
import * as neighbours from './neighbours.ts';
import * as ocr from './ocr.ts';
import * as pages from './pages.ts';
import * as parsers from './parsers.ts';
import * as people from './people.ts';
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
const numbers = (name: string): number[] | undefined =>
  option(name)?.split(',').filter(Boolean).map(Number);
const sizes = numbers('sizes');
const searchOptions = args.includes('--quick') ? searchHttp.quickSearch : searchHttp.fullSearch;

const benches: Record<string, Bench> = {
  client: client.run,
  cluster: cluster.run,
  connector: () => connector.run(Number(option('kills')) || undefined),
  embedding: () => embedding.run(option('folder')?.split(',') ?? []),
  start: start.run,
  fairness: fairness.run,
  files: files.run,
  search: () => searchHttp.run({ ...searchOptions, ...(sizes ? { sizes } : {}) }),
  upload: upload.run,
  ingest: ingest.run,
  'upload-memory': uploadMemory.run,
  many: () => ingestMany.run(fileCount > 0 ? fileCount : undefined),
  interactions: interactions.run,
  lists: lists.run,
  memory: () =>
    memory.run({ files: fileCount > 0 ? fileCount : undefined, folder: option('folder') }),
  mcp: () => mcp.run(),
  neighbours: neighbours.run,
  parsers: parsers.run,
  ocr: ocr.run,
  pages: pages.run,
  people: () =>
    people.run({ people: numbers('people'), rows: numbers('rows'), notes: numbers('notes')?.[0] }),
  'index-search': () => indexSearch.run(),
  'jobs-size': async () => ({ title: 'Database size over many jobs', rows: await jobsSize.run() }),
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
