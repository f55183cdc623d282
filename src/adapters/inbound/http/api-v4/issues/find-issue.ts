import type { Subscriptions } from '../../../../../application/collaboration/subscriptions.js';
import type { Issues } from '../../../../../application/planning/issues.js';
import type { ChangeableIssue, VisibleIssue } from '../../../../../application/planning/visible-issue.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { GuardContext } from '../../route.js';
import type { WebUrls } from '../../web-urls.js';

export interface IssueRoutesParts {
  readonly access: WorkspaceAccess;
  readonly issues: Issues;
  readonly planningReader: PlanningReader;
  readonly subscriptions: Subscriptions;
  readonly urls: WebUrls;
}

/** Finds the issue that a path names, as far as the caller may see it. */
export const findIssue =
  ({ access, issues }: Pick<IssueRoutesParts, 'access' | 'issues'>) =>
  async ({ actor, path }: GuardContext): Promise<VisibleIssue> => {
    const place = await access.project(actor, path['id'], 'read_issues');
    return issues.find(actor, place, orNotFound(identifierIn(path['iid'])));
  };

/** The same, for callers who are about to change it or comment on it. */
export const findIssueToChange =
  ({ access, issues }: Pick<IssueRoutesParts, 'access' | 'issues'>) =>
  async ({ actor, path }: GuardContext): Promise<ChangeableIssue> => {
    const place = await access.project(actor, path['id'], 'write_issues');
    return issues.findToChange(actor, place, orNotFound(identifierIn(path['iid'])));
  };
