import type { CommitStatusDetails } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import { factsOf } from '../../../../../application/review/operations/facts.js';
import type { PipelineStatus } from '../../../../../domain/pipelines/pipeline.js';
import { together } from '../../../../../application/shared/together.js';
import { branchRights, type BranchRights } from '../../../../../domain/repositories/protected-ref.js';
import { decideMerge, type MergeRefusal } from '../../../../../domain/review/merge-decision.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import { pathOfPipeline } from '../../api-v4/merge-requests/merge-request-parts.js';
import { CodeAddresses } from '../code/code-addresses.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { MergeRequestPagesParts } from './merge-request-pages-parts.js';

/** Why it can't be merged as things stand, and what to do. */
export interface Hindrance {
  readonly reason: MergeRefusal;
  readonly why: string;
  readonly todo: string;
}

/** What stands beside the button that merges, or in its place. */
export interface MergeBox {
  readonly hindrance: Hindrance | undefined;
  /** Whether they may merge into that branch. */
  readonly mayMerge: boolean;
  readonly mayRebase: boolean;
  /** Whether there would be a merge commit. */
  readonly makesCommit: boolean;
  /** Whether they may have it merged once its pipeline succeeds. */
  readonly mayWait: boolean;
  /** Undefined where its newest commit has none. */
  readonly pipeline: PipelineOfBox | undefined;
}

/** The pipeline of the newest commit; who doesn't see the fork that has it learns how it stands, and no more. */
interface PipelineOfBox {
  readonly status: PipelineStatus;
  readonly number: number | undefined;
  readonly address: string | undefined;
  /** Where the pages of its jobs are. */
  readonly jobsAt: string | undefined;
  readonly checks: readonly CommitStatusDetails[];
}

const several = (count: number, one: string): string => `${count} more ${count === 1 ? `${one} is` : `${one}s are`}`;

type Words = (mergeRequest: MergeRequestDetails) => Omit<Hindrance, 'reason'>;

const WORDS: Readonly<Record<MergeRefusal, Words>> = {
  not_open: ({ state }) =>
    state === 'merged'
      ? { why: 'Somebody has merged it already.', todo: 'There is nothing left to do.' }
      : { why: 'It is not open.', todo: 'Reopen it to merge it.' },
  draft_status: () => ({ why: 'It is a draft.', todo: 'Mark it as ready once it may be merged.' }),
  commits_status: ({ branchesThere, sourceBranch, targetBranch }) =>
    branchesThere
      ? { why: `${sourceBranch} has nothing that ${targetBranch} lacks.`, todo: `Push commits to ${sourceBranch}.` }
      : { why: 'One of its branches is gone.', todo: 'Push the branch again, or close the merge request.' },
  discussions_not_resolved: () => ({
    why: 'A thread is not resolved yet.',
    todo: 'Do what the threads below ask for, and resolve them.',
  }),
  ci_must_pass: () => ({
    why: 'The pipeline of its last commit did not succeed.',
    todo: 'Push a commit that repairs it, or run the pipeline again.',
  }),
  ci_still_running: () => ({
    why: 'The pipeline of its last commit is still running.',
    todo: 'Wait until it is done.',
  }),
  not_approved: ({ rules, approvals }) => ({
    why: `${several(rules.approvalsRequired - approvals, 'approval')} needed.`,
    todo: 'Ask a Developer or above who did not open it to approve it.',
  }),
  unchecked: () => ({
    why: 'Whether its branches can be merged is being found out.',
    todo: 'Load the page again in a few seconds.',
  }),
  conflict: ({ conflicts, sourceBranch, targetBranch }) => ({
    why:
      conflicts.length === 0
        ? 'Its branches have no commit in common, or differ by so much that finding out whether they can be merged takes too long.'
        : 'The same lines were changed on both branches, in the files below.',
    todo: `Merge ${targetBranch} into ${sourceBranch} on your machine, resolve the conflicts, and push.`,
  }),
  need_rebase: ({ behind, targetBranch }) => ({
    why: `${targetBranch} has ${behind} ${behind === 1 ? 'commit' : 'commits'} that the source branch lacks, and this project merges only what stands upon its newest commit.`,
    todo: 'Rebase it.',
  }),
};

/** A refusal in sentences. */
export const hindranceOf = (reason: MergeRefusal, mergeRequest: MergeRequestDetails): Hindrance => ({
  reason,
  ...WORDS[reason](mergeRequest),
});

/** A merge request as it is now, where it was found. */
export type Placed = Pick<VisibleMergeRequest, 'place' | 'mergeRequest'>;

export const mergeBoxOf = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  { place, mergeRequest }: Placed,
): Promise<MergeBox | AfterMerge | undefined> => {
  if (mergeRequest.state === 'merged') return afterMerge(parts, context, { place, mergeRequest });
  return mergeRequest.state === 'opened' ? beforeMerge(parts, context, { place, mergeRequest }) : undefined;
};

const beforeMerge = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  { place, mergeRequest }: Placed,
): Promise<MergeBox> => {
  const { project, level } = place;
  const { user } = context.browser;
  const [rules, pipeline] = await together([
    parts.protections.branchesOf(project.id),
    pipelineOf(parts, context, { place, mergeRequest }),
  ]);
  const rights = branchRights(mergeRequest.targetBranch, rules, { level, admin: user?.admin === true });
  const facts = factsOf(mergeRequest);
  const reason = decideMerge(facts);
  const mayMerge = user !== undefined && !project.archived && rights.merge;
  const ready = decideMerge({ ...facts, pipeline: 'success' }) === undefined;
  return {
    hindrance: reason && hindranceOf(reason, mergeRequest),
    mayMerge,
    mayWait: mayMerge && ready && facts.pipeline === 'running' && mergeRequest.mergesBy === null,
    pipeline,
    mayRebase:
      mergeRequest.behind > 0 &&
      mergeRequest.ahead > 0 &&
      (await rightsInSource(parts, context, { place, mergeRequest }))?.forcePush === true,
    makesCommit: mergeRequest.rules.method !== 'ff',
  };
};

const pipelineOf = async (
  parts: MergeRequestPagesParts,
  { browser }: PageContext,
  { place, mergeRequest: { pipeline } }: Placed,
): Promise<PipelineOfBox | undefined> => {
  if (pipeline === null) return undefined;
  const { status, iid, id } = pipeline;
  const path = await pathOfPipeline(parts, actorFor(browser), { place }, pipeline);
  if (path === undefined && pipeline.projectId === place.project.id) return undefined;
  if (path === undefined) return { status, number: undefined, address: undefined, jobsAt: undefined, checks: [] };
  const addresses = new CodeAddresses(path);
  const [address, jobsAt] = [addresses.page(`pipelines/${id}`), addresses.page('jobs')];
  return { status, number: iid, address, jobsAt, checks: await parts.pipelineReader.checksOf(id) };
};

/** What became of the source branch of one that was merged, as far as they see it. */
interface AfterMerge {
  readonly branchGone: boolean;
  /** The page that asks before it is removed, for who may. */
  readonly removal: string | undefined;
}

const afterMerge = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  { place, mergeRequest }: Placed,
): Promise<AfterMerge | undefined> => {
  const { sourceProjectId, sourceBranch } = mergeRequest;
  if (sourceProjectId === null) return undefined;
  const source = await openSource(parts, context, { place, mergeRequest }, 'read_code');
  const repository = source && (await parts.refReader.findRepository(sourceProjectId));
  if (source === undefined || repository === undefined) return undefined;
  if ((await parts.refReader.findRef(repository.id, branchRef(sourceBranch))) === undefined)
    return { branchGone: true, removal: undefined };
  const rights = await rightsInSource(parts, context, { place, mergeRequest });
  const { fullPath, defaultBranch } = source.project;
  const removable = rights?.push === true && !rights.protected && sourceBranch !== defaultBranch;
  const page = `${new CodeAddresses(fullPath).page('branches/remove')}?${new URLSearchParams({ name: sourceBranch }).toString()}`;
  return { branchGone: false, removal: removable ? page : undefined };
};

/** The project of the source branch; undefined for who may not do this there. Mostly it is that of the merge request, and known. */
export const openSource = <P extends 'read_code' | 'push_code'>(
  { access }: MergeRequestPagesParts,
  { browser }: PageContext,
  { place, mergeRequest: { sourceProjectId } }: Placed,
  permission: P,
): Promise<PermittedProject<P> | undefined> => {
  const actor = actorFor(browser);
  const ask = async () =>
    sourceProjectId === place.project.id
      ? access.also(actor, place, permission)
      : access.project(actor, String(sourceProjectId), permission);
  return unlessRefused(ask());
};

/** What they may do to the source branch; undefined for who may not push to its project. */
export const rightsInSource = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  placed: Placed,
): Promise<BranchRights | undefined> => {
  const { protections } = parts;
  const { browser } = context;
  const { sourceProjectId, sourceBranch } = placed.mergeRequest;
  if (sourceProjectId === null || browser.user === undefined) return undefined;
  const source = await openSource(parts, context, placed, 'push_code');
  if (source === undefined) return undefined;
  const rules = await protections.branchesOf(sourceProjectId);
  return branchRights(sourceBranch, rules, { level: source.level, admin: browser.user.admin });
};
