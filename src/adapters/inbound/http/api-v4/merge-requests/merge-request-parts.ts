import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { HistoryReader, ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { Subscriptions } from '../../../../../application/collaboration/subscriptions.js';
import type { CreateMergeRequestPipelines } from '../../../../../application/pipelines/create-merge-request-pipelines.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { AutomaticMerges } from '../../../../../application/review/automatic-merges.js';
import type { Approvals } from '../../../../../application/review/approvals.js';
import type { MergeChanges } from '../../../../../application/review/merge-changes.js';
import type { MergeRequests } from '../../../../../application/review/merge-requests.js';
import type {
  ChangeableMergeRequest,
  VisibleMergeRequest,
} from '../../../../../application/review/visible-merge-request.js';
import type { MergeRefs } from '../../../../../application/review/merge-refs.js';
import type {
  MergeRequestDetails,
  MergeRequestReader,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { IssueFinder } from '../../../../../application/review/ports/issue-finder.js';
import type { GroupMilestoneReader } from '../../../../../application/planning/ports/group-milestones.js';
import type { MilestoneReader, PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { RebaseBranches } from '../../../../../application/review/rebase-branches.js';
import type { RefreshMergeRequests } from '../../../../../application/review/refresh-merge-requests.js';
import { isAdmin, type Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { together } from '../../../../../application/shared/together.js';
import type { Projects } from '../../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { branchRights } from '../../../../../domain/repositories/protected-ref.js';
import { isFoundOut } from '../../../../../domain/review/merge-request.js';
import { NotFound, Overloaded, Unavailable } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { withoutHiddenCiFile } from '../../hidden-ci-file.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { GuardContext } from '../../route.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { pathId } from '../../validation/parameters.js';
import { PROJECT_ID } from '../../kit/guards.js';
import type { WebUrls } from '../../web-urls.js';
import { presentMergeRequest, type MergeRequestExtras } from './merge-request-schema.js';

/** What the routes of merge requests need. */
export interface MergeRequestRoutesParts {
  readonly access: WorkspaceAccess;
  readonly projects: Projects;
  readonly users: UserReader;
  readonly mergeRequests: MergeRequests;
  readonly mergeRequestReader: MergeRequestReader;
  readonly refreshMergeRequests: RefreshMergeRequests;
  readonly mergeChanges: MergeChanges;
  readonly automaticMerges: AutomaticMerges;
  readonly pipelineReader: PipelineReader;
  readonly createMergeRequestPipelines: CreateMergeRequestPipelines;
  readonly mergeRefs: MergeRefs;
  readonly rebaseBranches: RebaseBranches;
  readonly approvals: Approvals;
  readonly subscriptions: Subscriptions;
  readonly issueFinder: IssueFinder;
  readonly planningReader: PlanningReader;
  readonly milestoneReader: MilestoneReader;
  readonly groupMilestoneReader: GroupMilestoneReader;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly refReader: RefReader;
  readonly revisions: Revisions;
  readonly history: HistoryReader;
  readonly objects: ObjectReader;
  readonly urls: WebUrls;
}

export const ALL = '/projects/:id/merge_requests';
export const ONE = `${ALL}/:merge_request_iid`;
export const IN_PATH = { id: PROJECT_ID, merge_request_iid: pathId('Number of the merge request within the project') };

type Finding = Pick<MergeRequestRoutesParts, 'access' | 'mergeRequests'>;

const iidIn = ({ path }: GuardContext): number => orNotFound(identifierIn(path['merge_request_iid']));

/** The merge request that a path names, as far as the caller may see it. */
export const findMergeRequest =
  ({ access, mergeRequests }: Finding) =>
  async (context: GuardContext): Promise<VisibleMergeRequest> => {
    const place = await access.project(context.actor, context.path['id'], 'read_merge_requests');
    return mergeRequests.find(place, iidIn(context));
  };

/** The same, where merge requests go on: not in an archived project. */
export const findLivingMergeRequest =
  ({ access, mergeRequests }: Finding) =>
  async (context: GuardContext): Promise<VisibleMergeRequest> => {
    const place = await access.project(context.actor, context.path['id'], 'open_merge_requests');
    return mergeRequests.find(access.also(context.actor, place, 'read_merge_requests'), iidIn(context));
  };

/** The same, for callers who are about to change it. */
export const findMergeRequestToChange =
  ({ access, mergeRequests }: Finding) =>
  async (context: GuardContext): Promise<ChangeableMergeRequest> => {
    const place = await access.project(context.actor, context.path['id'], 'open_merge_requests');
    return mergeRequests.findToChange(place, iidIn(context));
  };

export interface ShowOptions {
  readonly withDivergence?: boolean;
  readonly withRebase?: boolean;
}

/** One merge request as it is now. How it stands is found out first, where nobody has since a branch moved. */
export const show = async (
  parts: MergeRequestRoutesParts,
  actor: Actor,
  { mergeRequest: seen, place }: VisibleMergeRequest,
  { withDivergence = false, withRebase = false }: ShowOptions = {},
) => {
  const mergeRequest = orNotFound(await freshened(parts, seen));
  const concerned = { ...mergeRequest, assignees: [...mergeRequest.assignees, ...mergeRequest.reviewers] };
  // None needs what another one finds.
  const [version, head, rules, subscribed] = await together([
    parts.mergeRequestReader.newestVersion(mergeRequest.id),
    headPipeline(parts, actor, { place }, mergeRequest.pipeline),
    parts.protections.branchesOf(mergeRequest.projectId),
    actor.kind === 'user' ? parts.subscriptions.isSubscribed(actor, concerned) : Promise.resolve(false),
  ]);
  const changer = { level: place.level, admin: isAdmin(actor) };
  return presentMergeRequest(mergeRequest, parts.urls, {
    version,
    head,
    withDivergence,
    withRebase,
    subscribed,
    canMerge: actor.kind === 'user' && branchRights(mergeRequest.targetBranch, rules, changer).merge,
  });
};

/** The project that its pipeline is of. Undefined for who may not read pipelines there: then nothing of it is told. */
const placeOfPipeline = async (
  { access }: Pick<MergeRequestRoutesParts, 'access'>,
  actor: Actor,
  { place }: Pick<VisibleMergeRequest, 'place'>,
  { projectId }: Pick<Pipeline, 'projectId'>,
): Promise<PermittedProject<'read_pipelines'> | undefined> => {
  if (projectId === place.project.id) return access.alsoWhere(actor, place, 'read_pipelines');
  return unlessRefused(access.project(actor, String(projectId), 'read_pipelines'));
};

/** The path of that project, or undefined likewise. */
export const pathOfPipeline = async (...asked: Parameters<typeof placeOfPipeline>): Promise<string | undefined> =>
  (await placeOfPipeline(...asked))?.project.fullPath;

const headPipeline = async (
  parts: Pick<MergeRequestRoutesParts, 'access' | 'pipelineReader'>,
  actor: Actor,
  seen: Pick<VisibleMergeRequest, 'place'>,
  pipeline: Pipeline | null,
): Promise<MergeRequestExtras['head']> => {
  const place = pipeline === null ? undefined : await placeOfPipeline(parts, actor, seen, pipeline);
  if (pipeline === null || place === undefined) return undefined;
  const details = await parts.pipelineReader.find(pipeline.projectId, pipeline.id);
  if (details === undefined) return undefined;
  const asking = { access: parts.access, actor, place };
  return { pipeline: await withoutHiddenCiFile(asking, details), projectPath: place.project.fullPath };
};

/** The same, for one that was changed since it was seen. */
export const showChanged = async (parts: MergeRequestRoutesParts, actor: Actor, seen: VisibleMergeRequest) =>
  show(parts, actor, await parts.mergeRequests.again(seen));

/** One as it is now. What is read from rows is told though git is out of reach. @param seen as it was when it was read. */
export const freshened = async (
  {
    mergeRequestReader: reader,
    refreshMergeRequests,
  }: Pick<MergeRequestRoutesParts, 'mergeRequestReader' | 'refreshMergeRequests'>,
  seen: MergeRequestDetails,
) => {
  const { id } = seen;
  const mergeRequest = (await refreshMergeRequests.settled(id)) ? await reader.findById(id) : seen;
  if (mergeRequest?.state !== 'opened' || isFoundOut(mergeRequest)) return mergeRequest;
  try {
    await refreshMergeRequests.execute(id);
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Overloaded)) throw error;
  }
  return reader.findById(id);
};

/** The store that holds its commits. @throws NotFound. */
export const storeOf = async (
  { refReader }: MergeRequestRoutesParts,
  { mergeRequest: { projectId } }: VisibleMergeRequest,
): Promise<string> => {
  const repository = await refReader.findRepository(projectId);
  if (repository === undefined) throw new NotFound('Repository');
  return repository.store;
};
