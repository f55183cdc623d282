import { expect, it } from '@jest/globals';
import { readPushedCommits } from '../../../src/application/repositories/read-pushed-commits.js';
import type { CodeWorkRequest } from '../../../src/application/repositories/ports/repository-repositories.js';
import type { PushedRef, PushEvent } from '../../../src/application/shared/domain-events.js';
import type { ProjectId, UserId } from '../../../src/domain/shared/identifiers.js';

const [FROM, TO] = ['a'.repeat(40), 'b'.repeat(40)] as const;
const REF: PushedRef = {
  ...{ kind: 'branch', name: 'main', from: FROM, to: TO, fastForward: true },
  ...{ commitCount: 1, commitTitle: 'Mend it' },
};

const branchesReadOf = async (refs: readonly PushedRef[]): Promise<readonly unknown[]> => {
  const asked: CodeWorkRequest[] = [];
  const codeWorks = { add: (work: CodeWorkRequest) => Promise.resolve(void asked.push(work)) };
  const event = { kind: 'pushed', projectId: 1 as ProjectId, refs, by: 1 as UserId, at: new Date(0) } as const;
  const follow = readPushedCommits as (event: PushEvent, repositories: object) => Promise<void>;
  await follow(event, { codeWorks });
  return asked.map(({ payload }) => (payload as { readonly branch: string }).branch);
};

it('lets commits of branches be read, but not those that are known to name no issue', async () => {
  expect(
    await branchesReadOf([
      { ...REF, name: 'unknown' },
      { ...REF, name: 'naming', namesIssues: true },
      { ...REF, name: 'silent', namesIssues: false },
      { ...REF, name: 'removed', to: null, commitCount: 0 },
      { ...REF, kind: 'tag', name: 'v1' },
    ]),
  ).toEqual(['unknown', 'naming']);
});
