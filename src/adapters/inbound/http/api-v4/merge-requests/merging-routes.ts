import { Type } from '@sinclair/typebox';
import type { Committer, MergeOutcome } from '../../../../../application/review/merge-changes.js';
import type { Maker } from '../../../../../application/review/merge-refs.js';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import type { Actor, UserActor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { MergeRefusal } from '../../../../../domain/review/merge-decision.js';
import { given } from '../../kit/given.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { parameters, text } from '../../validation/parameters.js';
import { MAX_MESSAGE, writerOf } from '../repository/code-writing.js';
import {
  findMergeRequest,
  findMergeRequestToChange,
  IN_PATH,
  ONE,
  showChanged,
  type MergeRequestRoutesParts,
} from './merge-request-parts.js';
import { MergeRequestSchema } from './merge-request-schema.js';

type Parts = MergeRequestRoutesParts;

const TAG = 'Merge requests';

const RefusedMergeSchema = Type.Object({
  message: Type.String(),
  reason: Type.String({ description: 'What `detailed_merge_status` says' }),
  conflicts: Type.Optional(
    Type.Array(Type.String({ description: 'Path of a file that can’t be merged by a machine' })),
  ),
});

/** Its branches don't fit, or somebody has to agree first: clients know these as another refusal than one that is none of its branches'. */
const CANT_BE_MERGED: ReadonlySet<MergeRefusal> = new Set<MergeRefusal>([
  'conflict',
  'need_rebase',
  'not_approved',
  'unchecked',
]);

const refusal = ({ reason, conflicts }: Extract<MergeOutcome, { outcome: 'refused' }>): RouteResult =>
  CANT_BE_MERGED.has(reason)
    ? { status: 406, body: { message: 'Branch cannot be merged', reason, conflicts } }
    : { status: 405, body: { message: '405 Method Not Allowed', reason } };

/** Commits name whoever merges. */
export const committerOf = async ({ users }: Pick<Parts, 'users'>, actor: UserActor): Promise<Committer> => {
  const { name, email } = await writerOf(users, actor);
  return { ...actor, name, email };
};

/** The project of the source branch, for who may push there. @throws Forbidden with a reason that tells nothing of that project. */
export const permitSource = (
  { access }: Pick<Parts, 'access'>,
  actor: Actor,
  { mergeRequest: { sourceProjectId } }: VisibleMergeRequest,
  reason: string,
): Promise<Permitted<'push_code'>> =>
  access
    .project(actor, sourceProjectId === null ? undefined : String(sourceProjectId), 'push_code')
    .catch((error: unknown) => {
      throw error instanceof NotFound || error instanceof Forbidden ? new Forbidden(reason) : error;
    });

export const acceptMergeRequest = (parts: Parts) =>
  route({
    method: 'put',
    path: `${ONE}/merge`,
    operationId: 'acceptMergeRequest',
    summary: 'Merge a merge request',
    description:
      '405 where it is not ready, 406 where its branches can’t be merged, each with the reason; 409 where its commits are others than `sha`. With `merge_when_pipeline_succeeds`, it is merged once the pipeline of its newest commit succeeds: at once where that has succeeded, or there is none; 405 where it failed.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...IN_PATH,
      merge_commit_message: Type.Optional(text(MAX_MESSAGE, 'In place of the one that is made')),
      squash_commit_message: Type.Optional(text(MAX_MESSAGE, 'Of the one commit; the title unless told')),
      squash: Type.Optional(Type.Boolean({ description: 'Whether its commits become one' })),
      should_remove_source_branch: Type.Optional(
        Type.Boolean({ description: 'Whether the source branch goes with it; a protected one stays' }),
      ),
      merge_when_pipeline_succeeds: Type.Boolean({
        default: false,
        description: 'Whether to wait for a pipeline, where there is one',
      }),
      auto_merge: Type.Boolean({ default: false, description: 'The same, by its newer name' }),
      sha: Type.Optional(text(64, 'The commit that you looked at: what came after it isn’t merged')),
    }),
    responses: { 200: MergeRequestSchema, 405: RefusedMergeSchema, 406: RefusedMergeSchema },
    guard: findMergeRequestToChange(parts),
    handle: async ({ actor, subject, parameters: sent }) => {
      const command = given({
        message: sent.merge_commit_message === '' ? undefined : sent.merge_commit_message,
        squashMessage: sent.squash_commit_message === '' ? undefined : sent.squash_commit_message,
        squash: sent.squash,
        removeSourceBranch: sent.should_remove_source_branch,
        sha: sent.sha === '' ? undefined : sent.sha,
      });
      const committer = await committerOf(parts, actor);
      const waiting = sent.merge_when_pipeline_succeeds || sent.auto_merge;
      const outcome = await (waiting
        ? parts.automaticMerges.begin(committer, subject, command)
        : parts.mergeChanges.execute(committer, subject, command));
      if (outcome.outcome === 'refused') return refusal(outcome);
      return { body: await showChanged(parts, actor, subject) };
    },
  });

const NOT_WAITING = { message: "Can't cancel the automatic merge", status: 'error', http_status: 406 };

export const cancelAutomaticMerge = (parts: Parts) =>
  route({
    method: 'post',
    path: `${ONE}/cancel_merge_when_pipeline_succeeds`,
    operationId: 'cancelAutomaticMerge',
    summary: 'Merge no more when the pipeline succeeds',
    description: 'The body says whether there was something to cancel.',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: {
      201: Type.Object({
        status: Type.String(),
        message: Type.Optional(Type.String()),
        http_status: Type.Optional(Type.Integer()),
      }),
    },
    guard: findMergeRequestToChange(parts),
    handle: async ({ actor, subject }) => ({
      status: 201,
      body: (await parts.automaticMerges.cancel(actor, subject)) ? { status: 'success' } : NOT_WAITING,
    }),
  });

const MAY_NOT_PUSH = 'Cannot push to source branch';

export const rebaseMergeRequest = (parts: Parts) =>
  route({
    method: 'put',
    path: `${ONE}/rebase`,
    operationId: 'rebaseMergeRequest',
    summary: 'Put the commits of a merge request upon its target branch',
    description: 'Done when it is answered. What went wrong is its `merge_error` then.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...IN_PATH,
      skip_ci: Type.Boolean({ default: false, description: 'Whether no jobs are made for what it becomes' }),
    }),
    responses: { 202: Type.Object({ rebase_in_progress: Type.Boolean() }) },
    guard: async (context) => {
      const visible = await findMergeRequestToChange(parts)(context);
      return { visible, permitted: await permitSource(parts, context.actor, visible, MAY_NOT_PUSH) };
    },
    handle: async ({ actor, subject: { visible, permitted }, parameters: { skip_ci: skip } }) => {
      await parts.rebaseBranches.execute(await committerOf(parts, actor), visible, permitted, skip ? ['ci.skip'] : []);
      return { status: 202, body: { rebase_in_progress: false } };
    },
  });

/**
 * Whoever may push may have the commit made. A GET comes with a token of `read_api`, too, and from whoever sees the project: these store
 * nothing.
 */
const makerFor = async (
  parts: Parts,
  actor: UserActor,
  { mergeRequest: { projectId } }: VisibleMergeRequest,
): Promise<Maker | undefined> => {
  const { credential } = actor;
  if (credential.kind !== 'session' && !credential.scopes.includes('api')) return undefined;
  const permitted = await parts.access.project(actor, String(projectId), 'push_code').catch((error: unknown) => {
    if (error instanceof Forbidden) return undefined;
    throw error;
  });
  return permitted && { committer: await committerOf(parts, actor), permitted };
};

const mergeRefBy = (parts: Parts, method: 'get' | 'put', operationId: string) =>
  route({
    method,
    path: `${ONE}/merge_ref`,
    operationId,
    summary: 'What merging a merge request now would give, kept as `refs/merge-requests/:iid/merge`',
    description:
      'It is made for who may push, with the scope `api`; anybody else is told the one that is kept while it is that of now, and is 403 where there is none. 400 where it can’t be merged.',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 200: Type.Object({ commit_id: Type.String() }) },
    guard: (method === 'get' ? findMergeRequest : findMergeRequestToChange)(parts),
    handle: async ({ actor, subject }) => ({
      body: { commit_id: await parts.mergeRefs.current(subject, await makerFor(parts, actor, subject)) },
    }),
  });

export const getMergeRef = (parts: Parts) => mergeRefBy(parts, 'get', 'getMergeRef');

/** Clients of an older API know it so. */
export const updateMergeRef = (parts: Parts) => mergeRefBy(parts, 'put', 'updateMergeRef');

export const createMergingRoutes = (parts: Parts): readonly Route[] =>
  [acceptMergeRequest, cancelAutomaticMerge, rebaseMergeRequest, getMergeRef, updateMergeRef].map((make) =>
    make(parts),
  );
