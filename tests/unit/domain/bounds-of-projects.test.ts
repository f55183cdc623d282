import { describe, expect, it } from '@jest/globals';
import { roomOfProject } from '../../../src/domain/pipelines/artifact.js';
import { byTags, lackOfRoom } from '../../../src/domain/pipelines/room-for-jobs.js';
import { requireRoomLeft, roomLeft } from '../../../src/domain/shared/room-for-files.js';

describe('room for files of jobs', () => {
  it('is what is left of the bytes of a project, or as much as there is', () => {
    expect(roomLeft({ files: 1, bytes: 900 }, roomOfProject(1_000))).toBe(100);
    expect(roomLeft({ files: 1, bytes: 900 }, roomOfProject(null))).toBe(Infinity);
    expect(() => requireRoomLeft(100, { files: 1, bytes: 900 }, roomOfProject(1_000))).not.toThrow();
    expect(() => requireRoomLeft(101, { files: 1, bytes: 900 }, roomOfProject(1_000))).toThrow(
      'at most 1000 bytes together',
    );
  });

  it('is none where a project has all its bytes or files, also where the limit was lowered since', () => {
    for (const bytes of [1_000, 5_000])
      expect(() => roomLeft({ files: 1, bytes }, roomOfProject(1_000))).toThrow('There is no room');
    expect(roomLeft({ files: 99_999, bytes: 0 }, roomOfProject(null))).toBe(Infinity);
    expect(() => roomLeft({ files: 100_000, bytes: 0 }, roomOfProject(null))).toThrow('at most 100000 files');
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
