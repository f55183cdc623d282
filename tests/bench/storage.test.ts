import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import pg from 'pg';
import { copyIn } from '../../src/adapters/outbound/persistence/knex/dialect/storage/copy-in.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import { lineOf, type StoredRow } from '../../src/domain/storage/stored-row.js';
import { describeDatabase } from '../support/databases.js';
import { fillFeed } from '../support/fill-feed.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { mover, sealed, withEnds } from '../support/stores.js';

/** Fewer say less, and take less long. */
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 1_000_000);
const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(1);

const EVENTS_TABLE = STORED_TABLES.find(({ name }) => name === 'activity_events')!;
const PORTION = 10_000;

const readEvents = (url: string): Promise<readonly StoredRow[]> =>
  withEnds([url, url], (end) =>
    end.snapshot(async (rows) => {
      const all: StoredRow[] = [];
      for await (const page of rows.pages(EVENTS_TABLE)) all.push(...page.rows);
      return all;
    }),
  );

/** How the database takes as many rows in its own way, in milliseconds. */
const LOAD: Readonly<Record<DatabaseName, (url: string, rows: readonly StoredRow[]) => Promise<number>>> = {
  postgres: async (url, rows) => {
    const lines = Array.from({ length: rows.length / PORTION }, (_, portion) =>
      Buffer.from(
        rows
          .slice(portion * PORTION, (portion + 1) * PORTION)
          .map(lineOf)
          .join(''),
      ),
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const startedAt = performance.now();
      await client.query('begin');
      for (const portion of lines)
        await copyIn(client, `copy activity_events (${EVENTS_TABLE.columns.join(', ')}) from stdin`, portion);
      await client.query('commit');
      return performance.now() - startedAt;
    } finally {
      await client.end();
    }
  },
  sqlite: (url, rows) => {
    const database = new Database(url.slice('sqlite:'.length));
    try {
      const startedAt = performance.now();
      const { columns } = EVENTS_TABLE;
      const insert = database.prepare(
        `insert into activity_events (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      );
      database.transaction(() => rows.forEach((row) => insert.run(row)))();
      return Promise.resolve(performance.now() - startedAt);
    } finally {
      database.close();
    }
  },
};

for (const from of selectedDatabases())
  for (const to of selectedDatabases().filter((name) => name !== from))
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, `from ${from} to`, (openTarget) => {
        it(`brings ${EVENTS} rows, and compares each`, async () => {
          const [source, target, loaded] = [await openSource(), await openTarget(), await openTarget()];
          await fillFeed(source, EVENTS);
          const at: Record<string, number> = { begun: performance.now() };
          const cpu = process.cpuUsage();
          let [memory, pauseMs] = [0, 0];
          const { verification } = await withEnds([source, target], (one, other) =>
            mover(one, other, {
              sealedSuccessor: sealed(target),
              report: (step) => {
                at[step.step] = performance.now();
                memory = Math.max(memory, process.memoryUsage().rss);
                if (step.step === 'cut') ({ pauseMs } = step);
              },
            }).execute(),
          );
          const { user, system } = process.cpuUsage(cpu);
          const { begun = 0, looked = 0, copied = 0, verified = 0, cut = 0 } = at;
          const [indexed, again] = [at['made indexes'] ?? 0, at['compared again'] ?? 0];
          const own = await LOAD[to](loaded, await readEvents(source));
          process.stdout.write(
            `${from} → ${to}: ${EVENTS} rows, over after ${seconds(begun, cut)} s (looked ${seconds(begun, looked)}, copied ${seconds(looked, copied)}, ` +
              `indexes ${seconds(copied, indexed)}, compared ${seconds(indexed, verified)}), writers waited ${pauseMs} ms; compared again ${seconds(cut, again)} s; ` +
              `${((user + system) / 1e6).toFixed(1)} s of the processor, ${(memory / 2 ** 20).toFixed(0)} MiB; ` +
              `the database's own load ${seconds(0, own)} s, copied and indexed ÷ own ${((indexed - looked) / own).toFixed(2)}\n`,
          );
          expect(verification?.equal).toBe(true);
        });
      }),
    );
