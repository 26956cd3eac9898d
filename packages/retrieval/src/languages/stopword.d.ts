declare module 'stopword' {
  /** Lists under their ISO 639-3 codes; some hold phrases and punctuation too. */
  const lists: Readonly<Record<string, readonly string[] | undefined>>;
  export = lists;
}
