import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  fetchedBytes,
  fetchedModel,
  folderOf,
  HubError,
  type HubFile,
  type HubModel,
  isHubModel,
  pinOf,
  revisionsOf,
  sizeOf,
} from '../hub.ts';
import type { CatalogueModel } from './catalogue.ts';

export interface ModelEntry extends Pick<CatalogueModel, 'name' | 'title'> {
  licence: string | null;
  licenceUrl: string | null;
  memoryBytes: number | null;
  /** Null for a file that the operator added. */
  source: HubModel | null;
}

const ENDING = '.gguf';

/** The file of a model to fetch, with 4-bit weights if possible. @throws HubError if none fits */
export function ggufFile(model: string, files: ReadonlyMap<string, HubFile>): HubFile[] {
  const whole = [...files.values()].filter(
    ({ name }) => name.endsWith(ENDING) && !/mmproj|-of-\d+/iu.test(name),
  );
  const best = [/Q4_K_M/iu, /Q4/iu, /./u].flatMap((kind) =>
    whole.filter(({ name }) => kind.test(name)),
  );
  const [file] = best;
  if (file === undefined) throw new HubError(`The hub's ${model} is no model in GGUF format.`);
  return [file];
}

export function createModelFiles(folder: string, catalogue: readonly CatalogueModel[]) {
  const unknown = { licence: null, licenceUrl: null, memoryBytes: null };

  const listed = catalogue.map(({ repository, pin, ...model }): ModelEntry => ({
    ...model,
    source: { model: repository, folder, pin },
  }));

  const looseFile = (name: string): string => path.join(folder, `${name}${ENDING}`);

  /** A model by its name; null for a name that no model can have. */
  async function named(name: string): Promise<ModelEntry | null> {
    const model = listed.find((each) => each.name === name);
    if (model) return model;
    if (isHubModel(name)) return { ...unknown, name, title: name, source: { model: name, folder } };
    const isName = name !== '' && path.basename(name) === name && !name.includes('\0');
    return isName && (await sizeOf(looseFile(name))) > 0
      ? { ...unknown, name, title: name, source: null }
      : null;
  }

  async function fileOf({ name, source }: ModelEntry): Promise<string | null> {
    if (source === null) return looseFile(name);
    const where = await fetchedModel(source);
    const file = where === null ? null : (await pinOf(where))?.files[0];
    return where === null || !file?.name.endsWith(ENDING) ? null : path.join(where, file.name);
  }

  async function others(): Promise<string[]> {
    const own = new Set(listed.map(({ source }) => source && path.basename(folderOf(source))));
    return (await readdir(folder).catch(() => [])).flatMap((entry) => {
      if (entry.endsWith(ENDING)) return entry.slice(0, -ENDING.length);
      return own.has(entry) || !entry.includes('--') ? [] : entry.replace('--', '/');
    });
  }

  return {
    named,
    fileOf,

    /** The models of the catalogue and all others in the folder, with the file of each complete one. */
    async all(): Promise<{ model: ModelEntry; file: string | null }[]> {
      const beside = await Promise.all((await others()).map(named));
      const found = await Promise.all(
        [...listed, ...beside.filter((model) => model !== null)].map(async (model) => ({
          model,
          file: await fileOf(model),
        })),
      );
      return found.filter(({ model, file }) => file !== null || listed.includes(model));
    },

    async sizes({ name, source }: ModelEntry): Promise<{ bytes: number | null; done: number }> {
      if (source === null) {
        const { size } = await stat(looseFile(name));
        return { bytes: size, done: size };
      }
      const [first = ''] = await revisionsOf(source);
      const where = source.pin ? path.join(folderOf(source), source.pin.revision) : first;
      const files = (source.pin ?? (await pinOf(where)))?.files ?? [];
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { bytes: bytes || null, done: await fetchedBytes(where, files) };
    },

    remove: ({ name, source }: ModelEntry): Promise<void> =>
      rm(source === null ? looseFile(name) : folderOf(source), { recursive: true, force: true }),
  };
}
