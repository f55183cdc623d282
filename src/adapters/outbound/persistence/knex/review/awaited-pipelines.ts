import type { CodeWorkRequest } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { Session } from '../session.js';

type Awaited = Extract<CodeWorkRequest, { kind: 'create_pipeline' | 'create_merge_request_pipeline' }>;

interface Row {
  readonly kind: Awaited['kind'];
  readonly payload: string;
  readonly source_branch: string;
  readonly source_sha: string | null;
}

/** More are not looked at: they belong to somebody who pushes all the time. */
const MOST_WORKS = 1_000;

/** Whether the CI file of the newest commit of a merge request is still to be read. */
export const awaitsPipeline = async ({ query }: Session, id: number): Promise<boolean> => {
  const rows = (await query('code_works')
    .join('merge_requests', 'merge_requests.source_project_id', 'code_works.project_id')
    .where('merge_requests.id', id)
    .whereIn('code_works.kind', ['create_pipeline', 'create_merge_request_pipeline'])
    .limit(MOST_WORKS)
    .select('code_works.kind', 'code_works.payload')
    .select('merge_requests.source_branch', 'merge_requests.source_sha')) as Row[];
  return rows.some((row) => {
    const work = { kind: row.kind, payload: JSON.parse(row.payload) as unknown } as Awaited;
    if (work.kind === 'create_merge_request_pipeline') return work.payload.mergeRequestId === id;
    const { tag, ref, to } = work.payload;
    return !tag && ref === row.source_branch && to === row.source_sha;
  });
};
