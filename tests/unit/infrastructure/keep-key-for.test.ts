import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Sensitive } from '../../../src/application/shared/sensitive.js';
import { keepKeyFor } from '../../../src/infrastructure/keep-key-for.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the secret key of an installation that moves', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-'));
    writeFileSync(join(folder, 'old.sqlite.key'), `${KEY}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const settings = (secretKey?: string) => ({
    secretKey: secretKey === undefined ? undefined : new Sensitive(secretKey),
    databaseUrl: new Sensitive(`sqlite:${join(folder, 'old.sqlite')}`),
  });
  const next = (): string => join(folder, 'new.sqlite');

  it('goes beside the file that it moves to, for its owner alone', () => {
    expect(keepKeyFor(settings(), `sqlite:${next()}`)).toBe('');
    expect(readFileSync(`${next()}.key`, 'utf8').trim()).toBe(KEY);
    expect((statSync(`${next()}.key`).mode & 0o777).toString(8)).toBe('600');
    expect(keepKeyFor(settings(), `sqlite:${next()}`)).toBe('');
  });

  it('is to be set where it moves to a server, and is not told', () => {
    const told = keepKeyFor(settings(), 'postgres://db.example/gatehouse');
    expect(told).toBe(` Set SECRET_KEY to what is in ${join(folder, 'old.sqlite.key')}.`);
  });

  it('stays a setting where it was one', () => {
    expect(keepKeyFor(settings(KEY), `sqlite:${next()}`)).toBe('');
    expect(existsSync(`${next()}.key`)).toBe(false);
  });

  it('never replaces another one', () => {
    writeFileSync(`${next()}.key`, `${Buffer.alloc(32, 8).toString('base64')}\n`);
    expect(() => keepKeyFor(settings(), `sqlite:${next()}`)).toThrow('is not the one of this installation');
  });
});
