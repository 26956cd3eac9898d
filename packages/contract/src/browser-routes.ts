/**
 * The routes. The web build replaces this module by one with the same routes without their schemas
 * (`apps/web/build/contract.ts`), so that browsers do not load the validation library.
 */
export * from './index.ts';
