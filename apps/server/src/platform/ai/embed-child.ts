import { type Inference, loadModel } from './embed-inference.ts';
import type { EmbedReply, EmbedTask } from './embed-messages.ts';
import { ModelFolderError } from './embed-model-folder.ts';

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

  process.on('message', (task: EmbedTask) => {
    waiting[task.kind].push(task);
    if (!running) void run();
  });
}

process.once('disconnect', () => process.exit(0));
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
