import type { Permitted } from '../shared/permitted.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { placeIssue, type Neighbours } from './operations/place-issue.js';
import type { IssueOrderRepository } from './ports/issue-order.js';
import type { ChangeableIssue } from './visible-issue.js';

/** Where issues stand among those of their project. */
export class IssueOrder {
  constructor(private readonly unitOfWork: UnitOfWork<{ readonly issueOrder: IssueOrderRepository }>) {}

  /** Puts an issue beside others. @throws Unprocessable where those are none of the project; NotPossible where no room can be made. */
  async reorder(_place: Permitted<'manage_boards'>, { issue }: ChangeableIssue, beside: Neighbours): Promise<void> {
    await this.unitOfWork.execute(({ issueOrder }) => placeIssue(issueOrder, issue, beside));
  }
}
