import { branchOfIssue } from '../../../../../domain/planning/branch-of-issue.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { CodeAddresses } from '../code/code-addresses.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import type { FoundIssue, IssuePagesParts } from './issue-pages-parts.js';

/** As many as a page shows; lists of the API have them all. */
const SHOWN = { page: 1, perPage: 20, counted: false } as const;

/** What is done in code about an issue: merge requests that close it, as far as the reader sees them, and a branch to begin with. */
export const codeOfIssue = async (
  { access, mergeRequestReader }: IssuePagesParts,
  { browser }: PageContext,
  { issue, place: { project, level } }: FoundIssue,
) => {
  const closing = await mergeRequestReader.listHeads({
    viewer: access.viewer(actorFor(browser)),
    issue: { id: issue.id, closing: true },
    orderBy: 'created_at',
    sort: 'desc',
    page: SHOWN,
  });
  const begins = browser.user !== undefined && issue.state === 'opened' && project.defaultBranch !== null;
  return {
    closedBy: closing.items,
    newBranch:
      begins && isOffered(project, level, 'push_code')
        ? new CodeAddresses(project.fullPath).newBranch(branchOfIssue(issue))
        : undefined,
  };
};
