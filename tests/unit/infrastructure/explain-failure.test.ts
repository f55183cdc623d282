import { describe, expect, it } from '@jest/globals';
import { Unavailable } from '../../../src/domain/shared/domain-error.js';
import { databaseFailure, describeDatabaseFailure } from '../../../src/infrastructure/database-failure.js';
import { explainFailure, listenFailure } from '../../../src/infrastructure/explain-failure.js';

const failure = (properties: object, message = 'said by the system'): Error =>
  Object.assign(new Error(message), properties);

describe('a database that can’t be opened', () => {
  const describeIt = (error: unknown): string | undefined =>
    describeDatabaseFailure(error, 'postgres://ada:hush@db.example:5432/gate%20house');

  it('is told in a sentence without the password', () => {
    const sentences = [
      [{ code: 'ECONNREFUSED' }, 'The database is out of reach: nobody listens at db.example:5432.'],
      [{ code: 'ENOTFOUND' }, 'The database is out of reach: there is no host db.example.'],
      [
        { code: '3D000' },
        'There is no database "gate house" at db.example:5432: create it there, or correct its name.',
      ],
      [{ code: '28P01' }, 'db.example:5432 refuses the password of the user "ada".'],
      [{ code: '28000' }, 'db.example:5432 refuses the user "ada": said by the system.'],
    ] as const;
    for (const [properties, sentence] of sentences) {
      expect(describeIt(failure(properties))).toBe(sentence);
      expect(describeIt(new Unavailable('database', { cause: failure(properties) }))).toBe(sentence);
    }
  });

  it('is told to ask for a password, or not to answer', () => {
    const scram = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';
    expect(describeIt(failure({}, scram))).toMatch(/^db\.example:5432 asks for a password of the user "ada": /);
    const late = failure({}, 'Connection terminated due to connection timeout');
    expect(describeIt(late)).toBe('The database is out of reach: db.example:5432 does not answer.');
  });

  it('is left to what it says itself where nothing better is known', () => {
    expect(describeIt(failure({ code: '42601' }))).toBeUndefined();
    expect(describeDatabaseFailure(failure({ code: 'ECONNREFUSED' }), 'sqlite:./a.sqlite')).toBeUndefined();
  });
});

describe('a file of a database that can’t be written', () => {
  it('is named, with what to do', () => {
    const full = failure({ code: 'SQLITE_FULL' });
    for (const error of [full, new Unavailable('database', { cause: full })]) {
      const sentence = "can't be written: no space is left on the device: make room, and try again.";
      expect(describeDatabaseFailure(error, 'sqlite:./a.sqlite')).toBe(`The database file ./a.sqlite ${sentence}`);
      expect(explainFailure(error)).toBe(`The database file ${sentence}`);
      expect(explainFailure(databaseFailure(error, 'sqlite:./a.sqlite'))).toBe(
        `The database file ./a.sqlite ${sentence}`,
      );
    }
    expect(describeDatabaseFailure(failure({ code: 'SQLITE_READONLY_DIRECTORY' }), 'sqlite:./a.sqlite')).toBe(
      "The database file ./a.sqlite can't be written: this account may not write to it, or to the folder that it is in.",
    );
  });
});

describe('what ends a command', () => {
  it('is told by the path and the reason where the system refuses a file', () => {
    expect(explainFailure(failure({ code: 'ENOSPC', path: '/data/x', syscall: 'write' }))).toBe(
      "/data/x can't be used: no space is left on the device.",
    );
    expect(explainFailure(failure({ code: 'EACCES' }))).toBe('Permission denied: said by the system');
    expect(explainFailure(failure({ code: 'ENOSPC', syscall: 'write' }))).toBe(
      "A file can't be written: no space is left on the device.",
    );
    expect(explainFailure(failure({}))).toBe('said by the system');
  });
});

describe('a server that can’t listen', () => {
  const told = (code: string, settings: readonly [string, string]) =>
    (listenFailure(failure({ code }), { port: 80, host: 'there.example', settings }) as Error).message;

  it('is told by the setting that says where, be it the one of the service or of SSH', () => {
    const sentences = [
      ['EADDRINUSE', 'The port 80 is in use: choose another by PORT, or PORT=0 for a free one.'],
      ['EADDRNOTAVAIL', 'HOST is there.example, which is no address of this machine.'],
      ['ENOTFOUND', 'HOST is there.example, and there is no such host.'],
      ['EAI_AGAIN', "HOST is there.example, a name that can't be looked up."],
      ['EACCES', 'The account that runs this may not listen at port 80: choose one above 1023 by PORT.'],
      ['EINVAL', 'said by the system'],
    ] as const;
    for (const [code, sentence] of sentences) {
      expect(told(code, ['PORT', 'HOST'])).toBe(sentence);
      expect(told(code, ['SSH_PORT', 'SSH_HOST'])).toBe(sentence.replaceAll(/PORT|HOST/g, 'SSH_$&'));
    }
  });
});
