declare module 'virtual:api-reference' {
  import type { ApiSection } from './api-reference.ts';

  const reference: readonly ApiSection[];
  export default reference;
}
