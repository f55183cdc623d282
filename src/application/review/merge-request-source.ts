import { levelNeeded } from '../../domain/workspace/workspace-policy.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { identifierIn } from '../../domain/shared/identifiers.js';
import type { DiffsOfSubject, SubjectSource } from '../collaboration/ports/subject-ports.js';
import type { MergeRequestReader } from './ports/merge-request-ports.js';
import { subjectOfMergeRequest } from './ports/merge-request-subject.js';

/** Merge requests as subjects, called by their number within the project. */
export const createMergeRequestSource = (
  reader: Pick<MergeRequestReader, 'find'>,
  diffs: DiffsOfSubject,
): SubjectSource => ({
  kind: 'merge_request',
  diffs,
  find: async (actor, { project, level }, name) => {
    const { visibility } = project;
    if (level < levelNeeded('read_merge_requests', visibility, actor.kind === 'user')) throw new Forbidden();
    const iid = identifierIn(name);
    const found = iid === undefined ? undefined : await reader.find(project.id, iid);
    if (found === undefined) throw new NotFound();
    return subjectOfMergeRequest({ ...found, visibility });
  },
});
