import type { Issue, IssueState } from '../../domain/planning/issue.js';
import type { DomainEvents, IssueEvent } from '../shared/domain-events.js';
import type { IssueRepository } from './ports/planning-repositories.js';

/** An issue as it stands now, and who does something to it when. */
export type IssueHappening = Pick<IssueEvent, 'by' | 'at'> & { readonly issue: Issue };

/** Closes or reopens an issue, and publishes that. False when it was in that state already. */
export const changeIssueState = async (
  { issues, events }: { readonly issues: IssueRepository; readonly events: DomainEvents },
  state: IssueState,
  happening: IssueHappening,
): Promise<boolean> => {
  const { issue, by, at } = happening;
  if (!(await issues.changeState(issue.id, state, by, at))) return false;
  await events.publish({ kind: state === 'closed' ? 'issue_closed' : 'issue_reopened', ...happening });
  return true;
};
