import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';
import { loadConfig } from './config.ts';
import { createModelStore, type ModelStore } from './platform/ai/local/model-store.ts';
import { systemClock } from './platform/clock.ts';

/** The interval between two lines of progress, in milliseconds. */
const REPORT_MS = 5000;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function list(store: ModelStore): Promise<void> {
  const models = await store.list();
  await store.settled();
  const answers = store.current()?.name;
  const widest = Math.max(...models.map(({ name }) => name.length));
  for (const { name, bytes, licence, memoryBytes, state, done } of models) {
    const progress = { here: 'here', absent: '', fetching: '', paused: `${gigabytes(done)} here` };
    const notes = [progress[state], name === answers ? 'answers' : ''].filter(Boolean).join(', ');
    const facts = [
      bytes === null ? '' : gigabytes(bytes),
      memoryBytes === null ? '' : `for ${memoryBytes / 1024 ** 3} GB of memory`,
      licence ?? '',
    ];
    print(`${name.padEnd(widest)}  ${facts.filter(Boolean).join(', ')}  ${notes}`.trimEnd());
  }
}

async function get(store: ModelStore, name: string): Promise<number> {
  const { ended } = await store.get(name);
  const stop = () => void store.pause(name);
  process.once('SIGINT', stop);
  const report = async () => {
    const model = (await store.list()).find((candidate) => candidate.name === name);
    if (model?.state === 'fetching')
      print(`${gigabytes(model.done)} of ${gigabytes(model.bytes ?? 0)}`);
  };
  const timer = setInterval(() => void report(), REPORT_MS);
  await ended;
  clearInterval(timer);
  process.removeListener('SIGINT', stop);
  const model = (await store.list()).find((candidate) => candidate.name === name);
  if (model?.state === 'here') {
    print(`${name} is ready. A running server uses it within half a minute.`);
    return 0;
  }
  process.stderr.write(`${model?.problem ?? `${name} is not complete yet.`}\n`);
  return 1;
}

await runCommand('The models could not be changed.', async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [verb = 'list', name, ...extra] = positionals;
  const isKnown = verb === 'list' ? name === undefined : name !== undefined && extra.length === 0;
  if (!['list', 'get', 'use', 'remove'].includes(verb) || !isKnown) {
    throw new Error("Use 'npm run model -- list', or get, use or remove with a NAME.");
  }
  const store = createModelStore(loadConfig(process.env), { clock: systemClock });
  if (verb === 'get') return get(store, name ?? '');
  if (verb === 'use') await store.use(name ?? '');
  if (verb === 'remove') await store.remove(name ?? '');
  await list(store);
  return 0;
});
