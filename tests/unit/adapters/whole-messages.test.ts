import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WholeMessages } from '../../../src/adapters/outbound/persistence/knex/dialect/whole-messages.js';

const message = (length: number, fill: number): Buffer => {
  const bytes = Buffer.alloc(5 + length, fill);
  bytes.writeUInt32BE(4 + length, 1);
  return bytes;
};

/** What is given for a stream that is read into one buffer, so many bytes at a time. */
const given = (stream: Buffer, reads: readonly number[]): readonly Buffer[] => {
  const messages: Buffer[] = [];
  const whole = new WholeMessages((bytes) => messages.push(bytes));
  const read = Buffer.alloc(65_536);
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = stream.copy(read, 0, at, at + (reads[turn % reads.length] ?? 1));
    whole.take(read.subarray(0, size));
    read.fill(255);
    at += size;
  }
  return messages;
};

const lengthsOf = (bytes: Buffer): number => {
  let at = 0;
  while (at < bytes.length) at += bytes.readUInt32BE(at + 1) + 1;
  return at;
};

describe('the messages of a stream', () => {
  it('are given whole and once, in their order, however the stream is cut', () => {
    const lengths = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 65_500, max: 65_600 }), fc.nat(300_000)), {
      minLength: 1,
      maxLength: 12,
    });
    const reads = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 65_536 })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(lengths, reads, (ofMessages, ofReads) => {
        // Reads of a few bytes alone would take long.
        const sizes = [...ofReads, 65_536];
        const stream = Buffer.concat(ofMessages.map((length, index) => message(length, index)));
        const messages = given(stream, sizes);
        expect(Buffer.concat(messages).equals(stream)).toBe(true);
        for (const bytes of messages) expect(lengthsOf(bytes)).toBe(bytes.length);
      }),
      { numRuns: 200 },
    );
  });

  it('are given as soon as their last byte is there', () => {
    const stream = Buffer.concat([message(0, 1), message(200_000, 2), message(3, 3)]);
    expect(given(stream, [65_536]).map((bytes) => bytes.length)).toEqual([5, 200_005, 8]);
  });
});
