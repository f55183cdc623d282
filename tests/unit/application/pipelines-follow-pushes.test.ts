import { expect, it } from '@jest/globals';
import { pipelinesFollowPushes } from '../../../src/application/pipelines/pipelines-follow-pushes.js';
import type { CodeWorkRequest } from '../../../src/application/repositories/ports/repository-repositories.js';
import type { PushedRef, PushEvent } from '../../../src/application/shared/domain-events.js';
import type { ProjectId, UserId } from '../../../src/domain/shared/identifiers.js';

const [FROM, TO] = ['a'.repeat(40), 'b'.repeat(40)] as const;
const REF: PushedRef = {
  ...{ kind: 'branch', name: 'main', from: FROM, to: TO, fastForward: true },
  ...{ commitCount: 1, commitTitle: 'Mend it' },
};

const pipelinesAskedFor = async (
  refs: readonly PushedRef[],
  more: Partial<PushEvent> = {},
): Promise<readonly unknown[]> => {
  const asked: CodeWorkRequest[] = [];
  const codeWorks = { add: (work: CodeWorkRequest) => Promise.resolve(void asked.push(work)) };
  const event = { kind: 'pushed', projectId: 1 as ProjectId, refs, by: 1 as UserId, at: new Date(0), ...more } as const;
  const follow = pipelinesFollowPushes as (event: PushEvent, repositories: object) => Promise<void>;
  await follow(event, { codeWorks });
  return asked.map(({ payload }) => (payload as { readonly ref: string }).ref);
};

it('asks for pipelines of branches and tags, but not of those that are known to have no CI file', async () => {
  expect(
    await pipelinesAskedFor([
      { ...REF, name: 'unknown' },
      { ...REF, name: 'with-a-file', hasCiFile: true },
      { ...REF, name: 'without', hasCiFile: false },
      { ...REF, kind: 'tag', name: 'v1' },
    ]),
  ).toEqual(['unknown', 'with-a-file', 'v1']);
});

it('asks for none where a branch was removed', async () => {
  expect(await pipelinesAskedFor([{ ...REF, to: null, commitCount: 0 }])).toEqual([]);
});

it('asks for none where nobody is told of what was pushed', async () => {
  expect(await pipelinesAskedFor([REF], { quiet: true })).toEqual([]);
});
