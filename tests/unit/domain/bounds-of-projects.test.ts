import { describe, expect, it } from '@jest/globals';
import { requireRoomFor, roomFor } from '../../../src/domain/pipelines/artifact.js';
import { byTags, lackOfRoom } from '../../../src/domain/pipelines/room-for-jobs.js';

describe('room for files of jobs', () => {
  it('is what is left of the bytes of a project, or as much as there is', () => {
    expect(roomFor({ files: 1, bytes: 900 }, 1_000)).toBe(100);
    expect(roomFor({ files: 1, bytes: 900 }, null)).toBe(Infinity);
    expect(() => requireRoomFor(100, { files: 1, bytes: 900 }, 1_000)).not.toThrow();
    expect(() => requireRoomFor(101, { files: 1, bytes: 900 }, 1_000)).toThrow('at most 1000 bytes together');
  });

  it('is none where a project has all its bytes or files, also where the limit was lowered since', () => {
    for (const bytes of [1_000, 5_000]) expect(() => roomFor({ files: 1, bytes }, 1_000)).toThrow('There is no room');
    expect(roomFor({ files: 99_999, bytes: 0 }, null)).toBe(Infinity);
    expect(() => roomFor({ files: 100_000, bytes: 0 }, null)).toThrow('at most 100000 files');
  });
});

describe('room for jobs', () => {
  const many = (count: number, word = 'tag') => Array.from({ length: count }, (_, index) => `["${word}${index}"]`);
  const jobs = (count: number) => new Map([['[]', count]]);

  it('is two thousand in pipelines of a project that have not ended', () => {
    expect(lackOfRoom(jobs(1_900), jobs(100))).toBeUndefined();
    expect(lackOfRoom(jobs(1_900), jobs(101))).toMatch(/at most 2000 jobs together\.$/);
    expect(lackOfRoom(jobs(5_000), new Map())).toBeUndefined();
  });

  it('has a hundred sets of tags, each counted once', () => {
    expect(lackOfRoom(byTags(many(100)), byTags(many(50)))).toBeUndefined();
    expect(lackOfRoom(byTags(many(60)), byTags(many(40, 'other')))).toBeUndefined();
    expect(lackOfRoom(byTags(many(60)), byTags(many(41, 'other')))).toMatch(/at most 100 different sets of tags\.$/);
    expect(byTags(['[]', '["a"]', '[]'])).toEqual(
      new Map([
        ['[]', 2],
        ['["a"]', 1],
      ]),
    );
  });
});
