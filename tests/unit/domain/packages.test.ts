import { describe, expect, it } from '@jest/globals';
import { checkFileName, roomForPackages } from '../../../src/domain/packages/package.js';
import { roomLeft } from '../../../src/domain/shared/room-for-files.js';

const ORDINARY = { name: 'tools', version: '1.0.0', fileName: 'tool.tar.gz' };
const said = (of: Partial<typeof ORDINARY>): string => {
  try {
    checkFileName({ ...ORDINARY, ...of });
    return 'fine';
  } catch (error) {
    return (error as Error).message.split(' ')[0]!;
  }
};

describe('the name of a file of a package', () => {
  it('is of a package and a version that stand in addresses as they are', () => {
    for (const name of ['a', 'A.b_c-1', '...a', 'x'.repeat(255)])
      expect([name, said({ name })]).toEqual([name, 'fine']);
    for (const name of ['', '.', '..', '...', 'a/b', 'a b', 'é', 'a+b', 'a\n', 'x'.repeat(256)])
      expect([name, said({ name })]).toEqual([name, 'package_name']);
    for (const version of ['1.0.0-rc.1+build.7', 'v1', 'x'.repeat(255)])
      expect([version, said({ version })]).toEqual([version, 'fine']);
    for (const version of ['', '..', '1/0', '1 0', '1~0', '1\n', 'x'.repeat(256)])
      expect([version, said({ version })]).toEqual([version, 'package_version']);
  });

  it('is any text that is no path, and turns nothing around it', () => {
    for (const fileName of ['a', '.hidden', 'a b.txt', 'Größe 100%.txt', '@scope', '日本.zip', 'x'.repeat(255)])
      expect([fileName, said({ fileName })]).toEqual([fileName, 'fine']);
    for (const fileName of ['', '.', '..', 'a..b', '../a', 'a/b', 'a\\b', 'a\u0000', 'a\nb', 'a\u202eb', '\ud800'])
      expect([fileName, said({ fileName })]).toEqual([fileName, 'file_name']);
    expect(said({ fileName: 'x'.repeat(256) })).toBe('file_name');
  });
});

it('packages of a project have so many bytes and files together as they may have', () => {
  expect(roomLeft({ files: 1, bytes: 900 }, roomForPackages(1_000))).toBe(100);
  expect(roomLeft({ files: 1, bytes: 900 }, roomForPackages(null))).toBe(Infinity);
  expect(() => roomLeft({ files: 1, bytes: 1_000 }, roomForPackages(1_000))).toThrow('at most 1000 bytes together');
  expect(() => roomLeft({ files: 100_000, bytes: 0 }, roomForPackages(null))).toThrow('at most 100000 files');
});
