/** Types of messages that have PostgreSQL do a statement: a simple query, and the execution of a prepared one. */
const DOING = new Set(['Q', 'E'].map((type) => type.charCodeAt(0)));
const LENGTH_BYTES = 4;

/** Reads what a client of PostgreSQL sends, as it comes, and tells of each statement. */
export function watchStatements(onStatement: () => void): (part: Buffer) => void {
  let rest = Buffer.alloc(0);
  // The first message of a connection has no type.
  let typeBytes = 0;
  return (part) => {
    rest = Buffer.concat([rest, part]);
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (typeBytes > 0 && DOING.has(rest[0] ?? 0)) onStatement();
      typeBytes = 1;
      rest = rest.subarray(end);
    }
  };
}
