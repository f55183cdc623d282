import { REPORTER, type Issue } from '../../../domain/planning/issue.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';

type IssueWithPeople = Issue & {
  readonly projectPath: string;
  readonly assignees: readonly { readonly id: UserId; readonly name: string }[];
};

/** An issue as a subject. */
export const subjectOfIssue = (issue: IssueWithPeople): SubjectDetails => {
  const { id, projectId, projectPath, iid, title, description, confidential, authorId, assignees, dueDate } = issue;
  const { discussionLocked } = issue;
  const parties = [...assignees.map((assignee) => assignee.id), ...(authorId === null ? [] : [authorId])];
  return {
    ...{
      id,
      kind: 'issue',
      projectId,
      projectPath,
      iid,
      title,
      description,
      confidential,
      authorId,
      assignees,
      dueDate,
    },
    reference: `#${iid}`,
    page: `issues/${iid}`,
    resolvable: false,
    locked: discussionLocked === true,
    readers: confidential ? { level: REPORTER, people: parties } : { level: ACCESS_LEVEL.none, people: [] },
  };
};
