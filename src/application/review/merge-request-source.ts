import { NotFound } from '../../domain/shared/domain-error.js';
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
  find: async (_actor, { project }, name) => {
    const { visibility } = project;
    const iid = identifierIn(name);
    const found = iid === undefined ? undefined : await reader.find(project.id, iid);
    if (found === undefined) throw new NotFound();
    return subjectOfMergeRequest({ ...found, visibility });
  },
});
