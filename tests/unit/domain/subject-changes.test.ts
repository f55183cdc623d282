import { describe, expect, it } from '@jest/globals';
import type { UserId } from '../../../src/domain/shared/identifiers.js';
import { changesOf, peopleChange } from '../../../src/domain/shared/subject-changes.js';
import { LONGEST_TOLD_TEXT, toldChanges } from '../../../src/domain/webhooks/told-changes.js';

const [ada, grace, hedy] = [1, 2, 3] as readonly number[] as readonly [UserId, UserId, UserId];
const NOTHING_BESIDE = { labels: undefined, assignees: undefined };

describe('what one act changed', () => {
  it('is every field that is not what it was, before and after', () => {
    const before = { title: 'A', description: 'a', dueDate: null, confidential: false };
    expect(changesOf(before, { ...before, title: 'B', dueDate: '2026-12-24' }, NOTHING_BESIDE)).toEqual({
      title: { previous: 'A', current: 'B' },
      dueDate: { previous: null, current: '2026-12-24' },
    });
  });

  it('is nothing where all is as it was', () => {
    expect(changesOf({ title: 'A', milestoneId: null }, { title: 'A', milestoneId: null }, NOTHING_BESIDE)).toBe(
      undefined,
    );
  });

  it('is nothing where what nobody ever said is said not to be, as forms do that are sent as they were shown', () => {
    const unsaid = { discussionLocked: null, removeSourceBranch: null };
    const denied = { discussionLocked: false, removeSourceBranch: false };
    expect(changesOf(unsaid, denied, NOTHING_BESIDE)).toBe(undefined);
    expect(changesOf(unsaid, { ...denied, discussionLocked: true }, NOTHING_BESIDE)).toEqual({
      discussionLocked: { previous: null, current: true },
    });
  });

  it('has the labels and people beside it', () => {
    const labels = { previous: ['bug'], current: [] };
    expect(changesOf({}, {}, { labels, assignees: undefined })).toEqual({ labels });
  });

  it('is people before and after, and nothing where none came or went', () => {
    expect(peopleChange([ada, grace], { added: [hedy], removed: [ada] })).toEqual({
      previous: [ada, grace],
      current: [grace, hedy],
    });
    expect(peopleChange([ada], { added: [], removed: [] })).toBe(undefined);
  });
});

describe('what receivers are told of it', () => {
  it('is nothing but that, where an issue is confidential no more: the rest was for fewer people', () => {
    const confidential = { previous: true, current: false };
    const title = { previous: 'Secret', current: 'Harmless' };
    expect(toldChanges({ title, confidential })).toEqual({ confidential });
    const hidden = { previous: false, current: true };
    expect(toldChanges({ title, confidential: hidden })).toEqual({ title, confidential: hidden });
  });

  it('is the beginning of a long description', () => {
    const description = { previous: 'x'.repeat(LONGEST_TOLD_TEXT), current: 'y'.repeat(LONGEST_TOLD_TEXT + 1) };
    expect(toldChanges({ description })).toEqual({
      description: { previous: description.previous, current: `${'y'.repeat(LONGEST_TOLD_TEXT)}…` },
    });
  });
});
