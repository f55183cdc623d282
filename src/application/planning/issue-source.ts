import { NotFound } from '../../domain/shared/domain-error.js';
import { identifierIn } from '../../domain/shared/identifiers.js';
import type { PlaceOfSubject, SubjectSource } from '../collaboration/ports/subject-ports.js';
import type { Issues } from './issues.js';
import { subjectOfIssue } from './ports/issue-subject.js';

/** Issues as subjects, called by their number within the project. */
export const createIssueSource = (issues: Issues): SubjectSource => ({
  kind: 'issue',
  find: async (actor, place: PlaceOfSubject<'issue'>, name) => {
    const iid = identifierIn(name);
    if (iid === undefined) throw new NotFound();
    return subjectOfIssue((await issues.find(actor, place, iid)).issue);
  },
});
