import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { renderSchemaReport, reportPostgres, reportSqlite } from '../support/schema-report.js';
import { selectedDatabases } from '../support/selected-databases.js';

const REPORT = fileURLToPath(new URL('../../docs/schema.md', import.meta.url));

const reportOf = async <Report>(
  openTestDatabase: OpenTestDatabase,
  report: (knex: never) => Promise<Report>,
): Promise<Report> => {
  const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
  try {
    return await report(database.schema as never);
  } finally {
    await database.close();
  }
};

if (selectedDatabases().length === 2) {
  describeDatabase('sqlite', 'the schema report', (openSqlite) => {
    describeDatabase('postgres', 'beside', (openPostgres) => {
      it('has the same tables, columns and unique rules on both databases, and is committed as it is', async () => {
        const sqlite = await reportOf(openSqlite, reportSqlite);
        const postgres = await reportOf(openPostgres, reportPostgres);
        expect([...postgres.keys()].sort()).toEqual([...sqlite.keys()].sort());
        for (const [name, table] of sqlite) {
          const other = postgres.get(name)!;
          expect([name, ...other.columns.keys()]).toEqual([name, ...table.columns.keys()]);
          expect([name, ...other.indexes]).toEqual([name, ...table.indexes]);
        }
        const report = renderSchemaReport(sqlite, postgres);
        if (process.env['UPDATE_SCHEMA_REPORT'] === 'true') writeFileSync(REPORT, report);
        // Stale? `make schema-report` writes it anew.
        expect(readFileSync(REPORT, 'utf8')).toBe(report);
      });
    });
  });
}
