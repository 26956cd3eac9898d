import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../platform/database/database.ts';
import {
  storeEmptyCluster,
  storeTemplate,
} from '../platform/database/embedded/cluster-templates.ts';
import { COMPLETE } from '../platform/database/embedded/open-embedded.ts';
import { migrate, schemaName } from '../platform/database/migrate.ts';

const silentLog = { info() {}, warn() {}, error() {} };

/** Creates an embedded database with all tables and no rows. Returns its folder. */
async function createEmptyDatabase(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir, log: silentLog });
  await migrate(database);
  await database.close();
  const folder = path.join(dataDir, 'database');
  // This file marks a complete copy, so each copy of the template writes its own.
  await rm(path.join(folder, COMPLETE));
  return folder;
}

/** Creates the templates of new embedded databases once. They make a first start seconds faster. */
export async function prepareClusters(): Promise<void> {
  await storeEmptyCluster();
  await storeTemplate(await schemaName(), createEmptyDatabase);
}
