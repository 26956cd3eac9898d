import type { HubPin } from '../hub.ts';

export interface CatalogModel {
  name: string;
  title: string;
  /** The SPDX id and the address of the license. */
  licence: string;
  licenceUrl: string;
  repository: string;
  /** One commit, and its GGUF file. */
  pin: HubPin;
  memoryBytes: number;
}

const GIB = 1024 ** 3;

function qwen(
  [name, title]: readonly [string, string],
  [repository, revision]: readonly [string, string],
  [file, size, digest]: readonly [string, number, string],
  memoryGib: number,
): CatalogModel {
  return {
    name,
    title,
    licence: 'Apache-2.0',
    licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
    repository,
    pin: { revision, files: [{ name: file, size, digest, kind: 'sha256' }] },
    memoryBytes: memoryGib * GIB,
  };
}

export const CATALOG: readonly CatalogModel[] = [
  qwen(
    ['qwen3.5-4b', 'Qwen 3.5 4B'],
    ['unsloth/Qwen3.5-4B-GGUF', 'e87f176479d0855a907a41277aca2f8ee7a09523'],
    [
      'Qwen3.5-4B-Q4_K_M.gguf',
      2_740_937_888,
      '00fe7986ff5f6b463e62455821146049db6f9313603938a70800d1fb69ef11a4',
    ],
    8,
  ),
  qwen(
    ['qwen3.5-2b', 'Qwen 3.5 2B'],
    ['unsloth/Qwen3.5-2B-GGUF', 'f6d5376be1edb4d416d56da11e5397a961aca8ae'],
    [
      'Qwen3.5-2B-Q4_K_M.gguf',
      1_280_835_840,
      'aaf42c8b7c3cab2bf3d69c355048d4a0ee9973d48f16c731c0520ee914699223',
    ],
    4,
  ),
  qwen(
    ['qwen3-1.7b', 'Qwen 3 1.7B'],
    ['ggml-org/Qwen3-1.7B-GGUF', 'daeb8e2d528a760970442092f6bf1e55c3b659eb'],
    [
      'Qwen3-1.7B-Q4_K_M.gguf',
      1_282_439_264,
      'd2387ca2dbfee2ffabce7120d3770dadca0b293052bc2f0e138fdc940d9bc7b5',
    ],
    4,
  ),
  qwen(
    ['qwen3.5-0.8b', 'Qwen 3.5 0.8B'],
    ['unsloth/Qwen3.5-0.8B-GGUF', '6ab461498e2023f6e3c1baea90a8f0fe38ab64d0'],
    [
      'Qwen3.5-0.8B-Q4_K_M.gguf',
      532_517_120,
      'bd258782e35f7f458f8aced1adc053e6e92e89bc735ba3be89d38a06121dc517',
    ],
    2,
  ),
];
