import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { HubError, isHubModel } from '../hub/fetch-model.ts';
import {
  bytesThere,
  fetchedModel,
  folderOf,
  type HubFile,
  type KeptModel,
  pinOf,
  revisionsOf,
  sizeOf,
} from '../hub/kept-model.ts';
import type { CatalogueModel } from './catalogue.ts';

/** A language model that runs here, wherever its file comes from. */
export interface OwnModel extends Pick<CatalogueModel, 'name' | 'title'> {
  licence: string | null;
  licenceUrl: string | null;
  /** Memory that it takes, in bytes; null where that is not known. */
  memoryBytes: number | null;
  /** How it is fetched; null of a file that somebody put there. */
  kept: KeptModel | null;
}

const ENDING = '.gguf';

/**
 * The file to fetch of those that a hub has of a model: with numbers of 4 bits where there is one.
 * @throws HubError where it has none in GGUF format
 */
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

/** The models of a folder: those of the catalogue, others of the hub, and files in GGUF format. */
export function createOwnModels(folder: string, catalogue: readonly CatalogueModel[]) {
  const unknown = { licence: null, licenceUrl: null, memoryBytes: null };

  const listed = catalogue.map(({ repository, pin, ...model }): OwnModel => ({
    ...model,
    kept: { model: repository, folder, pin },
  }));

  const looseFile = (name: string): string => path.join(folder, `${name}${ENDING}`);

  /** A model by its name; null where there is none, nor can be. */
  async function named(name: string): Promise<OwnModel | null> {
    const model = listed.find((each) => each.name === name);
    if (model) return model;
    if (isHubModel(name)) return { ...unknown, name, title: name, kept: { model: name, folder } };
    const isName = /^[\w.-]+$/u.test(name);
    return isName && (await sizeOf(looseFile(name))) > 0
      ? { ...unknown, name, title: name, kept: null }
      : null;
  }

  /** The path of a model's file; null where it is not here as a whole. */
  async function fileOf({ name, kept }: OwnModel): Promise<string | null> {
    if (kept === null) return looseFile(name);
    const where = await fetchedModel(kept);
    const file = where === null ? null : (await pinOf(where))?.files[0];
    return where === null || !file?.name.endsWith(ENDING) ? null : path.join(where, file.name);
  }

  /** The names of what is here beside the catalogue. */
  async function others(): Promise<string[]> {
    const own = new Set(listed.map(({ kept }) => kept && path.basename(folderOf(kept))));
    return (await readdir(folder).catch(() => [])).flatMap((entry) => {
      if (entry.endsWith(ENDING)) return entry.slice(0, -ENDING.length);
      return own.has(entry) || !entry.includes('--') ? [] : entry.replace('--', '/');
    });
  }

  return {
    named,
    fileOf,

    /** The models of the catalogue, and what else is here; each with its file where it is whole. */
    async all(): Promise<{ model: OwnModel; file: string | null }[]> {
      const beside = await Promise.all((await others()).map(named));
      const found = await Promise.all(
        [...listed, ...beside.filter((model) => model !== null)].map(async (model) => ({
          model,
          file: await fileOf(model),
        })),
      );
      return found.filter(({ model, file }) => file !== null || listed.includes(model));
    },

    /** Bytes of a model, where they are known, and how many of them are here. */
    async sizes({ name, kept }: OwnModel): Promise<{ bytes: number | null; done: number }> {
      if (kept === null) {
        const { size } = await stat(looseFile(name));
        return { bytes: size, done: size };
      }
      const [where = ''] = await revisionsOf(kept);
      const files = (kept.pin ?? (await pinOf(where)))?.files ?? [];
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { bytes: bytes || null, done: await bytesThere(where, files) };
    },

    /** Takes a model off the disk. */
    remove: ({ name, kept }: OwnModel): Promise<void> =>
      rm(kept === null ? looseFile(name) : folderOf(kept), { recursive: true, force: true }),
  };
}
