import { linkOf, type IssueLinkType } from '../../../domain/planning/issue-link.js';
import { NotFound } from '../../../domain/shared/domain-error.js';
import type { IssueLinkRepository } from '../ports/issue-links.js';
import type { IssueRepository } from '../ports/planning-repositories.js';

/** What the operations need of the caller's unit of work. */
export interface LinkingRepositories {
  readonly issues: IssueRepository;
  readonly issueLinks: IssueLinkRepository;
}

/** In one order, so that two who take the same issues wait for each other. @throws NotFound "Issue". */
export const holdIssues = async (
  { issues }: Pick<LinkingRepositories, 'issues'>,
  ids: readonly number[],
): Promise<void> => {
  for (const id of [...new Set(ids)].sort((one, other) => one - other))
    if ((await issues.take(id)) === undefined) throw new NotFound('Issue');
};

/** Links two issues that are held, within the caller's unit of work. @returns its id, or undefined where they are linked already. */
export const linkIssues = async (
  { issueLinks }: Pick<LinkingRepositories, 'issueLinks'>,
  { from, to, type }: { readonly from: number; readonly to: number; readonly type: IssueLinkType },
  at: Date,
): Promise<number | undefined> =>
  (await issueLinks.areLinked(from, to)) ? undefined : issueLinks.add(linkOf(from, to, type), at);
