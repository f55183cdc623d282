import type { Boards } from '../../application/planning/boards.js';
import type { GroupLabels } from '../../application/planning/group-labels.js';
import type { GroupMilestones } from '../../application/planning/group-milestones.js';
import type { IssueActions } from '../../application/planning/issue-actions.js';
import type { NamedThings } from '../../application/planning/ports/named-things.js';
import type { IssueLinks } from '../../application/planning/issue-links.js';
import type { IssueMoves } from '../../application/planning/issue-moves.js';
import type { IssueOrder } from '../../application/planning/issue-order.js';
import type { Issues } from '../../application/planning/issues.js';
import type { LabelSubscriptions } from '../../application/planning/label-subscriptions.js';
import type { Labels } from '../../application/planning/labels.js';
import type { Milestones } from '../../application/planning/milestones.js';
import type { GroupLabelReader } from '../../application/planning/ports/group-labels.js';
import type { GroupMilestoneReader } from '../../application/planning/ports/group-milestones.js';
import type { BoardColumnReader } from '../../application/planning/ports/board-ports.js';
import type { IssueLinkReader } from '../../application/planning/ports/issue-links.js';
import type { MilestoneReader, PlanningReader } from '../../application/planning/ports/planning-readers.js';
import type { PlanningOverview } from '../../application/planning/ports/planning-overview.js';
import type { ResourceEventReader } from '../../application/planning/ports/resource-event-ports.js';
import { token } from './token.js';

/** Issues and incidents, labels and milestones. */
export interface PlanningUseCases {
  readonly planningReader: PlanningReader;
  readonly issues: Issues;
  readonly issueActions: IssueActions;
  readonly things: NamedThings;
  readonly issueLinks: IssueLinks;
  readonly issueMoves: IssueMoves;
  readonly issueOrder: IssueOrder;
  readonly boards: Boards;
  readonly boardColumnReader: BoardColumnReader;
  readonly issueLinkReader: IssueLinkReader;
  readonly labels: Labels;
  readonly groupLabels: GroupLabels;
  readonly groupLabelReader: GroupLabelReader;
  readonly labelSubscriptions: LabelSubscriptions;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
  readonly groupMilestones: GroupMilestones;
  readonly groupMilestoneReader: GroupMilestoneReader;
  readonly resourceEventReader: ResourceEventReader;
  readonly planningOverview: PlanningOverview;
}

export const PLANNING_TOKENS = {
  planning: token<PlanningUseCases>('PlanningUseCases'),
} as const;
