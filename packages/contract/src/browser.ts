/**
 * The contract for the browser: every limit, and every route without its schemas. The types are
 * those of the whole contract, the validation library stays on the server.
 */
export * from './browser-routes.ts';
export * from './file-type-lookup.ts';
export type * from './file-types.ts';
export { fileKinds, fileSources, fileStates } from './file-types.ts';
export * from './limits.ts';
export * from './markdown-depth.ts';
export * from './setting-defaults.ts';
export * from './source-location.ts';
