import type { IssueLinkType } from '../../domain/planning/issue-link.js';
import { Conflict, NotPossible } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { VisibleIssue } from './visible-issue.js';
import { holdIssues, linkIssues, type LinkingRepositories } from './operations/link-issues.js';
import type { LinkedIssue } from './ports/issue-links.js';

/** An issue that the caller sees, in a project where they may link issues. */
export interface LinkableIssue extends VisibleIssue {
  readonly linking: Permitted<'link_issues'>;
}

/** Which issues have to do with one another. */
export class IssueLinks {
  constructor(
    private readonly unitOfWork: UnitOfWork<LinkingRepositories>,
    private readonly clock: Clock,
  ) {}

  /** @throws NotPossible for an issue and itself; Conflict where the two are linked already; NotFound "Issue". */
  async add({ issue: from }: LinkableIssue, { issue: to }: LinkableIssue, type: IssueLinkType): Promise<number> {
    if (from.id === to.id) throw new NotPossible('An issue can’t be linked to itself.');
    const at = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      await holdIssues(repositories, [from.id, to.id]);
      const id = await linkIssues(repositories, { from: from.id, to: to.id, type }, at);
      if (id === undefined) throw new Conflict('Issue(s) already assigned');
      return id;
    });
  }

  async remove(_: LinkableIssue, { id }: LinkedIssue): Promise<void> {
    await this.unitOfWork.execute(({ issueLinks }) => issueLinks.remove(id));
  }
}
