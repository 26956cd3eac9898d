import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../platform/database/database.ts';
import {
  storeEmptyCluster,
  storeTemplate,
} from '../platform/database/embedded/cluster-templates.ts';
import { COMPLETE } from '../platform/database/embedded/open-embedded.ts';
import { migrate, schemaName } from '../platform/database/migrate.ts';

const silent = { info() {}, warn() {}, error() {} };

/** Makes an embedded database with all tables and no rows; answers its folder. */
async function makeWithTables(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir, log: silent });
  await migrate(database);
  await database.close();
  const folder = path.join(dataDir, 'database');
  // It tells a whole copy from one that was cut short, and is written behind each.
  await rm(path.join(folder, COMPLETE));
  return folder;
}

/** Makes the templates of new embedded databases once. A first start is seconds faster with them. */
export async function prepareClusters(): Promise<void> {
  await storeEmptyCluster();
  await storeTemplate(await schemaName(), makeWithTables);
}
