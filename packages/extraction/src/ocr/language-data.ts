import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unpack = promisify(gunzip);
const resolve = createRequire(import.meta.url).resolve;
/** Tesseract's best model in integers: as good as the float model at a quarter of the size. */
const MODEL = '4.0.0_best_int';
/** Names such as eng, chi_sim or Latin. They become file names. */
const LANGUAGE = /^[a-z][a-z_]{1,23}$/i;
const MAX_BYTES = 200_000_000;

/** Finds each language's data in the folder or in `@tesseract.js-data`. Throws if one is missing. */
export function findLanguages(
  languages: readonly string[],
  dataFolder: string | undefined,
): Map<string, string> {
  const paths = new Map<string, string>();
  const missing: string[] = [];
  for (const language of languages) {
    const path = LANGUAGE.test(language) ? pathOf(language, dataFolder) : null;
    if (path === null) missing.push(language);
    else paths.set(language, path);
  }
  if (missing.length > 0 || paths.size === 0) {
    const names = missing.length > 0 ? missing.join(', ') : 'no language';
    throw new Error(`There is no OCR data for: ${names}.`);
  }
  return paths;
}

export const hasLanguageData = (language: string, dataFolder: string | undefined): boolean =>
  LANGUAGE.test(language) && pathOf(language, dataFolder) !== null;

export async function readLanguages(
  paths: ReadonlyMap<string, string>,
): Promise<Map<string, Uint8Array>> {
  const data = new Map<string, Uint8Array>();
  for (const [language, path] of paths) {
    const bytes = await readFile(path);
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    data.set(language, packed ? await unpack(bytes, { maxOutputLength: MAX_BYTES }) : bytes);
  }
  return data;
}

function pathOf(language: string, dataFolder: string | undefined): string | null {
  const names = [`${language}.traineddata`, `${language}.traineddata.gz`];
  const inFolder = dataFolder === undefined ? [] : names.map((name) => join(dataFolder, name));
  const installed = packageFolder(language);
  const inPackage = installed === null ? [] : names.map((name) => join(installed, MODEL, name));
  return [...inFolder, ...inPackage].find((path) => existsSync(path)) ?? null;
}

function packageFolder(language: string): string | null {
  try {
    return dirname(resolve(`@tesseract.js-data/${language}/package.json`));
  } catch {
    return null;
  }
}
