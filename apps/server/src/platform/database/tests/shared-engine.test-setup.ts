import { readFile } from 'node:fs/promises';

const engine = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));

/**
 * The compiled code of the embedded database, shared by all databases of this process while a
 * caller holds it. Compiling it for each of hundreds of test databases would take longer than
 * starting them.
 */
export const sharedEngine = await WebAssembly.compile(await readFile(engine));
