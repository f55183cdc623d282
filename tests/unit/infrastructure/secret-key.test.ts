import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Sensitive } from '../../../src/application/shared/sensitive.js';
import { findSecretKey, makeSecretKey } from '../../../src/infrastructure/configuration/secret-key.js';

describe('the secret key', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-key-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const config = (databaseUrl: string, secretKey?: Buffer) => ({
    databaseUrl: new Sensitive(databaseUrl),
    secretKey: secretKey && new Sensitive(secretKey.toString('base64')),
  });

  it('is made once beside the database, for its owner alone', () => {
    const url = `sqlite:${join(directory, 'new', 'gatehouse.sqlite')}`;
    expect(findSecretKey(config(url))).toBeUndefined();
    const key = makeSecretKey(config(url));
    expect(key).toHaveLength(32);
    expect(makeSecretKey(config(url))).toEqual(key);
    expect(findSecretKey(config(url))).toEqual(key);
    const file = join(directory, 'new', 'gatehouse.sqlite.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toEqual(key);
  });

  it('is the one given, where one is', () => {
    const given = Buffer.alloc(32, 9);
    expect(findSecretKey(config(`sqlite:${join(directory, 'x.sqlite')}`, given))).toEqual(given);
  });

  it('of a database in memory is another for each process', () => {
    expect(makeSecretKey(config('sqlite::memory:'))).not.toEqual(makeSecretKey(config('sqlite::memory:')));
  });

  it('that is damaged is said so, and never replaced', () => {
    const file = join(directory, 'x.sqlite.key');
    writeFileSync(file, 'damaged\n');
    expect(() => findSecretKey(config(`sqlite:${join(directory, 'x.sqlite')}`))).toThrow(/is damaged/);
    expect(() => makeSecretKey(config(`sqlite:${join(directory, 'x.sqlite')}`))).toThrow(/is damaged/);
    expect(readFileSync(file, 'utf8')).toBe('damaged\n');
  });
});
