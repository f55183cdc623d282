import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDotenv, requireRoomToTell } from '../../../src/domain/pipelines/dotenv.js';
import { toldBy } from '../../../src/domain/pipelines/given-files.js';
import { BadRequest } from '../../../src/domain/shared/domain-error.js';
import { anyText } from '../../support/any-text.js';

const valuesIn = (text: string) => readDotenv(text).map(({ key, value }) => `${key}=${value}`);

describe('a dotenv report', () => {
  it('has a key and a value in each line, without spaces around them, and with whatever quotes there are', () => {
    expect(valuesIn('A=1\r\n  B = two words \nURL=https://x.example/?a=b\nQUOTED="q"\nEMPTY=\n')).toEqual([
      ...['A=1', 'B=two words', 'URL=https://x.example/?a=b', 'QUOTED="q"', 'EMPTY='],
    ]);
  });

  it('says nothing in empty lines and those that begin with #, and the last of a key counts', () => {
    expect(valuesIn('\n# A=0\nA=1\n\nA=2\n')).toEqual(['A=2']);
    expect(valuesIn('')).toEqual([]);
  });

  it.each(['no line', '=value', 'A B=1', 'export A=1', 'É=1', 'A=\0', `${'k'.repeat(256)}=1`, 'A-B=1'])(
    'is refused where a line is something else: %j',
    (line) => {
      expect(() => readDotenv(`FIRST=1\n${line}\n`)).toThrow(BadRequest);
    },
  );

  it('has 150 variables at most', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `K${index}=v`).join('\n');
    expect(readDotenv(lines(150))).toHaveLength(150);
    expect(() => readDotenv(lines(151))).toThrow('Dotenv files cannot have more than 150 variables');
  });

  it('says no more than its jobs can be told, together with the others of its pipeline', () => {
    const report = (length: number, bytes: number) =>
      Array.from({ length }, () => ({ key: 'K', value: 'é'.repeat(bytes / 2) + 'x' }));
    expect(() => requireRoomToTell([report(999, 0), report(1, 0)])).not.toThrow();
    expect(() => requireRoomToTell([report(999, 0), report(2, 0)])).toThrow(BadRequest);
    expect(() => requireRoomToTell([report(64, 2_046), []])).not.toThrow();
    expect(() => requireRoomToTell([report(64, 2_046), report(1, 0)])).toThrow(BadRequest);
  });

  it('is read or refused, whatever it has, and no key is there twice', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        try {
          const keys = readDotenv(text).map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
      }),
    );
  });

  it('of a later job counts where several say the same', () => {
    const of = (value: string) => ({ variables: readDotenv(`SAME=${value}\nOWN_${value}=${value}`) });
    expect(toldBy([of('one'), of('two')]).map(({ key, value }) => `${key}=${value}`)).toEqual([
      ...['SAME=two', 'OWN_one=one', 'OWN_two=two'],
    ]);
  });
});
