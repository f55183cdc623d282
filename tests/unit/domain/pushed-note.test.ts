import { describe, expect, it } from '@jest/globals';
import { pushedNote } from '../../../src/domain/review/pushed-note.js';

const [FROM, TO] = ['a'.repeat(40), 'b'.repeat(40)];
const commits = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index).padStart(40, '0'),
    title: `Step ${index}`,
  }));
const note = (count: number, limit = 100) => pushedNote({ from: FROM, to: TO, commits: commits(count), limit });

describe('what a merge request says of a push', () => {
  it('counts its commits and lists them by short id and title', () => {
    expect(note(1)).toBe('added 1 commit\n\n* 00000000 - Step 0');
    expect(note(2)).toBe('added 2 commits\n\n* 00000000 - Step 0\n* 00000000 - Step 1');
  });

  it('lists the newest of many, and says so', () => {
    const body = note(30);
    expect(body).toMatch(/^added 30 commits\n/);
    expect(body.match(/^\* /gm)).toHaveLength(20);
    expect(body).toContain('Step 29');
    expect(body).not.toContain('Step 9\n');
    expect(body).toContain('The newest 20 are listed.');
  });

  it('says where there may be more than were read', () => {
    expect(note(5, 5)).toMatch(/^added 5 or more commits\n/);
  });

  it('says where the branch went when it got nothing', () => {
    expect(note(0)).toBe('moved the source branch from aaaaaaaa to bbbbbbbb');
  });

  it('cuts a title that goes on and on', () => {
    const body = pushedNote({ from: FROM, to: TO, commits: [{ id: TO, title: 'x'.repeat(5_000) }], limit: 100 });
    expect(body.length).toBeLessThan(300);
  });
});
