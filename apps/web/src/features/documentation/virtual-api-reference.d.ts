declare module 'virtual:api-reference' {
  const reference: ReturnType<typeof import('../../../build/api-reference.ts').apiReference>;
  export default reference;
}
