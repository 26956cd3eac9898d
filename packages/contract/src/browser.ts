/** The contract for browsers: limits, and routes without their schemas. The types are complete. */
export * from './browser-routes.ts';
export * from './file-type-lookup.ts';
export type * from './file-types.ts';
export { fileKinds, fileSources, fileStates } from './file-types.ts';
export * from './limits.ts';
export * from './markdown-depth.ts';
export * from './setting-defaults.ts';
export * from './source-location.ts';
