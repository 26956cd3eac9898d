import { readFile } from 'node:fs/promises';

const engine = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));

/**
 * The embedded database's compiled code. While somebody holds it, whoever compiles the same bytes in
 * this process shares it: else each of hundreds of databases compiled its own, for longer than it
 * takes to start.
 */
export const keptEngine = await WebAssembly.compile(await readFile(engine));
