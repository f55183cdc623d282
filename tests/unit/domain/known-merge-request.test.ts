import { describe, expect, it } from '@jest/globals';
import {
  mergeRequestVariables,
  openMergeRequestsVariable,
  type KnownMergeRequest,
} from '../../../src/domain/pipelines/known-merge-request.js';
import type { ProjectId } from '../../../src/domain/shared/identifiers.js';

const LOOM = { id: 3 as ProjectId, fullPath: 'ada/loom' };

const known = (fields: Partial<KnownMergeRequest> = {}): KnownMergeRequest => ({
  ...{ id: 70, iid: 7, isOpen: true, ref: 'refs/merge-requests/7/head', version: null },
  target: { ...LOOM, branch: 'main' },
  source: { ...LOOM, branch: 'topic' },
  ...{ title: 'Weave', description: '', isDraft: false, squashes: false, assignees: [], labels: [], milestone: null },
  ...fields,
});

const valuesOf = (fields: Partial<KnownMergeRequest>) =>
  Object.fromEntries(
    mergeRequestVariables(known(fields), { base: null, targetProtected: false }).map(({ key, value }) => [key, value]),
  );

describe('variables of a merge request', () => {
  it('leave out what there is nothing of', () => {
    const values = valuesOf({ source: null });
    expect(Object.keys(values)).not.toContain('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME');
    for (const word of ['LABELS', 'ASSIGNEES', 'MILESTONE', 'DIFF_BASE_SHA'])
      expect(Object.keys(values)).not.toContain(`CI_MERGE_REQUEST_${word}`);
  });

  it('say that a long description ends early', () => {
    const [short, long] = [valuesOf({ description: 'x'.repeat(2_700) }), valuesOf({ description: 'x'.repeat(2_701) })];
    expect([
      short['CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED'],
      long['CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED'],
    ]).toEqual(['false', 'true']);
    expect(long['CI_MERGE_REQUEST_DESCRIPTION']).toHaveLength(2_700);
  });

  it('are left as they are, whatever they name', () => {
    const variables = mergeRequestVariables(known({ title: '$SECRET' }), {
      base: 'b'.repeat(40),
      targetProtected: true,
    });
    expect(variables.every(({ raw }) => raw === true)).toBe(true);
  });

  it('name at most four that are open for a branch', () => {
    const open = [9, 8, 7, 6, 5].map((iid) => known({ iid }));
    expect(openMergeRequestsVariable(open)).toEqual([
      { key: 'CI_OPEN_MERGE_REQUESTS', value: 'ada/loom!9,ada/loom!8,ada/loom!7,ada/loom!6' },
    ]);
    expect(openMergeRequestsVariable([])).toEqual([]);
  });
});
