import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@engram/contract';
import type { Plugin } from 'vite';
import { apiReference } from './api-reference.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ROUTES = path.join(root, 'packages/contract/src/browser-routes.ts');
const REFERENCE = 'virtual:api-reference';

function routesModule(): string {
  return Object.entries(contract)
    .flatMap(([name, value]) => {
      if (!contract.isRoute(value)) return [];
      const { id, method, path: address, kind, filePart } = value;
      const call = JSON.stringify({ id, method, path: address, kind, filePart });
      return [`export const ${name} = ${call};`];
    })
    .join('\n');
}

function referenceModule(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return `export default ${JSON.stringify(apiReference(version))};`;
}

/** The parts of the contract in the app: routes without schemas, and the API reference as text. */
export function contractModules(): Plugin {
  return {
    name: 'engram-contract',
    resolveId: (id) => (id === REFERENCE ? `\0${REFERENCE}` : undefined),
    load(id) {
      if (id === ROUTES) return routesModule();
      return id === `\0${REFERENCE}` ? referenceModule() : undefined;
    },
  };
}
