import type { SubjectSource } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { MergeRequestReader } from '../../../../../application/review/ports/merge-request-ports.js';
import type { WebUrls } from '../../web-urls.js';
import type { SubjectOfApi } from '../collaboration/subject-of-api.js';
import { ListedMergeRequestSchema, presentListedMergeRequest } from './merge-request-schema.js';

/** Merge requests as subjects. */
export const mergeRequestsOfApi = (
  source: SubjectSource,
  reader: Pick<MergeRequestReader, 'findMany'>,
  urls: WebUrls,
): SubjectOfApi => ({
  source,
  name: 'MergeRequest',
  words: 'a merge request',
  collection: 'merge_requests',
  parameter: ['merge_request_iid', 'Number of the merge request within the project'],
  timed: true,
  asked: true,
  planned: true,
  schema: ListedMergeRequestSchema,
  resolvable: true,
  reviewed: true,
  present: async (subjects) => {
    const found = await reader.findMany(subjects.map(({ id }) => id));
    return new Map(
      found.map((each) => [each.id, presentListedMergeRequest(each, urls, { project: each.projectPath })]),
    );
  },
});
