import { readFile } from 'node:fs/promises';

const engine = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));

/**
 * The embedded database's compiled code. While a caller holds it, other compilations of the same
 * bytes in this process share it. Otherwise each of hundreds of databases would compile its own, for
 * longer than it takes to start.
 */
export const keptEngine = await WebAssembly.compile(await readFile(engine));
