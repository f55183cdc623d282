import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import type { SignedReceipt } from '../../src/application/storage/ports/move-receipts.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { plantReceipt, receiptOf } from '../support/planted-receipt.js';
import { TestService } from '../support/test-service.js';

const KEPT = 50;

describeEachDatabase('the receipts of moves in the admin area', (openTestDatabase) => {
  let service: TestService;
  let boss: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('boss', { admin: true, password: PASSWORD });
    boss = new FormBrowser(service.url);
    await boss.signIn('boss');
  });
  afterAll(() => service.close());

  const database = () => service.service.container.get(TOKENS.database);
  const read = async (path: string) => (await boss.get(path)).text();
  const addressOf = (html: string, move: string) =>
    new RegExp(`href="(/admin/storage/\\d+)">${move}<`).exec(html)?.[1] ?? '';

  it('are none before the first move', async () => {
    expect(await read('/admin/storage')).toContain('was not moved from another database');
    expect((await boss.get('/admin/storage/1')).status).toBe(404);
  });

  it('stand below what the storage is, how large, how up to date, and when it was last backed up', async () => {
    const html = await read('/admin/storage');
    for (const told of [/(SQLite|PostgreSQL), \d+\.\d MiB\./, /All \d+ migrations are applied\./, /Backups/])
      expect(html).toMatch(told);
  });

  /** A service that writes backups, and what it tells an administrator of them. */
  const startBackingUp = async (backupSchedule: string, backupDirectory: string) => {
    const backedUp = await TestService.start(await openTestDatabase(), { backupSchedule, backupDirectory });
    await backedUp.addUser('boss', { admin: true, password: PASSWORD });
    const browser = new FormBrowser(backedUp.url);
    await browser.signIn('boss');
    return { backedUp, told: async () => (await browser.get('/admin/storage')).text() };
  };

  it('stand beside backups that failed, which are counted also where the folder can’t be used', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
    const folder = join(directory, 'backups');
    const { backedUp, told } = await startBackingUp('0 3 * * *', folder);
    try {
      const run = () => backedUp.service.container.get(TOKENS.scheduledBackups).run(new AbortController().signal);
      expect(await told()).not.toContain('It was time for');
      writeFileSync(folder, 'of somebody else');
      await expect(run()).rejects.toThrow(`${folder} can't be used: it is not a folder.`);
      expect(await (await fetch(`${backedUp.url}/-/metrics`)).text()).toContain(
        'gatehouse_backups_total{outcome="failed"} 1',
      );
      expect(await told()).toContain('Backups</strong> <span class="badge critical">');
      rmSync(folder);
      expect(await told()).toContain('The last one failed: No backup was written: ');
    } finally {
      await backedUp.close();
      rmSync(directory, { recursive: true });
    }
  });

  it('stand beside backups whose time has come and gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
    const { backedUp, told } = await startBackingUp('0 * * * *', folder);
    try {
      const hours = (count: number) => backedUp.clock.advance(count * 3_600_000);
      expect(await told()).not.toContain('It was time for');
      hours(3);
      expect(await told()).toContain('It was time for one.');
      const at = backedUp.clock.now().toISOString();
      const name = `gatehouse-${at.replaceAll(/[-:]|\.\d{3}/g, '')}.ghb`;
      writeFileSync(join(folder, name), Buffer.alloc(2 * 1_048_576));
      const fresh = await told();
      expect(fresh).toContain(`${name} in ${folder}, of ${at.slice(0, 10)} ${at.slice(11, 16)} UTC, 2.0 MiB.`);
      expect(fresh).not.toContain('It was time for');
      hours(3);
      expect(await told()).toContain('It was time for a newer one, twice.');
    } finally {
      await backedUp.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('say who moved what from where, for how long writers waited, and what each table holds on both sides', async () => {
    await plantReceipt(database(), '7f3a91c2');
    const list = await read('/admin/storage');
    for (const told of [
      'ada@db-1',
      'sqlite:/var/lib/gatehouse/gatehouse.sqlite',
      'db.example/gatehouse',
      '63 ms',
      '48.0 s',
    ])
      expect(list).toContain(told);
    const page = await read(addressOf(list, '7f3a91c2'));
    for (const told of [
      'issues',
      '41',
      'ab'.repeat(32),
      'cd'.repeat(32),
      '23.5 s: copied every row',
      'Gatehouse 0.2.0',
    ])
      expect(page).toContain(told);
  });

  it('are downloaded with a signature that the published keys verify', async () => {
    const address = addressOf(await read('/admin/storage'), '7f3a91c2');
    const response = await boss.get(`${address}/receipt.json`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=gatehouse-move-7f3a91c2.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { signature, ...receipt } = (await response.json()) as SignedReceipt;
    expect(receipt).toEqual(receiptOf('7f3a91c2'));
    const keys = (await (await fetch(`${service.url}/oauth/discovery/keys`)).json()) as JSONWebKeySet;
    const { payload } = await jwtVerify(signature, createLocalJWKSet(keys));
    expect(payload['receipt_sha256']).toBe(hash('sha256', JSON.stringify(receipt), 'hex'));
  });

  it('are shown the last one first, and the oldest are forgotten', async () => {
    for (let move = 1; move <= KEPT; move += 1)
      await plantReceipt(database(), `move-${move}`, new Date(Date.UTC(2027, 0, 1, 0, move)));
    const { items } = await service.service.container.get(TOKENS.database).transact(async ({ query }) => ({
      items: (await query('storage_receipts').orderBy('id')) as { move: string }[],
    }));
    expect(items.map(({ move }) => move)).toEqual(Array.from({ length: KEPT }, (_, index) => `move-${index + 1}`));
    const [first, last] = [await read('/admin/storage'), await read('/admin/storage?page=3')];
    expect(first.indexOf('move-50<')).toBeLessThan(first.indexOf('move-49<'));
    expect(first.indexOf('move-50<')).toBeGreaterThan(0);
    expect(last).toContain('move-1<');
  });
});
