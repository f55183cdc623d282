import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { MovingStorm } from '../support/moving-storm.js';
import { selectedDatabases, sparesSecondDatabase, type DatabaseName } from '../support/selected-databases.js';
import { runStorage } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';

type Way = readonly [from: DatabaseName, to: DatabaseName, nodes: number];
/** Takes as long as both others. */
const BY_TWO_NODES: Way = ['postgres', 'postgres', 2];
/** A file is served by one process. From a file to a file: `prove/storage-survives-kills.test.ts`, and here where there is no other way. */
const WAYS: readonly Way[] = [
  ['sqlite', 'postgres', 1],
  ['postgres', 'sqlite', 1],
  ...(sparesSecondDatabase() ? [] : [BY_TWO_NODES]),
];
const within = selectedDatabases();
const FILES_ALONE: typeof WAYS = [['sqlite', 'sqlite', 1]];
const ways = within.includes('postgres') ? WAYS : FILES_ALONE;

for (const [from, to, nodes] of ways.filter(([one, other]) => within.includes(one) && within.includes(other)))
  describeDatabase(from, `the storage that ${nodes} built services serve from`, (openSource) =>
    describeDatabase(to, 'moved in a storm', (openTarget) => {
      it('loses and doubles nothing that was acknowledged, fails nobody, and signs nobody out', async () => {
        const [source, target] = [await openSource(), await openTarget()];
        const directory = mkdtempSync(join(tmpdir(), 'gatehouse-receipt-'));
        const storm = await MovingStorm.start(source, nodes);
        try {
          await storm.more();
          const before = storm.p99();
          const receipt = join(directory, 'receipt.json');
          expect(await runStorage(storm.settings, 'move', '--to', target, '--receipt', receipt)).toBe(0);
          const meanwhile = storm.p99();
          await storm.more();
          await storm.calm();
          expect(storm.failures).toEqual([]);
          expect(await storm.stored()).toEqual(storm.acknowledged);
          expect(await storm.mailed()).toEqual(storm.commented);
          expect(await storm.stillSignedIn()).toEqual([200, 200]);
          const told = JSON.parse(readFileSync(receipt, 'utf8')) as { readonly cut: { readonly pauseMs: number } };
          process.stdout.write(
            `${from} → ${to}, ${nodes} serving: writers waited ${told.cut.pauseMs} ms; p99 ${before} ms before, ${meanwhile} ms meanwhile\n`,
          );
          expect(told).toMatchObject({
            verified: { beforeCut: true, asOfCut: true },
            cut: { rows: expect.any(Number) },
          });
          await withEnds([source, target], async (one, other) => {
            expect(await one.control()).toMatchObject({ role: 'left' });
            expect(await other.control()).toMatchObject({ role: 'primary', epoch: 1 });
          });
        } finally {
          await storm.close();
          rmSync(directory, { recursive: true });
        }
      });
    }),
  );
