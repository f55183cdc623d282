import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { tryOpen } from '../../src/application/secret-key/boxes.js';
import { describeEachDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { Installation, type RunningProgram } from '../support/installation.js';
import { openThings, sealThings, type SealedThings } from '../support/sealed-installation.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';
import { whileNobodyWrites } from '../support/while-nobody-writes.js';

/** Twenty steps of a rotation, so that it can be met in its middle. */
const MAILS = 2_000;
const ROWS_OF_AN_INSERT = 200;
const SERVERS = /^postgres/;

const text = (key: Buffer): string => key.toString('base64');
const DONE = /SECRET_KEY opens everything now, and SECRET_KEY_PREVIOUS can be removed\.\n$/;

describeEachDatabase('the secret key of an installation', (openTestDatabase) => {
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  let url: string;
  let database: Database;
  let installation: Installation;
  let things: SealedThings;

  beforeAll(async () => {
    url = await openTestDatabase();
    const preparing = await TestService.start(url, {}, first);
    things = await sealThings(preparing, PASSWORD);
    await preparing.close();
    database = openDatabase({ url, poolMax: 4 });
    await addMails();
    installation = new Installation({ DATABASE_URL: url, ROOT_PASSWORD: PASSWORD });
  });

  afterAll(async () => {
    await installation.remove();
    await database.close();
  });

  /** Mails that nobody sends during the test. */
  const addMails = async (): Promise<void> => {
    const box = createAesSecretBox(first, 'stored secrets');
    const now = new Date();
    const later = new Date(now.getTime() + 86_400_000);
    const { dialect } = database.reader;
    const rows = Array.from({ length: ROWS_OF_AN_INSERT }, () => ({
      recipient: 'ada@example.com',
      template: 'confirm_email' as const,
      sealed_content: box.seal('{"link":"https://gatehouse.example/"}'),
      state: 'waiting' as const,
      attempts: 0,
      due_at: dialect.writeInstant(later),
      created_at: dialect.writeInstant(now),
      expires_at: dialect.writeInstant(later),
    }));
    for (let made = 0; made < MAILS; made += ROWS_OF_AN_INSERT)
      await database.transact(async ({ query }) => void (await query('queued_mails').insert(rows)));
  };

  const endsWith = async (command: string[], settings: Record<string, string>, sentence: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await installation.run(command, settings);
    expect([command, code, stdout, stderr]).toEqual([command, 1, '', expect.stringMatching(sentence)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  };

  const COMMANDS = [
    ['serve'],
    ['user', 'create', '--username', 'grace', '--email', 'grace@example.com'],
    ['user', 'reset-password', '--username', 'ada'],
    ['user', 'disable-two-factor', '--username', 'ada'],
    ['token', 'create', '--user', 'ada', '--scopes', 'api'],
    ['token', 'revoke', '--id', '1'],
    ['demo'],
    ['keys', 'rotate'],
  ];

  it('ends a start, and every command that needs it, when it is another one', async () => {
    const sentence = /^gatehouse: SECRET_KEY is not the key of this database: /;
    // All commands look by one function: on one of the databases each is tried.
    const tried = url.startsWith(selectedDatabases()[0] ?? '') ? COMMANDS : COMMANDS.slice(0, 2);
    await Promise.all(tried.map((command) => endsWith(command, { SECRET_KEY: text(second) }, sentence)));
    const both = { SECRET_KEY: text(second), SECRET_KEY_PREVIOUS: text(third) };
    for (const command of [['serve'], ['secret-key', 'rotate']])
      await endsWith(command, both, /^gatehouse: Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key /);
  });

  it('ends a start of several workers with one sentence, too', async () => {
    if (!SERVERS.test(url)) return;
    const settings = { SECRET_KEY: text(second), WORKERS: '3' };
    await endsWith(['serve'], settings, /^gatehouse: SECRET_KEY is not the key of this database: /);
  });

  it('ends a start, and a command that needs it, when it is lost, and is not made anew', async () => {
    const sentence = SERVERS.test(url)
      ? /^gatehouse: SECRET_KEY is absent, but must be .* set the key that the database was first started with/
      : /^gatehouse: There is no secret key, but this database has one: put .*\.key back, or set SECRET_KEY to /;
    await Promise.all(COMMANDS.slice(0, 2).map((command) => endsWith(command, {}, sentence)));
    if (!SERVERS.test(url)) expect(existsSync(`${url.slice('sqlite:'.length)}.key`)).toBe(false);
  });

  const mailsOpenedBy = async (key: Buffer): Promise<number> => {
    const box = createAesSecretBox(key, 'stored secrets');
    const rows = (await database.reader
      .query('queued_mails')
      .whereNotNull('sealed_content')
      .select('sealed_content')) as {
      sealed_content: string;
    }[];
    return rows.filter(({ sealed_content: sealed }) => tryOpen(box, sealed) !== undefined).length;
  };

  /** Kills a rotation when the first of the many mails has been sealed anew, before it goes on. */
  const killInTheMiddle = async (program: RunningProgram): Promise<void> => {
    const mail = () =>
      database.reader.query('queued_mails').where({ recipient: 'ada@example.com' }).orderBy('id').first();
    const { sealed_content: before } = (await mail()) as { sealed_content: string };
    await until(() =>
      whileNobodyWrites(database, 'queued_mails', async () => {
        if (program.stderr !== '') throw new Error(program.stderr);
        if (((await mail()) as { sealed_content: string }).sealed_content === before) return false;
        program.signal('SIGKILL');
        await program.outcome();
        return true;
      }),
    );
  };

  it('rotates, also when it is killed in the middle, and refuses every half of it', async () => {
    const both = { SECRET_KEY: text(second), SECRET_KEY_PREVIOUS: text(first) };
    const killed = installation.start(['secret-key', 'rotate'], both);
    await killInTheMiddle(killed);
    const [before, after] = [await mailsOpenedBy(first), await mailsOpenedBy(second)];
    expect([before > 0, after > 0]).toEqual([true, true]);
    for (const key of [first, second])
      await endsWith(['serve'], { SECRET_KEY: text(key) }, /a rotation of the secret key has not ended: /);
    const { code, stdout, stderr } = await installation.run(['secret-key', 'rotate'], both);
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringMatching(DONE)]);
    expect(await mailsOpenedBy(first)).toBe(0);
    await endsWith(['serve'], { SECRET_KEY: text(first) }, /^gatehouse: SECRET_KEY is not the key of this database: /);
    await opensEverything(second);
  });

  const opensEverything = async (key: Buffer<ArrayBuffer>): Promise<void> => {
    const service = await TestService.start(url, {}, key);
    const { integrationKey, authenticatorSecret, trackerToken, variable, kid } = things;
    const opened = await openThings(service, things);
    expect(opened).toMatchObject({ integrationKey, authenticatorSecret, trackerToken, variable, kid });
    await service.close();
  };

  it('rotates while requests seal and open, and none of them fails', async () => {
    const both = { SECRET_KEY: text(third), SECRET_KEY_PREVIOUS: text(second) };
    const service = installation.start(['serve'], both);
    const address = await service.address();
    const call = async (method: string, path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`${address}/api/v4/projects/${things.projectId}${path}`, {
        method,
        headers: { 'PRIVATE-TOKEN': things.ada.token, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([method, path, response.ok]).toEqual([method, path, true]);
      return response.json();
    };
    const rotation = installation.start(['secret-key', 'rotate'], both);
    const end = { reached: false };
    const outcome = rotation.outcome().finally(() => (end.reached = true));
    let rounds = 0;
    while (!end.reached || rounds < 2) {
      await Promise.all([
        call('POST', `/alert_integrations/${things.integrationId}/reset_token`),
        call('GET', '/alert_integrations'),
        call('PUT', '/error_tracking/settings', {
          api_url: 'https://errors.example/api/0/projects/team/engine',
          token: `${rounds}`,
        }),
        fetch(`${address}/oauth/discovery/keys`).then(({ status }) => expect(status).toBe(200)),
      ]);
      rounds += 1;
    }
    expect([(await outcome).code, (await outcome).stderr]).toEqual([0, expect.stringMatching(DONE)]);
    expect(rounds).toBeGreaterThan(1);
    const [integration] = (await call('GET', '/alert_integrations')) as { token: string }[];
    service.signal('SIGTERM');
    expect((await service.outcome()).code).toBe(0);
    things = { ...things, integrationKey: integration?.token ?? '', trackerToken: String(rounds - 1) };
    await opensEverything(third);
  });

  it('has nothing to do when it is run again, and wants a previous key', async () => {
    const both = { SECRET_KEY: text(third), SECRET_KEY_PREVIOUS: text(second) };
    const again = await installation.run(['secret-key', 'rotate'], both);
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^Re-encrypted 0 values: /)]);
    await endsWith(
      ['secret-key', 'rotate'],
      { SECRET_KEY: text(third) },
      /^gatehouse: SECRET_KEY_PREVIOUS is absent: /,
    );
    const same = { SECRET_KEY: text(third), SECRET_KEY_PREVIOUS: text(third) };
    await endsWith(['secret-key', 'rotate'], same, /^gatehouse: SECRET_KEY_PREVIOUS is the same as SECRET_KEY/);
  });
});
