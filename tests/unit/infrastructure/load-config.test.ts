import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeConfig } from '../../../src/infrastructure/configuration/describe-config.js';
import { ConfigInvalid, loadConfig, type Environment } from '../../../src/infrastructure/configuration/load-config.js';
import { SETTINGS, type SettingName } from '../../../src/infrastructure/configuration/settings.js';
import { anyText } from '../../support/any-text.js';
import { temporaryFolder } from '../../support/git.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
};

describe('the settings', () => {
  it('are good as they are', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      databaseReplicaUrl: undefined,
      databasePoolMax: 10,
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      tier: 'ultimate',
      accessTokenTtlSeconds: 7200,
      refreshGraceSeconds: 30,
      alertPayloadLimitBytes: 1_048_576,
      nodeEnv: 'development',
      mailFrom: 'gatehouse@localhost',
      rateLimits: { api: 'off', alerts: 'off', signIn: 20 },
      workers: 1,
      trustProxy: false,
      logLevel: 'info',
      logFormat: 'json',
      autoMigrate: true,
      demo: false,
    });
    expect(config.databaseUrl.reveal()).toBe('sqlite:./data/gatehouse.sqlite');
  });

  it('that are bad are named all at once, with what was given and what is allowed', () => {
    expect(
      problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', TIER: 'gold', RATE_LIMIT_API: '-1', BASE_URL: 'localhost' }),
    ).toEqual([
      'PORT is "70000", but must be a port from 0 to 65535.',
      'BASE_URL is "localhost", but must be an http or https address without query.',
      'TIER is "gold", but must be free, premium or ultimate.',
      'RATE_LIMIT_API is "-1", but must be "off" or a whole number of requests a minute.',
      'LOG_LEVEL is "loud", but must be error, warn, info or debug.',
    ]);
  });

  it('have a schedule of five fields, or one by its name', () => {
    for (const schedule of ['off', '0 3 * * *', '*/15 * * * 1-5', '@daily'])
      expect([schedule, problemsOf({ BACKUP_SCHEDULE: schedule })]).toEqual([schedule, []]);
    for (const schedule of ['* * * * * *', '0 0 3 * * *', '0 3 * *', '@noon', '0 3 30 2 *', '2030-01-01T00:00:00'])
      expect(problemsOf({ BACKUP_SCHEDULE: schedule })).toEqual([
        `BACKUP_SCHEDULE is "${schedule}", but must be "off" or a time as cron has it, in five fields and UTC, such as "0 3 * * *".`,
      ]);
  });

  it('that are secret are not shown, not even when they are bad', () => {
    const environment = { SECRET_KEY: 'too short', SMTP_URL: 'http://me:hush@mail', ROOT_PASSWORD: 'tiny' };
    const problems = problemsOf(environment);
    expect(problems).toHaveLength(3);
    for (const secret of ['too short', 'hush', 'tiny']) expect(problems.join()).not.toContain(secret);
  });

  it('do not repeat the key that opens archives where the public half of it belongs', () => {
    expect(problemsOf({ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1HUSH' })).toEqual([
      'BACKUP_RECIPIENT is the secret half of a key, but must be the public one, which begins with age1.',
    ]);
    expect(problemsOf({ BACKUP_RECIPIENT: '1HUSH' })).toEqual([
      'BACKUP_RECIPIENT is no public half of a key, but must be one as age-keygen prints it, which begins with age1.',
    ]);
  });

  it('do not show secrets in a dump of the configuration', () => {
    const dump = (value: unknown) => `${inspect(value, { depth: 9 })}${JSON.stringify(value)}`;
    const environment = {
      SECRET_KEY: KEY,
      ROOT_PASSWORD: 'correct horse',
      DATABASE_URL: 'postgres://me:hush@db/name',
      SMTP_URL: 'smtp://me:quiet@mail',
    };
    const shown = dump(loadConfig(environment)) + describeConfig(environment).join('\n');
    for (const secret of [KEY, 'correct horse', 'hush', 'quiet']) expect(shown).not.toContain(secret);
    expect(describeConfig(environment)).toContain('DATABASE_URL=postgres://me:[secret]@db/name');
    const awkward = { DATABASE_URL: 'postgres://me:hu@sh@db/name?sslpassword=quiet&application_name=x' };
    expect(describeConfig(awkward)).toContain(
      'DATABASE_URL=postgres://me:[secret]@db/name?sslpassword=[secret]&application_name=x',
    );
  });

  it('show no password of an address, however little of it is encoded', () => {
    const user = ['me', 'me@example.com', 'do/me', ''];
    const password = ['hush', 'hu@sh', 'hu/sh', 'hu:sh', 'hu?sh', '12/hush', 'hu#sh'];
    for (const address of user.flatMap((name) => password.map((word) => `${name}:${word}`))) {
      const described = describeConfig({
        DATABASE_URL: `postgres://${address}@db/name`,
        DATABASE_REPLICA_URL: `postgres://${address}@replica/name`,
        SMTP_URL: `smtp://${address}@mail:587`,
      });
      expect(described.filter((line) => line.includes('sh@') || line.includes('hu'))).toEqual([]);
      expect(described).toContain(`SMTP_URL=smtp://${address.slice(0, address.indexOf(':'))}:[secret]@mail:587`);
    }
  });

  it('are described as they are in force: given, default or derived', () => {
    // In a folder of its own: what somebody tried out in this one may have a key.
    const database = join(temporaryFolder(), 'gatehouse.sqlite');
    const at = { DATABASE_URL: `sqlite:${database}` };
    const described = describeConfig({ ...at, PORT: '9090', TIER: 'free', METRICS_TOKEN: 'only for the collector' });
    for (const line of [
      'PORT=9090',
      'TIER=free',
      'HOST=127.0.0.1',
      'BASE_URL=http://localhost:9090',
      `SECRET_KEY=# created at the first start in ${database}.key`,
      'SECRET_KEY_PREVIOUS=# no other key is accepted',
      'EVENT_RETENTION_DAYS=# two calendar years',
      'METRICS_TOKEN=[secret]',
    ])
      expect(described).toContain(line);
    expect(described.filter((line) => line.endsWith('='))).toEqual(['OAUTH_DISABLED_FLOWS=', 'OUTBOUND_ALLOWLIST=']);
    writeFileSync(`${database}.key`, KEY);
    expect(describeConfig(at)).toContain(`SECRET_KEY=# read from ${database}.key`);
  });

  it('contradict each other where one database would need what it is not given', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://db/name' })).toEqual([
      expect.stringMatching(/^SECRET_KEY is absent/),
    ]);
    expect(problemsOf({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: KEY })).toEqual([
      expect.stringMatching(/^SECRET_KEY_PREVIOUS is the same as SECRET_KEY, but must be/),
    ]);
    expect(problemsOf({ WORKERS: '2' })).toEqual([expect.stringMatching(/^WORKERS is "2", but must be 1/)]);
    expect(problemsOf({ DATABASE_URL: 'postgres://db/name', SECRET_KEY: KEY, WORKERS: '2' })).toEqual([]);
  });

  it('leave a connection for the work while another holds a lock', () => {
    expect(problemsOf({ DATABASE_REPLICA_URL: 'postgres://db/gatehouse' })).toEqual([
      'DATABASE_REPLICA_URL is set, but must be absent when DATABASE_URL is sqlite:…: a file has no replica.',
    ]);
    expect(problemsOf({ DATABASE_POOL_MAX: '1' })).toEqual([expect.stringMatching(/at least 2/)]);
    expect(loadConfig({ DATABASE_POOL_MAX: '2' }).databasePoolMax).toBe(2);
  });

  it.each([
    ['true', 1],
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
    ['2001:db8::/32', '2001:db8::/32'],
  ])('trust proxies as %s', (given, trustProxy) => {
    expect(loadConfig({ TRUST_PROXY: given }).trustProxy).toEqual(trustProxy);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.1/8/8', '10.0.0.0/', ',', '2001:db8::/129', '-1'])(
    'trust no proxy that is no address: %s',
    (given) => {
      expect(problemsOf({ TRUST_PROXY: given })).toEqual([expect.stringMatching(/^TRUST_PROXY is /)]);
    },
  );

  it.each([
    ['', []],
    ['10.1.0.0/16', ['10.1.0.0/16']],
    ['10.1.2.3, fd12::/16 ,::1', ['10.1.2.3', 'fd12::/16', '::1']],
  ])('allow outgoing connections into "%s"', (given, outboundAllowlist) => {
    expect(loadConfig({ OUTBOUND_ALLOWLIST: given })).toMatchObject({ outboundAllowlist });
  });

  it.each(['tracker.example', '10.0.0.0/33', '10.999.0.0/16', '10.0.0/8', '10.0.0.1/', '::/129', '10.0.0.1 10.0.0.2'])(
    'allow outgoing connections into no network that is none: %s',
    (given) => {
      expect(problemsOf({ OUTBOUND_ALLOWLIST: given })).toEqual([
        `OUTBOUND_ALLOWLIST is "${given}", but must be addresses and networks such as 10.1.0.0/16, separated by commas.`,
      ]);
    },
  );

  it('are read or refused with a sentence, whatever is given', () => {
    const name = fc.constantFrom(...(Object.keys(SETTINGS) as SettingName[]));
    const value = fc.oneof(anyText({ maxLength: 40 }), fc.integer().map(String));
    fc.assert(
      fc.property(fc.dictionary(name, value), (environment) => {
        for (const problem of problemsOf(environment)) {
          expect(problem).toMatch(/^[A-Z_]+ is [\s\S]*, but must be [\s\S]+\.$/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
