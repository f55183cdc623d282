import { ContainerModule } from 'inversify';
import { Boards } from '../../application/planning/boards.js';
import { GroupLabels } from '../../application/planning/group-labels.js';
import { GroupMilestones } from '../../application/planning/group-milestones.js';
import { IssueActions, type IssueActionsParts } from '../../application/planning/issue-actions.js';
import { createIssueSource } from '../../application/planning/issue-source.js';
import { IssueLinks } from '../../application/planning/issue-links.js';
import { IssueMoves } from '../../application/planning/issue-moves.js';
import { IssueOrder } from '../../application/planning/issue-order.js';
import { Issues } from '../../application/planning/issues.js';
import { LabelSubscriptions } from '../../application/planning/label-subscriptions.js';
import { Labels } from '../../application/planning/labels.js';
import { Milestones } from '../../application/planning/milestones.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { isEmoji } from '../../adapters/outbound/emoji/emoji-names.js';
import { KnexNamedThings } from '../../adapters/outbound/persistence/knex/planning/knex-named-things.js';
import { createBoardListRoutes } from '../../adapters/inbound/http/api-v4/boards/board-list-routes.js';
import { createBoardRoutes } from '../../adapters/inbound/http/api-v4/boards/board-routes.js';
import { createIssueLinkRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-link-routes.js';
import { createIssueMoveRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-move-routes.js';
import { createIssueOrderRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-order-routes.js';
import { createIssueRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-routes.js';
import { createIssueStatisticsRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-statistics-routes.js';
import { issuesOfApi } from '../../adapters/inbound/http/api-v4/issues/issues-of-api.js';
import { createGroupLabelRoutes } from '../../adapters/inbound/http/api-v4/labels/group-label-routes.js';
import { createLabelPromotionRoutes } from '../../adapters/inbound/http/api-v4/labels/label-promotion-routes.js';
import { createLabelRoutes } from '../../adapters/inbound/http/api-v4/labels/label-routes.js';
import { createLabelSubscriptionRoutes } from '../../adapters/inbound/http/api-v4/labels/label-subscription-routes.js';
import { createMarkdownRoutes } from '../../adapters/inbound/http/api-v4/markdown/markdown-routes.js';
import { createResourceEventRoutes } from '../../adapters/inbound/http/api-v4/resource-events/resource-event-routes.js';
import { createGroupMilestoneRoutes } from '../../adapters/inbound/http/api-v4/milestones/group-milestone-routes.js';
import { createMilestonePromotionRoutes } from '../../adapters/inbound/http/api-v4/milestones/milestone-promotion-routes.js';
import { createMilestoneRoutes } from '../../adapters/inbound/http/api-v4/milestones/milestone-routes.js';
import { addBoardPages } from '../../adapters/inbound/http/pages/boards/board-pages.js';
import { addIssuePages } from '../../adapters/inbound/http/pages/issues/issue-pages.js';
import { addLabelPages } from '../../adapters/inbound/http/pages/labels/label-pages.js';
import { addMilestonePages } from '../../adapters/inbound/http/pages/milestones/milestone-pages.js';
import { KnexNoteTextReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-note-text-reader.js';
import { KnexBoardColumns } from '../../adapters/outbound/persistence/knex/planning/knex-board-columns.js';
import { KnexBoards } from '../../adapters/outbound/persistence/knex/planning/knex-boards.js';
import { KnexGroupLabelReader } from '../../adapters/outbound/persistence/knex/planning/knex-group-label-reader.js';
import { KnexGroupMilestoneReader } from '../../adapters/outbound/persistence/knex/planning/knex-group-milestone-reader.js';
import { KnexIssueLinkReader } from '../../adapters/outbound/persistence/knex/planning/knex-issue-link-reader.js';
import { KnexLabelSubscriptionReader } from '../../adapters/outbound/persistence/knex/planning/knex-label-subscriptions.js';
import { KnexMilestoneReader } from '../../adapters/outbound/persistence/knex/planning/knex-milestone-reader.js';
import { KnexPlanningOverview } from '../../adapters/outbound/persistence/knex/planning/knex-planning-overview.js';
import { KnexResourceEventReader } from '../../adapters/outbound/persistence/knex/planning/knex-resource-events.js';
import { KnexPlanningReader } from '../../adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { planningStorage } from './planning.storage.js';
import { markdownBy } from './markdown-by.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

/** How quick actions find the issues that they are about and that they name. */
const findersBy = (
  access: WorkspaceAccess,
  issues: () => Issues,
): Pick<IssueActionsParts, 'find' | 'findLinkable' | 'findProject'> => ({
  find: async (actor, project, iid) =>
    issues().findToChange(actor, await access.project(actor, project, 'write_issues'), iid),
  findLinkable: async (actor, project, iid) => {
    try {
      const place = await access.project(actor, project, 'read_issues');
      const { issue } = await issues().find(actor, place, iid);
      await access.project(actor, project, 'link_issues');
      return { issue, project: place.project };
    } catch (error) {
      // What they may not see or link isn't there.
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  },
  findProject: async (actor, project) => (await access.project(actor, project, 'read_project')).project,
});

const planningModule = new ContainerModule(({ bind }) => {
  bind(PLANNING_TOKENS.planning).toResolvedValue(
    ({ reader }, unitOfWork, { access }, clock) => {
      const planningReader = new KnexPlanningReader(reader);
      const things = new KnexNamedThings(reader, clock);
      const issueActions: IssueActions = new IssueActions({
        things,
        isEmoji,
        clock,
        ...findersBy(access, () => issues),
      });
      const issues: Issues = new Issues(unitOfWork, planningReader, issueActions, clock);
      return {
        planningReader,
        things,
        issueActions,
        issues,
        issueLinks: new IssueLinks(unitOfWork, clock),
        issueMoves: new IssueMoves(unitOfWork, things, new KnexNoteTextReader(reader), clock),
        issueOrder: new IssueOrder(unitOfWork, clock),
        boards: new Boards(unitOfWork, new KnexBoards(reader), clock),
        boardColumnReader: new KnexBoardColumns(reader),
        issueLinkReader: new KnexIssueLinkReader(reader),
        labels: new Labels(unitOfWork, clock),
        groupLabels: new GroupLabels(unitOfWork, clock),
        groupLabelReader: new KnexGroupLabelReader(reader),
        labelSubscriptions: new LabelSubscriptions(unitOfWork, new KnexLabelSubscriptionReader(reader), clock),
        milestones: new Milestones(unitOfWork, clock),
        milestoneReader: new KnexMilestoneReader(reader),
        groupMilestones: new GroupMilestones(unitOfWork, clock),
        groupMilestoneReader: new KnexGroupMilestoneReader(reader),
        resourceEventReader: new KnexResourceEventReader(reader),
        planningOverview: new KnexPlanningOverview(reader),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, WORKSPACE_TOKENS.workspace, TOKENS.clock],
  );
});

/** Issues and incidents, labels and milestones. */
export const planningContext: Context<typeof planningStorage> = {
  storage: planningStorage,
  modules: [planningModule],
  actions: (get) => [get(PLANNING_TOKENS.planning).issueActions],
  subjects: (get) => {
    const { issues, planningReader } = get(PLANNING_TOKENS.planning);
    return [issuesOfApi(createIssueSource(issues), planningReader, get(TOKENS.webUrls))];
  },
  routes: (get) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(PLANNING_TOKENS.planning), urls: get(TOKENS.webUrls) };
    const markup = get(REPOSITORY_TOKENS.apiMarkup);
    const subjects = { ...parts, ...get(COLLABORATION_TOKENS.collaboration) };
    return [
      ...createIssueRoutes(subjects),
      ...createIssueStatisticsRoutes(subjects),
      ...get(COLLABORATION_TOKENS.subjectsOfApi).flatMap((of) =>
        of.planned === true ? createResourceEventRoutes(subjects, of) : [],
      ),
      ...createIssueLinkRoutes(parts),
      ...createIssueMoveRoutes(subjects),
      ...createIssueOrderRoutes(subjects),
      ...createBoardRoutes(parts),
      ...createBoardListRoutes(parts),
      ...createLabelRoutes(parts),
      ...createLabelSubscriptionRoutes(parts),
      ...createLabelPromotionRoutes(parts),
      ...createGroupLabelRoutes(parts),
      ...createMilestoneRoutes(parts),
      ...createMilestonePromotionRoutes(parts),
      ...createGroupMilestoneRoutes(parts),
      ...createMarkdownRoutes({ ...parts, markup, projectMarkdown: markdownBy(get, markup) }),
    ];
  },
  pages: (get) => (pages) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(PLANNING_TOKENS.planning), urls: get(TOKENS.webUrls) };
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const { markup } = get(REPOSITORY_TOKENS.codePages);
    const markdown = markdownBy(get, markup);
    addIssuePages(pages, {
      ...parts,
      ...get(COLLABORATION_TOKENS.collaboration),
      ...get(UPLOAD_TOKENS.uploads),
      ...get(REPOSITORY_TOKENS.codeReading),
      mergeRequestReader: get(REVIEW_TOKENS.review).mergeRequestReader,
      users,
      markdown,
    });
    addBoardPages(pages, parts);
    addMilestonePages(pages, { ...parts, markdown, markup });
    addLabelPages(pages, parts);
  },
};
