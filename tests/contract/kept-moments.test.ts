import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { SqliteMoment } from '../../src/adapters/outbound/persistence/knex/dialect/storage/sqlite-moment.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import type { RowSource } from '../../src/application/storage/ports/stored-rows.js';
import { describeDatabase } from '../support/databases.js';
import { isFree } from '../support/free-journal.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { hostileRows, onDatabase, plant, withEnds } from '../support/stores.js';

const ROWS = 4;
const KINDS = ['first', 'second', 'third'];
const JOBS = STORED_TABLES.find(({ name }) => name === 'jobs')!;

const FIRST_ID = 100;
const job = (kind: string) => ({
  id: FIRST_ID + KINDS.indexOf(kind),
  kind,
  attempts: 0,
  payload: '{}',
  run_at: new Date(0).toISOString(),
  created_at: new Date(0).toISOString(),
});
const addJob = (url: string, kind: string): Promise<void> =>
  onDatabase(url, async ({ schema }) => void (await schema('jobs').insert(job(kind))));

const kindsIn = async (rows: RowSource): Promise<readonly string[]> => {
  const place = JOBS.columns.indexOf('kind');
  const kinds: string[] = [];
  for await (const page of rows.pages(JOBS)) kinds.push(...page.rows.map((row) => row[place] ?? ''));
  return kinds.filter((kind) => KINDS.includes(kind));
};

const pathOf = (url: string): string => url.slice('sqlite:'.length);
/** Copies that lie beside a file, and what belongs to them. */
const copiesOf = (path: string): readonly string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.kept-moment-`));
const HOUR_MS = 3_600_000;

for (const database of selectedDatabases())
  describeDatabase(database, 'a moment that is kept', (open) => {
    it.each(['before anything was read', 'after something was read'])(
      'has all rows as they were while others write, kept %s',
      async (when) => {
        const url = await open();
        await plant(url, hostileRows(ROWS, 11));
        await addJob(url, 'first');
        await withEnds([url, url], (end) =>
          end.snapshot(async (rows) => {
            const readBefore = when === 'after something was read';
            if (readBefore) expect(await kindsIn(rows)).toEqual(['first']);
            if (readBefore) await addJob(url, 'second');
            await rows.keep();
            await rows.keep();
            await addJob(url, 'third');
            expect(await kindsIn(rows)).toEqual(['first']);
            expect(await rows.changes(1)).toMatchObject({ notes: [] });
          }),
        );
        await withEnds([url, url], async (end) =>
          expect(await end.snapshot(kindsIn)).toEqual([
            'first',
            ...(when.startsWith('after') ? ['second'] : []),
            'third',
          ]),
        );
      },
    );
  });

describeDatabase('sqlite', 'a moment of a file', (open) => {
  it('holds nobody’s journal once it is kept, and leaves nothing beside the file', async () => {
    const url = await open();
    await withEnds([url, url], async (end) => {
      await end.snapshot(async (rows) => {
        await kindsIn(rows);
        await addJob(url, 'first');
        expect(isFree(pathOf(url))).toBe(false);
        await rows.keep();
        await addJob(url, 'second');
        expect(isFree(pathOf(url))).toBe(true);
        expect(copiesOf(pathOf(url))).toEqual([]);
        expect(await kindsIn(rows)).toEqual([]);
      });
      expect(isFree(pathOf(url))).toBe(true);
    });
  });

  it.each([{ kept: false }, { kept: true }])('is let go by whoever fails (kept: $kept)', async ({ kept }) => {
    const url = await open();
    await withEnds([url, url], async (end) => {
      const failed = end.snapshot(async (rows) => {
        await kindsIn(rows);
        if (kept) await rows.keep();
        throw new Error('the power went');
      });
      await expect(failed).rejects.toThrow('the power went');
      await addJob(url, 'first');
      expect(isFree(pathOf(url))).toBe(true);
    });
  });

  it('takes away copies that nobody has written to for an hour, and leaves those that others make, and what operators keep', async () => {
    const url = await open();
    const copy = () => `${pathOf(url)}.kept-moment-${randomUUID()}`;
    const [left, others, kept] = [copy(), copy(), `${pathOf(url)}.kept-moment-2026-11`];
    for (const place of [left, others, kept]) writeFileSync(place, 'half of it');
    const longAgo = new Date(Date.now() - HOUR_MS - 1_000);
    for (const place of [left, kept]) utimesSync(place, longAgo, longAgo);
    await withEnds([url, url], (end) => end.snapshot((rows) => rows.keep()));
    expect(new Set(copiesOf(pathOf(url)))).toEqual(new Set([others, kept].map((place) => basename(place))));
    for (const place of [others, kept]) rmSync(place);
  });

  it('is held for as long as it is read where a copy has no room', async () => {
    const path = pathOf(await open());
    const reader = new Database(path);
    const letGo = (): unknown => reader.exec('commit');
    const moment = new SqliteMoment(reader, path, letGo, () => Promise.resolve(1_000));
    const rows = moment.begin();
    await rows.keep();
    await addJob(`sqlite:${path}`, 'first');
    expect([isFree(path), await kindsIn(rows)]).toEqual([false, []]);
    moment.end();
    expect(isFree(path)).toBe(true);
    reader.close();
  });
});
