import type { Issue, IssueState } from '../../domain/planning/issue.js';
import type { ClosingCause, DomainEvents, IssueEvent } from '../shared/domain-events.js';
import type { IssueRepository } from './ports/planning-repositories.js';

/** An issue as it stands now, and who does something to it when. */
export type IssueHappening = Pick<IssueEvent, 'by' | 'at'> & { readonly issue: Issue };

/** Closes or reopens an issue, and publishes that, with what closed it. False when it was in that state already. */
export const changeIssueState = async (
  { issues, events }: { readonly issues: IssueRepository; readonly events: DomainEvents },
  state: IssueState,
  happening: IssueHappening,
  cause?: ClosingCause,
): Promise<boolean> => {
  const { issue, by, at } = happening;
  if (!(await issues.changeState(issue.id, state, by, at))) return false;
  if (state === 'closed') await events.publish({ kind: 'issue_closed', ...happening, ...(cause && { cause }) });
  else await events.publish({ kind: 'issue_reopened', ...happening });
  return true;
};
