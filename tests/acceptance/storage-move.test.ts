import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { moveUnderKills, plantEvents, runStorage, SECRET_KEY_OF_COMMANDS } from '../support/storage-kills.js';
import { onDatabase, readAll } from '../support/stores.js';
import { TestService } from '../support/test-service.js';

const EVENTS = 12_000;

/** As whoever is handed a receipt does. */
const verifySignature = async (databaseUrl: string, signature: string) => {
  const service = await TestService.start(databaseUrl, {}, SECRET_KEY_OF_COMMANDS);
  try {
    const published = await fetch(`${service.url}/oauth/discovery/keys`);
    return await jwtVerify(signature, createLocalJWKSet((await published.json()) as JSONWebKeySet));
  } finally {
    await service.close();
  }
};

/** What the admin area shows, the first move first. */
const keptReceipts = (url: string): Promise<readonly unknown[]> =>
  onDatabase(url, async ({ schema }) => {
    const rows = (await schema('storage_receipts').orderBy('id')) as { receipt: string }[];
    return rows.map(({ receipt }) => JSON.parse(receipt) as unknown);
  });

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

        it('keeps the receipts of all moves that brought it where it is, and the run that ends a move keeps one', async () => {
          const [source, target, next] = [await openSource(), await openTarget(), await openSource()];
          expect(await runStorage(source, 'move', '--to', target)).toBe(0);
          expect(await runStorage(target, 'move', '--to', next)).toBe(0);
          expect(await runStorage(target, 'move', '--to', next)).toBe(0);
          const kept = await keptReceipts(next);
          expect(kept).toHaveLength(2);
          expect(kept[0]).toEqual((await keptReceipts(target))[0]);
          expect(kept[1]).toMatchObject({
            by: expect.stringContaining('@'),
            verified: { asOfCut: true },
            resumed: false,
          });
        });

        it('is moved in one go with a signed receipt that names rows and digests of both sides', async () => {
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
            expect(receipt).toMatchObject({ verified: { beforeCut: true, asOfCut: true }, resumed: false });
            const { signature, ...signed } = receipt;
            const { payload } = await verifySignature(target, signature);
            expect(payload['receipt_sha256']).toBe(hash('sha256', JSON.stringify(signed), 'hex'));
            expect(await keptReceipts(target)).toEqual([signed]);
          } finally {
            rmSync(directory, { recursive: true });
          }
        });
      }),
    );
