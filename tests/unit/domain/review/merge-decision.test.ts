import { describe, expect, it } from '@jest/globals';
import { decideMerge, type MergeFacts, type MergeRefusal } from '../../../../src/domain/review/merge-decision.js';
import { mergeMessage } from '../../../../src/domain/review/merge-message.js';
import { isDraft } from '../../../../src/domain/review/merge-request.js';
import { taskCompletion, withTaskToggled } from '../../../../src/domain/shared/task-list.js';

const READY: MergeFacts = {
  mergeRequest: {
    state: 'opened',
    title: 'Add it',
    status: 'can_be_merged',
    ahead: 1,
    behind: 0,
    branchesThere: true,
    conflicts: [],
  },
  rules: {
    method: 'merge',
    squash: 'default_off',
    approvalsRequired: 0,
    pipelineMustSucceed: false,
    discussionsMustBeResolved: false,
  },
  approvals: 0,
  unresolvedDiscussions: false,
  pipeline: null,
};

type Fault = readonly [reason: MergeRefusal, spoil: (facts: MergeFacts) => MergeFacts];
const ofRequest = (change: Partial<MergeFacts['mergeRequest']>) => (facts: MergeFacts) => ({
  ...facts,
  mergeRequest: { ...facts.mergeRequest, ...change },
});
const ofRules =
  (rules: Partial<MergeFacts['rules']>, more: Partial<MergeFacts> = {}) =>
  (facts: MergeFacts) => ({
    ...facts,
    ...more,
    rules: { ...facts.rules, ...rules },
  });

/** From the first that is told to the last. */
const FAULTS: readonly Fault[] = [
  ['not_open', ofRequest({ state: 'closed' })],
  ['draft_status', ofRequest({ title: 'Draft: add it' })],
  ['commits_status', ofRequest({ branchesThere: false })],
  ['discussions_not_resolved', ofRules({ discussionsMustBeResolved: true }, { unresolvedDiscussions: true })],
  ['ci_must_pass', ofRules({ pipelineMustSucceed: true }, { pipeline: 'failed' })],
  ['not_approved', ofRules({ approvalsRequired: 2 }, { approvals: 1 })],
  ['conflict', ofRequest({ status: 'cannot_be_merged', conflicts: ['a'] })],
  ['need_rebase', ofRules({ method: 'ff' })],
];

describe('the decision to merge', () => {
  it('is yes where nothing stands in the way', () => {
    expect(decideMerge(READY)).toBeUndefined();
  });

  it.each(FAULTS)('tells %s before everything that comes after it', (reason, _spoil) => {
    const from = FAULTS.findIndex(([each]) => each === reason);
    const behind = ofRequest({ behind: 1 })(READY);
    expect(decideMerge(FAULTS.slice(from).reduce((facts, [, spoil]) => spoil(facts), behind))).toBe(reason);
  });

  it('waits for a pipeline that runs, and for one where there is none', () => {
    const strict = ofRules({ pipelineMustSucceed: true });
    expect(decideMerge({ ...strict(READY), pipeline: 'running' })).toBe('ci_still_running');
    expect(decideMerge({ ...strict(READY), pipeline: 'success' })).toBeUndefined();
    expect(decideMerge(strict(READY))).toBe('ci_must_pass');
    expect(decideMerge(READY)).toBeUndefined();
  });

  it('tells branches without a commit in common as a conflict, and what nobody has looked at as unchecked', () => {
    expect(decideMerge(ofRequest({ status: 'cannot_be_merged' })(READY))).toBe('conflict');
    expect(decideMerge(ofRequest({ status: 'unchecked', ahead: 0 })(READY))).toBe('unchecked');
    expect(decideMerge(ofRequest({ ahead: 0 })(READY))).toBe('commits_status');
  });

  it.each(['merge', 'rebase_merge', 'ff'] as const)('with the method %s asks for a rebase, or not', (method) => {
    const facts = ofRules({ method })(ofRequest({ behind: 3 })(READY));
    expect(decideMerge(facts)).toBe(method === 'merge' ? undefined : 'need_rebase');
  });
});

describe('the title of a merge request', () => {
  it.each(['Draft: a', 'draft:a', '[Draft] a', '(draft) a', 'WIP: a', '[WIP] a', 'Draft - a'])(
    '%s is a draft',
    (title) => expect(isDraft(title)).toBe(true),
  );
  it.each(['Drafting: a', 'A draft', 'WIPE it', 'Draft', ''])('%s is none', (title) =>
    expect(isDraft(title)).toBe(false),
  );
});

describe('the texts of a merge request', () => {
  it('count their tasks, however long they are', () => {
    expect(taskCompletion('- [ ] a\n* [x] b\n1. [X] c\n[x] no list\n- [y] no task')).toEqual({
      count: 3,
      completed: 2,
    });
    expect(taskCompletion('- [ ] a\n'.repeat(100_000)).count).toBe(100_000);
  });

  it('have a task done, or to be done again, by the line that it is on', () => {
    const text = '# To do\r\n\r\n- [ ] a\n* [x] b\r  1. [X] c\n> - [ ] - [ ] d\n[ ] none\n- [ ]none\n- [y] none';
    const toggled = (line: number, before: string, after: string) =>
      expect(withTaskToggled(text, line)).toBe(text.replace(before, after));
    toggled(3, '- [ ] a', '- [x] a');
    toggled(4, '[x] b', '[ ] b');
    toggled(5, '[X] c', '[ ] c');
    toggled(6, '> - [ ]', '> - [x]');
    for (const line of [0, -1, 1, 2, 8, 9, 10, 1e9, 0.5])
      expect([line, withTaskToggled(text, line)]).toEqual([line, undefined]);
    const long = `${'> '.repeat(100_000)}- [ ] x`;
    expect(withTaskToggled(long, 1)).toBe(long.replace('[ ]', '[x]'));
    expect(withTaskToggled('1'.repeat(200_000), 1)).toBeUndefined();
  });

  it('become the message of the merge', () => {
    const of = { title: 'Add it', iid: 5, sourceBranch: 'b', targetBranch: 'main' };
    expect(mergeMessage(of, 'group/loom', ['#1', '#2', 'other/loom#3'])).toBe(
      "Merge branch 'b' into 'main'\n\nAdd it\n\nCloses #1, #2 and other/loom#3\n\nSee merge request group/loom!5",
    );
    expect(mergeMessage(of, 'group/loom', [])).not.toContain('Closes');
  });
});
