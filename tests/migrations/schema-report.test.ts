import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { renderSchemaReport, reportPostgres, reportSqlite, type SchemaReport } from '../support/schema-report.js';
import { selectedDatabases } from '../support/selected-databases.js';

const REPORT = fileURLToPath(new URL('../../docs/schema.md', import.meta.url));

const reportOf = async (
  openTestDatabase: OpenTestDatabase,
  report: (knex: Knex) => Promise<SchemaReport>,
): Promise<SchemaReport> => {
  const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
  try {
    return await report(database.schema);
  } finally {
    await database.close();
  }
};

/** All but the types, whose names are each database's own. */
const alike = (schema: SchemaReport) =>
  Object.fromEntries(
    [...schema].map(([name, table]) => [
      name,
      { ...table, columns: table.columns.map((column) => ({ name: column.name, nullable: column.nullable })) },
    ]),
  );

if (selectedDatabases().length < 2)
  throw new Error('The schema report compares both databases: let GATEHOUSE_TEST_DATABASES name both.');

describeDatabase('sqlite', 'the schema report', (openSqlite) => {
  describeDatabase('postgres', 'beside', (openPostgres) => {
    it('finds the same tables, columns, indexes and foreign keys on both databases, and is committed as it is', async () => {
      const sqlite = await reportOf(openSqlite, reportSqlite);
      const postgres = await reportOf(openPostgres, reportPostgres);
      expect(sqlite.size).toBeGreaterThan(0);
      expect(alike(postgres)).toEqual(alike(sqlite));
      const report = renderSchemaReport(sqlite, postgres);
      if (process.env['UPDATE_SCHEMA_REPORT'] === 'true') writeFileSync(REPORT, report);
      // Stale? `make schema-report` writes it anew.
      expect(readFileSync(REPORT, 'utf8')).toBe(report);
    });
  });
});
