import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { ROTATED_COLUMNS } from '../../src/adapters/outbound/persistence/knex/secret-key/rotated-columns.js';
import { SEALED_COLUMNS, TABLES } from '../../src/adapters/outbound/persistence/knex/tables.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { tryOpen } from '../../src/application/secret-key/boxes.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { describeRotation, rotateSecretKey } from '../../src/infrastructure/rotate-secret-key.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { codeOf, openThings, sealThings, type SealedThings } from '../support/sealed-installation.js';
import { testConfig } from '../support/test-config.js';
import { TestService } from '../support/test-service.js';

const PURPOSES = ['stored secrets', 'tracker tokens', 'sentinel', 'cursors of lists', 'unsubscribe links'];

type Key = Buffer<ArrayBuffer>;

const sensitive = (key: Key) => new Sensitive(key.toString('base64'));

/** An installation sealed with one key, its service stopped. */
const sealedWith = async (url: string, key: Key): Promise<SealedThings> => {
  const service = await TestService.start(url, {}, key);
  try {
    return await sealThings(service, PASSWORD);
  } finally {
    await service.close();
  }
};

const startWith = (url: string, current: Key, previous?: Key): Promise<TestService> =>
  TestService.start(url, previous === undefined ? {} : { secretKeyPrevious: sensitive(previous) }, current);

const opensAll = async (service: TestService, things: SealedThings): Promise<void> => {
  const { integrationKey, authenticatorSecret, trackerToken, variable, kid, hostKeys, mailedLink, pipelineVariables } =
    things;
  const opened = await openThings(service, things);
  expect(opened.mirrorCredentials).toBe(things.mirrorCredentials);
  expect(opened.pullCredentials).toBe(things.mirrorCredentials);
  expect(opened.importCredentials).toBe(things.mirrorCredentials);
  expect(opened.webhookHeaders).toBe(things.webhookHeaders);
  expect(opened).toMatchObject({ integrationKey, authenticatorSecret, trackerToken, variable, kid, hostKeys });
  expect(opened.pipelineVariables).toBe(pipelineVariables);
  expect(opened.jobVariables).toBe(pipelineVariables);
  expect(opened.scheduleVariables).toBe(pipelineVariables);
  expect(opened.triggerToken).toBe(things.triggerToken);
  expect(opened.mailedLinks).toContain(mailedLink);
};

const rotate = (url: string, current: Key, previous: Key) =>
  rotateSecretKey(testConfig(url, { secretKey: sensitive(current), secretKeyPrevious: sensitive(previous) }));

describeEachDatabase('the secret key', (openTestDatabase) => {
  const [key, other] = [randomBytes(32), randomBytes(32)];

  const isRefused = async (url: string, current: Key, sentence: RegExp, previous?: Key): Promise<void> => {
    await expect(startWith(url, current, previous)).rejects.toThrow(sentence);
  };

  it('that is not the one of the database stops the start', async () => {
    const url = await openTestDatabase();
    await (await startWith(url, key)).close();
    await isRefused(url, other, /^SECRET_KEY is not the key of this database/);
    await isRefused(url, other, /^Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key/, randomBytes(32));
    await (await startWith(url, key)).close();
  });

  it('is taken by an installation without a sentinel only if it opens what is sealed there', async () => {
    const url = await openTestDatabase();
    const things = await sealedWith(url, key);
    const before = await startWith(url, key);
    await before.service.database.transact(({ query }) => query('secret_key_sentinels').delete());
    await before.close();
    await isRefused(url, other, /^SECRET_KEY is not the key of this database/);
    const adopted = await startWith(url, key);
    await opensAll(adopted, things);
    expect(await adopted.service.database.reader.query('secret_key_sentinels').select('id')).toHaveLength(1);
    await adopted.close();
    await isRefused(url, other, /^SECRET_KEY is not the key of this database/);
  });

  it('is one for all of those that start together with different ones', async () => {
    const url = await openTestDatabase();
    const start = () => TestService.start(url, { autoMigrate: false }, randomBytes(32));
    const starts = await Promise.allSettled(Array.from({ length: 4 }, start));
    const started = starts.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const refused = starts.flatMap((each) => (each.status === 'rejected' ? String(each.reason) : []));
    await Promise.all(started.map((service) => service.close()));
    expect(started).toHaveLength(1);
    expect(refused.filter((reason) => !reason.includes('SECRET_KEY is not the key of this database'))).toEqual([]);
  });

  it('replaces another: both are accepted until everything is sealed anew, and then one', async () => {
    const url = await openTestDatabase();
    const things = await sealedWith(url, key);
    const during = await startWith(url, other, key);
    await opensAll(during, things);
    await isRefused(url, other, /a rotation of the secret key has not ended/);
    await isRefused(url, key, /a rotation of the secret key has not ended/);
    const rotation = await rotate(url, other, key);
    expect(rotation.resealed).toBeGreaterThanOrEqual(ROTATED_COLUMNS.length);
    expect(rotation.unreadable.size).toBe(0);
    await opensAll(during, things);
    await during.close();
    expect(await rotate(url, other, key)).toMatchObject({ resealed: 0 });
    await isRefused(url, key, /^SECRET_KEY is not the key of this database/);
    const after = await startWith(url, other);
    await opensAll(after, things);
    await after.close();
  });

  it('can be exchanged for the one before while the rotation has not ended', async () => {
    const url = await openTestDatabase();
    const things = await sealedWith(url, key);
    await (await startWith(url, other, key)).close();
    await rotate(url, key, other);
    const back = await startWith(url, key);
    await opensAll(back, things);
    await back.close();
  });

  it('says which values neither key opens, and leaves them alone', async () => {
    const url = await openTestDatabase();
    await sealedWith(url, key);
    const service = await startWith(url, key);
    await service.service.database.transact(({ query }) =>
      query('users').where({ username: 'ada' }).update({ two_factor_sealed_secret: 'damaged' }),
    );
    await service.close();
    const rotation = await rotate(url, other, key);
    expect([...rotation.unreadable]).toEqual([['users.two_factor_sealed_secret', 1]]);
    expect(describeRotation(rotation)).toEqual([
      "1 value in users.two_factor_sealed_secret can't be opened with either key, and was left alone.",
      expect.stringContaining('SECRET_KEY opens everything else now'),
    ]);
  });

  it('signs nobody out when it changes, and takes a code that was asked for before', async () => {
    const url = await openTestDatabase();
    const things = await sealedWith(url, key);
    const during = await startWith(url, other, key);
    const browser = new FormBrowser(during.url);
    expect((await browser.signIn('ada')).headers.get('location')).toBe('/users/sign_in/verify');
    await rotate(url, other, key);
    // Past the code that turned the second factor on.
    during.clock.advance(60_000);
    const signedIn = await browser.submit('/users/sign_in/verify', '/users/sign_in/verify', {
      code: codeOf(during, things),
    });
    expect(signedIn.status).toBe(303);
    await during.close();
    const after = await startWith(url, other);
    const same = new FormBrowser(after.url);
    browser.cookies.forEach((value, name) => same.cookies.set(name, value));
    expect((await same.get('/profile/account')).status).toBe(200);
    await after.close();
  });

  it('seals no value outside the columns that a rotation goes through', async () => {
    const url = await openTestDatabase();
    await sealedWith(url, key);
    const service = await startWith(url, key);
    const boxes = PURPOSES.map((purpose) => createAesSecretBox(key, purpose));
    const found = new Set<string>();
    for (const table of Object.keys(TABLES)) {
      for (const row of (await service.service.database.reader.query(table).select()) as Record<string, unknown>[])
        for (const [column, value] of Object.entries(row))
          if (typeof value === 'string' && boxes.some((box) => tryOpen(box, value) !== undefined))
            found.add(`${table}.${column}`);
    }
    await service.close();
    expect([...found].sort()).toEqual(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  });
});
