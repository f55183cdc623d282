import { isIssueKnownIn, type Issue } from '../../../domain/planning/issue.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import { seenFor } from '../../../domain/workspace/workspace-policy.js';

/** Whether everybody who reads the issues of one project may know of an issue of another. */
export const mayBeNamedIn = (issue: Pick<Issue, 'confidential'>, project: Project, seenIn: Project): boolean =>
  isIssueKnownIn(issue, seenFor(project, 'read_issues'), seenFor(seenIn, 'read_issues'));
