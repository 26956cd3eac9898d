/** Writes, removes and merges without end and reports each thing that is done, until it is killed. */
import { writeSync } from 'node:fs';
import { chunk } from './index.test-suite-rows.ts';
import { openSearchIndex } from './search-index.ts';

const [folder = '', user = ''] = process.argv.slice(2);
const index = await openSearchIndex({ folder, log: { warn: () => undefined } });
const report = (done: object) => writeSync(1, `${JSON.stringify(done)}\n`);

let previous: string[] = [];
for (let round = 0; ; round += 1) {
  const rows = Array.from({ length: 10 }, (_, number) => chunk(`every round${round} n${number}`));
  await index.replace(
    user,
    rows.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
  );
  report({ written: rows.map((row) => row.artifactId) });
  const merging = round % 2 === 0 ? index.compact(user) : Promise.resolve();
  report({ removing: previous });
  await index.remove(user, previous);
  report({ removed: previous });
  await merging;
  report({ merged: round });
  previous = rows.slice(0, 3).map((row) => row.artifactId);
}
