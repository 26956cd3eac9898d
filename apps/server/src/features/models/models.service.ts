import { availableParallelism, totalmem } from 'node:os';
import {
  chooseModel,
  getModel,
  type LanguageModel,
  listModels,
  type ModelsState,
  pauseModel,
  removeModel,
} from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { Caller } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import {
  disconnectSignal,
  openEventStream,
  wantsEvents,
} from '../../platform/http/event-stream.ts';
import { isLocalOnly } from '../../platform/http/hosts.ts';
import type { Mount } from '../../platform/http/mount.ts';

type ModelsCaller = Pick<Caller, 'role'>;

const OLLAMA = 'ollama:';

export function createModelsService(
  { config, providers: { modelStore: store, model } }: Core,
  countUsers: () => Promise<number>,
) {
  const isLocal = isLocalOnly(config);
  const setting = config.llm === 'auto' ? null : config.llm;

  async function mayChange({ role }: ModelsCaller): Promise<boolean> {
    return role === 'ADMIN' || (isLocal && (await countUsers()) === 1);
  }

  async function models(): Promise<LanguageModel[]> {
    const current = model?.current()?.setting;
    const local = (await store.list()).map((listed): LanguageModel => ({
      ...listed,
      runner: 'engram',
      answers: current === `local:${listed.name}`,
    }));
    const offered = (model?.ollamaModels() ?? []).map((title): LanguageModel => {
      const name = `${OLLAMA}${title}`;
      return {
        name,
        title,
        runner: 'ollama',
        state: 'here',
        bytes: null,
        done: null,
        memoryBytes: null,
        licence: null,
        licenceUrl: null,
        problem: null,
        answers: current === name,
      };
    });
    return [...local, ...offered];
  }

  async function state(caller: ModelsCaller): Promise<ModelsState> {
    await model?.settled();
    const measured = model?.current()?.local?.measurement();
    return {
      models: await models(),
      detail: model?.describe().detail ?? 'ENGRAM_LLM is set to none, so no model writes answers.',
      setting,
      mayChange: await mayChange(caller),
      machine: {
        memoryBytes: totalmem(),
        processors: availableParallelism(),
        freeDiskBytes: await store.freeBytes(),
        readsPerSecond: measured?.readsPerSecond ?? null,
        gpu: measured?.gpu ?? null,
      },
    };
  }

  /** Yields the state while models are fetched, until all are complete or `signal` is aborted. */
  async function* watch(caller: ModelsCaller, signal: AbortSignal): AsyncGenerator<ModelsState> {
    for (;;) {
      // Subscribes first, so that a change during the read is not missed.
      const changed = store.changed(signal).then(
        () => true,
        () => false,
      );
      const current = await state(caller);
      yield current;
      if (!current.models.some((listed) => listed.state === 'fetching') || !(await changed)) return;
    }
  }

  async function use(name: string): Promise<void> {
    if (setting !== null) {
      const message = `ENGRAM_LLM is ${setting}, which overrides the choice made here.`;
      throw new HttpError(409, 'model_set', message);
    }
    if (!name.startsWith(OLLAMA)) return store.use(name);
    if (!model?.ollamaModels().includes(name.slice(OLLAMA.length))) {
      throw new HttpError(404, 'model_unknown', 'Ollama has no such model.');
    }
    await store.choose(name);
  }

  return {
    routes(mount: Mount): void {
      mount(listModels, async ({ caller, request, reply }) => {
        if (!wantsEvents(request)) return { data: await state(caller) };
        const stream = openEventStream(reply);
        try {
          for await (const current of watch(caller, disconnectSignal(reply))) {
            stream.send('state', current);
          }
        } catch (error) {
          // Once the stream has started, an error can only end it. The client reconnects.
          if (!stream.started) throw error;
          request.log.error({ err: error }, 'watching models failed');
        }
        return stream.end();
      });
      for (const [route, change] of [
        // A fetch continues if the client disconnects.
        [getModel, store.get],
        [pauseModel, store.pause],
        [chooseModel, use],
        [removeModel, store.remove],
      ] as const) {
        mount(route, async ({ caller, params }) => {
          if (!(await mayChange(caller))) {
            const message = 'Only admins, or the only user of a local server, may do this.';
            throw new HttpError(403, 'admins_only', message);
          }
          await change(params.name);
          return { data: await state(caller) };
        });
      }
    },
  };
}
