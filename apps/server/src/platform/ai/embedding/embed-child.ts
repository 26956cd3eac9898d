import { setPriority } from 'node:os';
import { type Inference, loadModel } from './embed-inference.ts';
import type { EmbedDrop, EmbedReply, EmbedTask } from './embed-messages.ts';
import { ModelFolderError } from './embed-model-folder.ts';

/** Behind the reading of files, which makes them findable by their words. */
const NICENESS = 10;

const say = (reply: EmbedReply): void => void process.send?.(reply);

/** Does questions first: somebody waits for them. Passages come one by one, so that none waits long. */
function serve(model: Inference): void {
  const waiting = { query: [] as EmbedTask[], passage: [] as EmbedTask[] };
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (;;) {
      const task = waiting.query.shift() ?? waiting.passage.shift();
      if (task === undefined) break;
      const { id, text, kind } = task;
      try {
        say({ type: 'done', id, vector: await model.embed(text, kind) });
      } catch (error) {
        say({ type: 'error', id, message: String(error) });
      }
      // A question may have come meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
  }

  function drop(id: number): void {
    for (const tasks of Object.values(waiting)) {
      const at = tasks.findIndex((task) => task.id === id);
      if (at < 0) continue;
      tasks.splice(at, 1);
      say({ type: 'error', id, message: 'Nobody waits for it.' });
    }
  }

  process.on('message', (task: EmbedTask | EmbedDrop) => {
    if (task.type === 'drop') return drop(task.id);
    waiting[task.kind].push(task);
    if (!running) void run();
  });
}

setPriority(NICENESS);
// A stop of the whole group reaches this process too: the server decides when it ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// An orderly exit would wait for the model.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
try {
  const model = await loadModel(process.argv[2] ?? '');
  serve(model);
  say({ type: 'ready', digest: model.digest, dimensions: model.dimensions });
} catch (error) {
  const expected = error instanceof ModelFolderError;
  say({
    type: 'failed',
    message: expected ? error.message : `The model cannot be loaded: ${String(error)}`,
    expected,
  });
}
