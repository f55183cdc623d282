import { describe, expect, it } from '@jest/globals';
import { TAR_END, tarHeader, tarPadding } from '../../../src/adapters/outbound/git/tar.js';

const GIBIBYTE = 2 ** 30;

/** What GNU tar and git's own reader take: octal digits, or a number of eight bytes behind a first byte of 0x80. */
const sizeIn = (header: Buffer): number =>
  header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8);

describe('a header of a tar archive', () => {
  it.each([0, 1, 511, 8 * GIBIBYTE - 1, 8 * GIBIBYTE, 100 * GIBIBYTE])('tells a size of %i bytes', (bytes) => {
    expect(sizeIn(tarHeader('objects/pack/a.pack', bytes))).toBe(bytes);
  });

  it('carries the sum of its bytes, its own field counted as blanks', () => {
    const header = tarHeader('HEAD', 23);
    const told = Number.parseInt(header.toString('latin1', 148, 154), 8);
    header.fill(' ', 148, 156);
    expect(told).toBe(header.reduce((sum, byte) => sum + byte, 0));
  });

  it('tells folders from files by the slash at the end', () => {
    expect([tarHeader('refs/', 0), tarHeader('HEAD', 1)].map((header) => header.toString('latin1', 156, 157))).toEqual([
      '5',
      '0',
    ]);
  });

  it('takes no name that it would cut', () => {
    expect(() => tarHeader('a'.repeat(101), 0)).toThrow('too long');
  });
});

describe('a tar archive', () => {
  it.each([0, 1, 512, 513])('is made of whole blocks around %i bytes', (bytes) => {
    expect((tarHeader('a', bytes).length + bytes + tarPadding(bytes).length + TAR_END.length) % 512).toBe(0);
  });
});
