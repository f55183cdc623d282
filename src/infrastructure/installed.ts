import { existsSync } from 'node:fs';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { placeOf } from './database-failure.js';

const SQLITE = 'sqlite:';
const MEMORY = 'sqlite::memory:';

/** Since its baseline each version has it, and no other program does. */
export const OUR_TABLE = 'storage_control';

const WHAT_TO_DO = 'correct the address, or make a new installation by "gatehouse migrate"';

/** Opening a file that is not there would make it. @throws Error with a sentence where it is not. */
export const refuseWithoutFile = (url: string): void => {
  if (url.startsWith(SQLITE) && url !== MEMORY && !existsSync(url.slice(SQLITE.length)))
    throw new Error(`There is no database at ${url}: ${WHAT_TO_DO}.`);
};

/** @throws Error with a sentence where nothing was installed in a database. */
export const refuseWithoutTables = (place: string, tables: readonly string[]): void => {
  if (!tables.includes(OUR_TABLE))
    throw new Error(`The database at ${place} has no tables of Gatehouse: ${WHAT_TO_DO}.`);
};

/** The same of one that is open. */
export const refuseUnlessInstalled = async ({ schema }: Database, url: string): Promise<void> =>
  refuseWithoutTables(placeOf(url), (await schema.schema.hasTable(OUR_TABLE)) ? [OUR_TABLE] : []);
