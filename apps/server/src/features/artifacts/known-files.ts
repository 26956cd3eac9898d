/** What is known of a person's files as threads read it, without a copy for each. */
export interface KnownFiles {
  /** Another one when something of it changed. */
  key: string;
  /** A list: for names of `{id, fileName, path}`, for facts of `LibraryFile`, for tables of `RecordTable`. */
  json: SharedArrayBuffer;
}

/** A JSON text as threads read it. */
export function shared(key: string, text: string): KnownFiles {
  const json = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(json).write(text);
  return { key, json };
}
