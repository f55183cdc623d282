import { linkOf, type IssueLinkType } from '../../domain/planning/issue-link.js';
import { Conflict, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { VisibleIssue } from './issues.js';
import type { IssueLinkRepository, LinkedIssue } from './ports/issue-links.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';

type Needs = Pick<PlanningRepositories, 'issues'> & { readonly issueLinks: IssueLinkRepository };

/** An issue that the caller sees, in a project where they may link issues. */
export interface LinkableIssue extends VisibleIssue {
  readonly linking: Permitted<'link_issues'>;
}

/** Which issues have to do with one another. */
export class IssueLinks {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws NotPossible for an issue and itself; Conflict where the two are linked already; NotFound "Issue". */
  async add({ issue: from }: LinkableIssue, { issue: to }: LinkableIssue, type: IssueLinkType): Promise<number> {
    if (from.id === to.id) throw new NotPossible('An issue can’t be linked to itself.');
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ issues, issueLinks }) => {
      // In one order, so that two who link the same issues wait for each other, and each sees what the other did.
      for (const id of [from.id, to.id].sort((one, other) => one - other))
        if ((await issues.take(id)) === undefined) throw new NotFound('Issue');
      if (await issueLinks.areLinked(from.id, to.id)) throw new Conflict('Issue(s) already assigned');
      return issueLinks.add(linkOf(from.id, to.id, type), at);
    });
  }

  async remove(_: LinkableIssue, { id }: LinkedIssue): Promise<void> {
    await this.unitOfWork.execute(({ issueLinks }) => issueLinks.remove(id));
  }
}
