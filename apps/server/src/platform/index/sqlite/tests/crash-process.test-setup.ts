/** Writes, removes and purges rows and reports each step, until it is killed. */
import { writeSync } from 'node:fs';
import { chunk } from '../../tests/index-rows.test-setup.ts';
import { openSqliteIndex } from '../sqlite-index.ts';

const [folder = '', user = ''] = process.argv.slice(2);
const index = await openSqliteIndex({ folder, log: { warn: () => undefined } });
const report = (step: object) => writeSync(1, `${JSON.stringify(step)}\n`);

let previous: string[] = [];
for (let round = 0; ; round += 1) {
  const rows = Array.from({ length: 10 }, (_, number) => chunk(`every round${round} n${number}`));
  await index.replace(
    user,
    rows.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
  );
  report({ written: rows.map((row) => row.artifactId) });
  const purging = round % 2 === 0 ? index.purge(user) : Promise.resolve();
  report({ removing: previous });
  await index.remove(user, previous);
  report({ removed: previous });
  await purging;
  report({ purged: round });
  previous = rows.slice(0, 3).map((row) => row.artifactId);
}
