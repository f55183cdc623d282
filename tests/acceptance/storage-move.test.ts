import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { moveUnderKills, plantEvents, runStorage } from '../support/storage-kills.js';
import { onDatabase, readAll } from '../support/stores.js';

const EVENTS = 12_000;

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'the storage', (openSource) =>
      describeDatabase(to, 'moved by the command', (openTarget) => {
        it('arrives whole however often the command is killed, and the receipt tells of each table', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const before = await readAll(source);
          await moveUnderKills(source, target, 1_500);
          expect(await readAll(target)).toEqual(before);
          expect(await readAll(source)).toEqual(before);
          expect(await runStorage(source, 'verify', '--with', target)).toBe(0);
          await onDatabase(target, ({ schema }) => schema('activity_events').where({ id: 77 }).update({ feed: 5 }));
          expect(await runStorage(source, 'verify', '--with', target)).toBe(1);
        });

        it('is moved in one go with a receipt that names rows and digests of both sides', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, 100);
          const directory = mkdtempSync(join(tmpdir(), 'gatehouse-receipt-'));
          try {
            const file = join(directory, 'receipt.json');
            expect(await runStorage(source, 'move', '--to', target, '--dry-run')).toBe(0);
            expect(await runStorage(source, 'move', '--to', target, '--receipt', file)).toBe(0);
            const receipt = JSON.parse(readFileSync(file, 'utf8'));
            const { source: here, target: there } = receipt.tables.activity_events;
            expect(here).toEqual({ rows: 100, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
            expect(there).toEqual(here);
            expect(receipt).toMatchObject({ verified: true, resumed: false });
          } finally {
            rmSync(directory, { recursive: true });
          }
        });
      }),
    );
