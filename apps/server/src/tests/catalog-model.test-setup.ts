import { createHash } from 'node:crypto';
import type { CatalogModel } from '../platform/ai/local/catalog.ts';

/** The content of a GGUF file as a model of a catalog. A hub has to serve it as `NAME.gguf`. */
export const catalogModel = (name: string, content: Uint8Array): CatalogModel => ({
  name,
  title: name,
  licence: 'Apache-2.0',
  licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
  repository: `someone/${name}`,
  pin: {
    revision: '0123456789abcdef0123456789abcdef01234567',
    files: [
      {
        name: `${name}.gguf`,
        size: content.length,
        digest: createHash('sha256').update(content).digest('hex'),
        kind: 'sha256',
      },
    ],
  },
  memoryBytes: 1024 ** 3,
});
