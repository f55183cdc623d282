import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { crossedPairs, selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { runCommand } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { moveUnderKills, plantEvents, runStorage, SECRET_KEY_OF_COMMANDS } from '../support/storage-kills.js';
import { onDatabase, readAll, withEnds } from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const EVENTS = 6_000;
/** How many connections to the target whoever serves keeps at least. */
const WARM = 4;

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

const describePair = (
  from: DatabaseName,
  to: DatabaseName,
  suite: (openSource: OpenTestDatabase, openTarget: OpenTestDatabase) => void,
): void =>
  describeDatabase(from, 'the storage', (openSource) =>
    describeDatabase(to, 'moved by the command', (openTarget) => suite(openSource, openTarget)),
  );

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describePair(from, to, (openSource, openTarget) => {
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
    });

// Of each pair, killed again and again, in tests/prove/storage-survives-kills.test.ts.
for (const [from, to] of crossedPairs())
  describePair(from, to, (openSource, openTarget) => {
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

    it('is given up by abort beside a move that holds, which ends, and can be moved again', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      await plantEvents(source, 100);
      const before = await readAll(source);
      const holding = runStorage(source, 'move', '--to', target, '--hold');
      await until(() => withEnds([source, source], async (end) => (await end.control()).state === 'holding'));
      expect(await runStorage(source, 'abort')).toBe(0);
      expect(await holding).toBe(1);
      expect(await runStorage(source, 'abort')).toBe(1);
      expect(await readAll(source)).toEqual(before);
      expect((await readAll(target)).get('activity_events')).toEqual([]);
      expect(await runStorage(source, 'move', '--to', target)).toBe(0);
      expect(await readAll(target)).toEqual(before);
    });
  });

const SERVING = "from pg_stat_activity where datname = current_database() and application_name like 'gatehouse node %'";

if (selectedDatabases().includes('postgres'))
  describePair('sqlite', 'postgres', (openSource, openTarget) => {
    it('finds those who serve with connections to the target, however long it takes', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      const secretKey = SECRET_KEY_OF_COMMANDS.toString('base64');
      const service = await ServiceProcess.start({ DATABASE_URL: source, SECRET_KEY: secretKey });
      const holding = runStorage(source, 'move', '--to', target, '--hold');
      const count = () =>
        onDatabase(target, async ({ schema }) => {
          const { rows } = (await schema.raw(`select count(*) as open ${SERVING}`)) as { rows: { open: number }[] };
          return rows[0]?.open ?? 0;
        });
      try {
        await until(async () => (await count()) >= WARM);
        // As the pool itself does once nobody has used them for half a minute.
        await onDatabase(target, async ({ schema }) => {
          await schema.raw(`select pg_terminate_backend(pid) ${SERVING}`);
        });
        await until(async () => (await count()) >= WARM);
        expect((await fetch(`${service.url}/-/readiness`)).status).toBe(200);
      } finally {
        await runStorage(source, 'abort');
        await holding;
        await service.end('SIGTERM');
      }
    });
  });

describeDatabase('sqlite', 'the file of a receipt', (openTestDatabase) => {
  it('that can’t be written after the cut is told beside the news that the move has ended', async () => {
    const [source, target] = [await openTestDatabase(), await openTestDatabase()];
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-receipt-'));
    try {
      const file = join(directory, 'receipt.json');
      const settings = { DATABASE_URL: source, SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64') };
      const moving = runCommand(settings, 'storage', 'move', '--to', target, '--hold', '--receipt', file);
      await until(() => withEnds([source, source], async (end) => (await end.control()).state === 'holding'));
      writeFileSync(file, 'of somebody else');
      expect(await runStorage(source, 'cut')).toBe(0);
      const { code, printed } = await moving;
      expect(code).toBe(1);
      expect(printed).toContain(
        `gatehouse: The move has ended, and its receipt could not be written to ${file} (it exists already): Storage in the admin area has it.`,
      );
      expect(await keptReceipts(target)).toHaveLength(1);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describeDatabase('sqlite', 'a dry run', (openTestDatabase) => {
  it('names by table and key what other databases refuse, and writes nothing', async () => {
    const source = await openTestDatabase();
    await plantEvents(source, 3);
    await onDatabase(source, async ({ schema }) => {
      await schema.raw('pragma foreign_keys = off');
      await schema.raw(
        "update activity_events set target_title = cast(x'610062' as text), action = 5000000000 where id = 1",
      );
      await schema.raw("update activity_events set target_title = cast(x'61eda080' as text) where id = 2");
      await schema.raw(
        "insert into emails (user_id, address, address_key, is_primary, created_at) values (7, 'a@b', 'a@b', 0, '2026-01-01T00:00:00.000Z')",
      );
    });
    const before = await readFile(source.slice('sqlite:'.length));
    const settings = { DATABASE_URL: source, SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64') };
    const target = `${source}.moved`;
    const { code, printed } = await runCommand(settings, 'storage', 'move', '--to', target, '--dry-run', '--json');
    expect(code).toBe(1);
    expect(printed).toMatch(/^\{"step":"looked","look":\{"rows":\d+,/m);
    expect(printed).toContain('activity_events 1 action: holds a number of more than 32 bits.');
    expect(printed).toContain('activity_events 1 target_title: holds U+0000 at character 2');
    expect(printed).toContain('activity_events 2 target_title: holds bytes that are no text.');
    expect(printed).toMatch(/^emails \d+ user_id: refers to a row of users that is not there\.$/m);
    expect(await readFile(source.slice('sqlite:'.length))).toEqual(before);
    expect(existsSync(target.slice('sqlite:'.length))).toBe(false);
  });

  it('refuses another secret key that lies where the installation would look for its own, as the move does before it makes anything', async () => {
    const source = await openTestDatabase();
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
    try {
      const target = `sqlite:${join(directory, 'moved.sqlite')}`;
      const keys = [SECRET_KEY_OF_COMMANDS, Buffer.alloc(32, 8)].map((key) => key.toString('base64'));
      for (const [index, url] of [source, target].entries())
        writeFileSync(`${url.slice('sqlite:'.length)}.key`, `${keys[index] ?? ''}\n`);
      for (const more of [['--dry-run'], []]) {
        const { code, printed } = await runCommand(
          { DATABASE_URL: source },
          'storage',
          'move',
          '--to',
          target,
          ...more,
        );
        expect([code, printed]).toEqual([
          1,
          expect.stringMatching(
            /^gatehouse: The secret key in .*moved\.sqlite\.key is not the one of this installation: /,
          ),
        ]);
      }
      expect(readdirSync(directory)).toEqual(['moved.sqlite.key']);
    } finally {
      rmSync(directory, { recursive: true });
      rmSync(`${source.slice('sqlite:'.length)}.key`);
    }
  });
});
