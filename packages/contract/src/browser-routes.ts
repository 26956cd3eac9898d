/**
 * The routes. The web build replaces this module by the same routes without their schemas
 * (`apps/web/build/contract.ts`), so that browsers do not load zod.
 */
export * from './index.ts';
