import { expect, it } from '@jest/globals';
import { mayRead } from '../../src/application/notifications/decide-mail.js';
import { subjectOfIssue } from '../../src/application/planning/ports/issue-subject.js';
import { ALL_ENABLED, type FeatureLevels } from '../../src/domain/workspace/project-features.js';

type Person = Parameters<typeof mayRead>[0];
type Cause = Parameters<typeof mayRead>[1];
type Topic = Parameters<typeof mayRead>[2];

const person = (level: number, admin = false): Person => ({
  ...{ id: 1 as Person['id'], name: 'Grace', active: true, admin, level, settings: { groups: [] } },
  ...{ subscribed: undefined, subscribedToLabel: false, commented: false, checked: false, address: null },
});
const topic = (features: Partial<FeatureLevels>, subject: Topic['subject']): Topic => ({
  project: {
    ...{ id: 1 as Topic['project']['id'], namespaceId: 1 as Topic['project']['namespaceId'] },
    ...{ name: 'Loom', fullPath: 'ada/loom', visibility: 'public', features: { ...ALL_ENABLED, ...features } },
  },
  ...{ subject, note: null, alert: null, actor: null, labels: [] },
});
const ISSUE = subjectOfIssue({
  ...{ id: 1, projectId: 1, projectPath: 'ada/loom', iid: 1, title: 'A thread is loose', description: '' },
  ...{ confidential: false, authorId: null, assignees: [], dueDate: null, discussionLocked: false },
} as unknown as Parameters<typeof subjectOfIssue>[0]);
const ABOUT_ISSUE = { kind: 'new_issue' } as Cause;
const ABOUT_PIPELINE = { kind: 'failed_pipeline' } as Cause;

it('mail of an issue goes to whom the issues of its project are for', () => {
  for (const [issues, who, reads] of [
    ['enabled', person(0), true],
    ['private', person(0), false],
    ['private', person(10), true],
    ['private', person(0, true), true],
    ['disabled', person(50), false],
    ['disabled', person(0, true), false],
  ] as const)
    expect([issues, who.level, mayRead(who, ABOUT_ISSUE, topic({ issues }, ISSUE))]).toEqual([
      issues,
      who.level,
      reads,
    ]);
});

it('mail of a pipeline goes to whom CI, and the repository, are for', () => {
  for (const [features, level, reads] of [
    [{ builds: 'private' }, 10, false],
    [{ builds: 'private' }, 20, true],
    [{ repository: 'disabled' }, 50, false],
    [{ issues: 'disabled' }, 0, true],
  ] as const)
    expect([features, level, mayRead(person(level), ABOUT_PIPELINE, topic(features, null))]).toEqual([
      features,
      level,
      reads,
    ]);
});
