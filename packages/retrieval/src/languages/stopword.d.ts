declare module 'stopword' {
  /** Lists under their ISO 639-3 codes; some also contain phrases and punctuation. */
  const lists: Readonly<Record<string, readonly string[] | undefined>>;
  export = lists;
}
