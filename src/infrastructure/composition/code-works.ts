import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import { noteTextMentions, type TextMentions } from '../../application/collaboration/text-mentions.js';
import { CommitMentions, noteCommitMentions } from '../../application/planning/commit-mentions.js';
import { DoCodeWorks } from '../../application/repositories/do-code-works.js';
import { MOST_COMMITS, type PushedMessages } from '../../application/repositories/pushed-messages.js';
import type { CodeWork } from '../../application/repositories/ports/repository-repositories.js';
import type { UserActor } from '../../application/shared/actor.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { Logger } from '../../application/shared/ports/logger.js';
import type { SecretSource } from '../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { WorkspaceReader } from '../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { unlessRefused } from '../../adapters/inbound/http/kit/unless-refused.js';
import { offOccasion } from '../../adapters/occasions/current-occasion.js';
import { writerOf } from '../../adapters/inbound/http/api-v4/repository/code-writing.js';
import { PIPELINE_STATUSES } from '../../domain/pipelines/pipeline.js';
import { titleOf } from '../../domain/repositories/commit-message.js';
import { pushedNote } from '../../domain/review/pushed-note.js';
import { Forbidden, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import { actorBy } from './people-behind-works.js';
import type { CollaborationUseCases } from './collaboration.tokens.js';
import type { CodeWriting } from './code-writing.js';
import type { EnvironmentUseCases } from './environments.tokens.js';
import type { PipelineUseCases } from './pipelines.tokens.js';
import type { PlanningUseCases } from './planning.tokens.js';
import type { ReviewUseCases } from './review.tokens.js';
import type { Repositories } from './storages.js';

/** Joins what reads commits with what they concern: planning and repositories don't know each other. */
export const composeCodeWorks = (
  unitOfWork: UnitOfWork<Repositories>,
  { pushedMessages, removeMergedBranches, changeRefs }: CodeWriting,
  { access, reader: workspace }: { readonly access: WorkspaceAccess; readonly reader: WorkspaceReader },
  { issues }: PlanningUseCases,
  { users }: { readonly users: UserReader },
  { secrets }: { readonly secrets: SecretSource },
  clock: Clock,
  logger: Logger,
  review: Pick<ReviewUseCases, 'lookAgain' | 'automaticMerges'>,
  pipelines: PipelineMakers & BridgeParts,
  environments: Pick<EnvironmentUseCases, 'endEnvironments' | 'noteDeployed'>,
  { textMentions }: Pick<CollaborationUseCases, 'textMentions'>,
): DoCodeWorks<Repositories> => {
  const mentions = new CommitMentions((actor, project) => access.project(actor, project, 'write_issues'), issues);

  const actorOf = whoAskedBy(users);

  return new DoCodeWorks<Repositories>({
    unitOfWork,
    secrets,
    clock,
    logger,
    handlers: {
      read_commits: async (work) => {
        if (work.kind !== 'read_commits') return undefined;
        const actor = await actorOf(work);
        const { project } = await access.project(actor, String(work.projectId), 'read_code');
        const messages = await pushedMessages.read(project, work.payload);
        const { byMachine } = work.payload;
        const found = await mentions.find(actor, { project, ...messages, byMachine });
        if (found.length === 0) return undefined;
        return (repositories) => noteCommitMentions(repositories, found, actor.id, clock.now());
      },
      ...worksOnTexts(textMentions, actorOf, clock),
      remove_merged_branches: async (work) => {
        if (work.kind !== 'remove_merged_branches') return undefined;
        const actor = await actorOf(work);
        const permitted = await access.project(actor, String(work.projectId), 'push_code');
        await removeMergedBranches.execute(permitted, await writerOf(users, actor), work.payload);
        return undefined;
      },
      remove_branch: async (work) => {
        if (work.kind !== 'remove_branch') return undefined;
        const actor = await actorOf(work);
        const { projectId, branch, expected } = work.payload;
        const permitted = await access.project(actor, String(projectId), 'push_code');
        const writer = await writerOf(users, actor);
        await changeRefs.removeBranch(permitted, writer, branch, { target: expected }).catch(leaveIt);
        return undefined;
      },
      ...worksOnSources(pushedMessages, workspace, clock),
      ...worksOnPipelines(pipelines, access, actorOf),
      ...worksOnBridges(pipelines),
      ...worksOnEnvironments(environments),
      ...worksOnMergeRequests(review, clock),
    },
  });
};

type Works = ConstructorParameters<typeof DoCodeWorks<Repositories>>[0]['handlers'];

type PipelineMakers = Pick<PipelineUseCases, 'createPipelines' | 'createMergeRequestPipelines'>;
type BridgeParts = Pick<PipelineUseCases, 'startDownstream' | 'followDownstream'>;

const worksOnPipelines = (
  { createPipelines, createMergeRequestPipelines }: PipelineMakers,
  access: WorkspaceAccess,
  actorOf: (work: CodeWork) => Promise<UserActor>,
): Pick<Works, 'create_pipeline' | 'create_merge_request_pipeline'> => ({
  create_pipeline: async (work) => {
    if (work.kind !== 'create_pipeline') return undefined;
    if (!(await createPipelines.hasFile(work.projectId, work.payload.to))) return undefined;
    const actor = await actorOf(work);
    // Somebody may be let in to push who may not run jobs there: rules would tell them of variables that are kept for jobs.
    const place = await unlessRefused(access.project(actor, String(work.projectId), 'run_pipelines'));
    if (place === undefined) return undefined;
    const ofBranch = await createPipelines.forPush(actor.id, place.project, work.payload);
    return inTurn([ofBranch, ...(await createMergeRequestPipelines.forPush(actor, place, work.payload))]);
  },
  create_merge_request_pipeline: async (work) => {
    if (work.kind !== 'create_merge_request_pipeline') return undefined;
    const actor = await actorOf(work);
    const place = await access.project(actor, String(work.projectId), 'run_pipelines');
    return createMergeRequestPipelines.forOpened(actor, place, work.payload.mergeRequestId);
  },
});

const worksOnBridges = ({
  startDownstream,
  followDownstream,
}: BridgeParts): Pick<Works, 'start_downstream' | 'follow_downstream'> => ({
  start_downstream: async (work) =>
    work.kind === 'start_downstream' ? startDownstream.start(work.projectId, work.payload.jobId) : undefined,
  follow_downstream: (work) => {
    if (work.kind !== 'follow_downstream') return Promise.resolve(undefined);
    const { projectId, payload } = work;
    const { jobId } = payload;
    const from = PIPELINE_STATUSES.find((status) => status === payload.from);
    return Promise.resolve((repositories) =>
      followDownstream.follow(repositories, { projectId, jobId, ...(from && { from }) }),
    );
  },
});

type Step = (repositories: Repositories) => Promise<void>;

const inTurn = (steps: readonly (Step | undefined)[]): Step | undefined => {
  const asked = steps.filter((step) => step !== undefined);
  if (asked.length === 0) return undefined;
  return async (repositories) => {
    for (const step of asked) await step(repositories);
  };
};

const worksOnTexts = (
  textMentions: TextMentions,
  actorOf: (work: CodeWork) => Promise<UserActor>,
  clock: Clock,
): Pick<Works, 'read_mentions'> => ({
  read_mentions: async (work) => {
    if (work.kind !== 'read_mentions') return undefined;
    const actor = await actorOf(work);
    const found = await textMentions.find(actor, work.payload);
    if (found.length === 0) return undefined;
    const when = { by: actor.id, at: clock.now() };
    return (repositories) => noteTextMentions(repositories, work.payload, found, when);
  },
});

const worksOnSources = (
  pushedMessages: PushedMessages,
  workspace: Pick<WorkspaceReader, 'findProject'>,
  clock: Clock,
): Pick<Works, 'note_pushed_commits'> => ({
  note_pushed_commits: async (work) => {
    if (work.kind !== 'note_pushed_commits') return undefined;
    const { projectId, userId: authorId, payload } = work;
    const { mergeRequestId: subjectId, from, to } = payload;
    const project = await workspace.findProject(projectId);
    if (project === undefined) return undefined;
    const { commits } = await pushedMessages.read(project, payload);
    const titled = commits.map(({ id, message }) => ({ id, title: titleOf(message) }));
    const body = pushedNote({ from, to, commits: titled, limit: MOST_COMMITS });
    return async ({ mergeRequests, notes }) => {
      if ((await mergeRequests.take(subjectId)) === undefined) return;
      await notes.add({ subjectId, authorId, body, system: true, createdAt: clock.now() });
    };
  },
});

const worksOnEnvironments = ({
  endEnvironments: ends,
  noteDeployed,
}: Pick<EnvironmentUseCases, 'endEnvironments' | 'noteDeployed'>): Pick<
  Works,
  'stop_environments' | 'note_deployed'
> => ({
  note_deployed: async (work) =>
    work.kind === 'note_deployed' ? noteDeployed.find(work.projectId, work.payload.deploymentId) : undefined,
  stop_environments: async (work) => {
    if (work.kind !== 'stop_environments') return undefined;
    const gone = await ends.stillGone(work.projectId, work.payload.refs);
    if (gone.length === 0) return undefined;
    return async (repositories) => {
      for (const each of gone) await ends.deployedFrom(repositories, work.projectId, each, work.userId);
    };
  },
});

const worksOnMergeRequests = (
  review: Pick<ReviewUseCases, 'lookAgain' | 'automaticMerges'>,
  clock: Clock,
): Pick<Works, 'merge_automatically' | 'refresh_merge_requests'> => ({
  merge_automatically: async (work) => {
    if (work.kind === 'merge_automatically') await review.automaticMerges.run(work.payload.mergeRequestId);
    return undefined;
  },
  refresh_merge_requests: async (work) => {
    if (work.kind !== 'refresh_merge_requests') return undefined;
    const { projectId, userId, payload } = work;
    const { branch, after } = payload;
    const last = await offOccasion(() => review.lookAgain.execute({ projectId, branch, by: userId, after }));
    if (last === undefined) return undefined;
    // Others are let in between.
    const rest = { kind: work.kind, projectId, userId, payload: { branch, after: last } };
    return ({ codeWorks }) => codeWorks.add(rest, clock.now());
  },
});

/** Whoever asked for a work, with the rights that they have now. @throws NotFound for who may not sign in any more. */
const whoAskedBy = (users: UserReader) => {
  const actorOf = actorBy(users);
  return async ({ userId }: CodeWork): Promise<UserActor> => {
    const actor = await actorOf(userId);
    if (actor === undefined) throw new NotFound('User');
    return actor;
  };
};

/** It has moved since, or must stay. */
const leaveIt = (error: unknown): void => {
  if (!(error instanceof NotFound || error instanceof NotPossible || error instanceof Forbidden)) throw error;
};
