import { ContainerModule } from 'inversify';
import type { Issues } from '../../application/planning/issues.js';
import type { Revisions } from '../../application/repositories/browse/revisions.js';
import { BringCommits } from '../../application/repositories/operations/bring-commits.js';
import { ApplyPushOptions } from '../../application/review/apply-push-options.js';
import { ApplySuggestions } from '../../application/review/apply-suggestions.js';
import { Approvals } from '../../application/review/approvals.js';
import { CommitDiffs } from '../../application/review/commit-diffs.js';
import { createCommitSource } from '../../application/review/commit-source.js';
import { FollowTarget } from '../../application/review/follow-target.js';
import { closeMergeRequestsOfFork } from '../../application/review/follow-pushes.js';
import { InTurn } from '../../application/review/in-turn.js';
import { LookAgain } from '../../application/review/look-again.js';
import { LookAtBranches } from '../../application/review/look-at-branches.js';
import { MergeRequestActions } from '../../application/review/merge-request-actions.js';
import { MergeRequestDiffs } from '../../application/review/merge-request-diffs.js';
import { MergeRefs } from '../../application/review/merge-refs.js';
import { createMergeRequestSource } from '../../application/review/merge-request-source.js';
import { MergeRequests } from '../../application/review/merge-requests.js';
import { NamedIssues } from '../../application/review/named-issues.js';
import type { IssueFinder } from '../../application/review/ports/issue-finder.js';
import { PreviewChanges } from '../../application/review/preview-changes.js';
import { PushedBranches } from '../../application/review/pushed-branches.js';
import { RefreshMergeRequests } from '../../application/review/refresh-merge-requests.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { createApprovalRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/approval-routes.js';
import { createCommitCommentRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/commit-comment-routes.js';
import { commitsOfApi } from '../../adapters/inbound/http/api-v4/merge-requests/commits-of-api.js';
import { createMergeRequestCodeRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merge-request-code-routes.js';
import { createMergeRequestListRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merge-request-list-routes.js';
import { createMergeRequestPartyRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merge-request-party-routes.js';
import { createMergeRequestPipelineRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merge-request-pipelines.js';
import { createMergeRequestRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merge-request-routes.js';
import { mergeRequestsOfApi } from '../../adapters/inbound/http/api-v4/merge-requests/merge-requests-of-api.js';
import { createMergingRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/merging-routes.js';
import { createSuggestionRoutes } from '../../adapters/inbound/http/api-v4/merge-requests/suggestion-routes.js';
import { createUserCountsRoute } from '../../adapters/inbound/http/api-v4/users/user-counts-route.js';
import { addMergeSettingsPage } from '../../adapters/inbound/http/pages/merge-requests/merge-settings-page.js';
import { addMergeRequestPages } from '../../adapters/inbound/http/pages/merge-requests/merge-request-pages.js';
import { isEmoji } from '../../adapters/outbound/emoji/emoji-names.js';
import { KnexDiscussionReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-discussion-reader.js';
import { KnexNoteReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-note-reader.js';
import { unlessRefused } from '../../adapters/inbound/http/kit/unless-refused.js';
import { KnexDiscussedCommits } from '../../adapters/outbound/persistence/knex/review/knex-discussed-commits.js';
import { KnexRelatedProjects } from '../../adapters/outbound/persistence/knex/review/knex-related-projects.js';
import { KnexMergeRequestReader } from '../../adapters/outbound/persistence/knex/review/knex-merge-request-reader.js';
import { mayChangeIssue } from '../../domain/planning/issue.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Actor } from '../../application/shared/actor.js';
import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import type { Permitted } from '../../application/shared/permitted.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import type { Context, Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { markdownBy } from './markdown-by.js';
import { composeMerging, signaturesBy } from './merging.js';
import { findToChangeBy, mergeRequestFinders } from './merge-request-finders.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { actorBy } from './people-behind-works.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { reviewStorage } from './review.storage.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { EVERY_MINUTE } from './schedules.js';
import { TOKENS } from './tokens.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const findIssuesBy = (access: WorkspaceAccess, issues: Issues): IssueFinder => ({
  find: async (actor, project, iid) => {
    try {
      const place = await access.project(actor, project, 'read_issues');
      const { issue, party } = await issues.find(actor, place, iid);
      const { project: within } = place;
      return { issue, project: within, mayClose: !within.archived && mayChangeIssue(issue, party) };
    } catch (error) {
      // What they may not see isn't there.
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  },
});

const pushableBy =
  (access: WorkspaceAccess) =>
  async (actor: Actor, projectId: ProjectId): Promise<Permitted<'push_code'> | undefined> => {
    try {
      return await access.project(actor, String(projectId), 'push_code');
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  };

const mayReadBy =
  (access: WorkspaceAccess) =>
  async (actor: Actor, id: ProjectId): Promise<boolean> =>
    (await unlessRefused(access.project(actor, String(id), 'read_code'))) !== undefined;

const mayPushBy =
  (access: WorkspaceAccess) =>
  async (actor: Actor, projectId: ProjectId): Promise<boolean> =>
    (await pushableBy(access)(actor, projectId)) !== undefined;

/** What merge requests have to do with pushes. */
const pushesBy = (
  {
    users,
    ...branches
  }: Pick<ConstructorParameters<typeof PushedBranches>[0], 'reader' | 'protections'> & {
    readonly users: UserReader;
  },
  {
    access,
    ...parts
  }: Omit<ConstructorParameters<typeof ApplyPushOptions>[0], 'pushedBranches' | 'toPush' | 'toOpen'> & {
    readonly access: WorkspaceAccess;
  },
) => {
  const viewer = (actor: Actor) => access.viewer(actor);
  const actorOf = actorBy(users);
  const pushedBranches = new PushedBranches({ ...branches, actorOf, viewer, pushable: pushableBy(access) });
  const applyPushOptions = new ApplyPushOptions({
    ...parts,
    pushedBranches,
    toPush: (actor, projectId) => access.project(actor, String(projectId), 'push_code'),
    toOpen: (actor, projectId) => access.project(actor, String(projectId), 'open_merge_requests'),
  });
  return { pushedBranches, applyPushOptions };
};

const readCommitBy =
  (access: WorkspaceAccess, revisions: Revisions) => async (actor: Actor, projectId: ProjectId, name: string) =>
    (await revisions.find(await access.project(actor, String(projectId), 'read_code'), name))?.commit;

const commitsBy = (get: Get) => {
  const { refReader: refs } = get(REPOSITORY_TOKENS.repositories);
  const { objects } = get(REPOSITORY_TOKENS.gitStores);
  return commitsOfApi(get(REVIEW_TOKENS.commits).source, { refs, objects, urls: get(TOKENS.webUrls) });
};

const reviewModule = new ContainerModule(({ bind }) => {
  bind(REVIEW_TOKENS.review).toResolvedValue(
    ({ reader }, unitOfWork, stores, code, { access, forkNetwork }, { issues, things }, { users }, clock) => {
      const { history, merger, objects } = stores;
      const mergeRequestReader = new KnexMergeRequestReader(reader, () => clock.now().toISOString().slice(0, 10));
      const refs = code.refReader;
      const bringCommits = new BringCommits({ ...stores, refs });
      const related = new KnexRelatedProjects(reader);
      const look = new LookAtBranches({ refs, related, history, merger, bringCommits });
      const { changeCode, protections } = code;
      const discussionReader = new KnexDiscussionReader(reader);
      const looking = { unitOfWork, reader: mergeRequestReader, look, objects, clock };
      const mergeRequestDiffs = new MergeRequestDiffs({ ...looking, discussionReader, refs, history });
      const refsMoved = changeCode.refsMoved.bind(changeCode);
      const refresh = new RefreshMergeRequests({ ...looking, diffs: mergeRequestDiffs, refsMoved });
      const followTarget = new FollowTarget({ ...looking, diffs: mergeRequestDiffs, refs, history, merger });
      const issueFinder = findIssuesBy(access, issues);
      const namedIssues = new NamedIssues(issueFinder);
      const shared = { ...looking, refresh, namedIssues, changeCode, signatureOf: signaturesBy(users) };
      const turns = new InTurn<number>();
      const find = findToChangeBy(access, () => mergeRequests);
      const merging = composeMerging({ ...shared, protections, history, merger, turns, users, bringCommits, find });
      const acts = { access, users, reader: mergeRequestReader, ...merging };
      const finders = mergeRequestFinders({ ...acts, find, mergeRequests: () => mergeRequests });
      const mergeRequestActions = new MergeRequestActions({ things, isEmoji, clock, ...finders });
      const mergeRequests = new MergeRequests({
        ...shared,
        actions: mergeRequestActions,
        ...{ forkNetwork, mayPush: mayPushBy(access), mayRead: mayReadBy(access) },
      });
      return {
        mergeRequestReader,
        refreshMergeRequests: refresh,
        lookAgain: new LookAgain({ reader: mergeRequestReader, followTarget, refresh, clock }),
        issueFinder,
        ...pushesBy({ ...acts, protections }, { access, mergeRequests, things, look, history }),
        mergeRequests,
        mergeRequestActions,
        mergeRequestDiffs,
        ...merging,
        mergeRefs: new MergeRefs({ ...shared, refs, objects, merger }),
        approvals: new Approvals(unitOfWork, clock),
        applySuggestions: new ApplySuggestions({ ...shared, noteReader: new KnexNoteReader(reader), turns }),
        previewChanges: new PreviewChanges({ look, history, objects }),
      };
    },
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      REPOSITORY_TOKENS.gitStores,
      REPOSITORY_TOKENS.repositories,
      WORKSPACE_TOKENS.workspace,
      PLANNING_TOKENS.planning,
      IDENTITY_TOKENS.identityReaders,
      TOKENS.clock,
    ],
  );
});

const commitsModule = new ContainerModule(({ bind }) => {
  bind(REVIEW_TOKENS.commits).toResolvedValue(
    ({ reader }, unitOfWork, { objects, history }, { refReader: refs, revisions }, { access }, { users }) => {
      const diffs = new CommitDiffs({ refs, objects, history });
      const discussedCommits = new KnexDiscussedCommits(reader);
      const readCommit = readCommitBy(access, revisions);
      return {
        diffs,
        discussedCommits,
        source: createCommitSource({ readCommit, discussedCommits, users, unitOfWork, diffs }),
      };
    },
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      REPOSITORY_TOKENS.gitStores,
      REPOSITORY_TOKENS.repositories,
      WORKSPACE_TOKENS.workspace,
      IDENTITY_TOKENS.identityReaders,
    ],
  );
});

const pipelinesBy = (get: Get) => {
  const { pipelineReader, createMergeRequestPipelines } = get(PIPELINE_TOKENS.pipelines);
  return { pipelineReader, createMergeRequestPipelines };
};

const routeParts = (get: Get) => {
  const { history, objects } = get(REPOSITORY_TOKENS.gitStores);
  const { refReader, revisions, protections } = get(REPOSITORY_TOKENS.repositories);
  return {
    ...get(REVIEW_TOKENS.review),
    ...pipelinesBy(get),
    access: get(WORKSPACE_TOKENS.workspace).access,
    projects: get(WORKSPACE_TOKENS.workspace).projects,
    users: get(IDENTITY_TOKENS.identityReaders).users,
    subscriptions: get(COLLABORATION_TOKENS.collaboration).subscriptions,
    noteReader: get(COLLABORATION_TOKENS.collaboration).noteReader,
    planningReader: get(PLANNING_TOKENS.planning).planningReader,
    milestoneReader: get(PLANNING_TOKENS.planning).milestoneReader,
    groupMilestoneReader: get(PLANNING_TOKENS.planning).groupMilestoneReader,
    refReader,
    revisions,
    protections,
    history,
    objects,
    urls: get(TOKENS.webUrls),
  };
};

/** Merge requests: how one person's change becomes everybody's. */
export const reviewContext: Context<typeof reviewStorage> = {
  storage: reviewStorage,
  modules: [reviewModule, commitsModule],
  actions: (get) => [get(REVIEW_TOKENS.review).mergeRequestActions],
  subjects: (get) => {
    const { mergeRequestReader, mergeRequestDiffs } = get(REVIEW_TOKENS.review);
    const source = createMergeRequestSource(mergeRequestReader, mergeRequestDiffs);
    return [mergeRequestsOfApi(source, mergeRequestReader, get(TOKENS.webUrls)), commitsBy(get)];
  },
  routes: (get) => {
    const parts = routeParts(get);
    const { diffs: commitDiffs } = get(REVIEW_TOKENS.commits);
    const commentParts = { ...get(COLLABORATION_TOKENS.collaboration), ...parts, commitDiffs };
    return [
      ...createMergeRequestListRoutes(parts),
      ...createMergeRequestRoutes({ ...parts, markdown: markdownBy(get, get(REPOSITORY_TOKENS.apiMarkup)) }),
      ...createMergeRequestCodeRoutes(parts),
      ...createMergeRequestPartyRoutes(parts),
      ...createMergeRequestPipelineRoutes(parts),
      ...createMergingRoutes(parts),
      ...createApprovalRoutes(parts),
      ...createSuggestionRoutes(parts),
      createUserCountsRoute({ ...parts, todoReader: get(COLLABORATION_TOKENS.collaboration).todoReader }),
      ...createCommitCommentRoutes(commentParts, commitsBy(get)),
    ];
  },
  pages: (get) => (pages) => {
    const parts = {
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(PLANNING_TOKENS.planning),
      ...get(COLLABORATION_TOKENS.collaboration),
      ...routeParts(get),
    };
    const markdown = markdownBy(get, get(REPOSITORY_TOKENS.codePages).markup);
    const { descriptionTemplates } = get(REPOSITORY_TOKENS.codeReading);
    addMergeRequestPages(pages, { ...parts, ...get(UPLOAD_TOKENS.uploads), descriptionTemplates, markdown });
    addMergeSettingsPage(pages, parts);
  },
  forgetProject: [closeMergeRequestsOfFork],
  tasks: (get) => {
    const { automaticMerges } = get(REVIEW_TOKENS.review);
    return [
      { name: 'merges that wait without CI', pattern: EVERY_MINUTE, run: () => automaticMerges.giveUpWithoutCi() },
    ];
  },
};
