import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { CommitActions, StartProject } from '../../../../../application/repositories/commit-actions.js';
import type { PickCommits, PickOutcome } from '../../../../../application/repositories/pick-commits.js';
import type { HistoryReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { ForkNetwork } from '../../../../../application/workspace/fork-network.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { linesOfNewFiles } from '../../../../../domain/repositories/new-lines.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { jsonList, parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { authorOf, FILES_BODY, MAX_MESSAGE, MAX_REF, writerOf } from './code-writing.js';
import { CommitDetailSchema, CommitSchema, presentCommit, presentCommitDetail } from './present-commit.js';
import { MAX_ACTIONS, readActions } from './read-actions.js';

export interface CommitWritingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly forkNetwork: ForkNetwork;
  readonly users: UserReader;
  readonly revisions: Revisions;
  readonly history: HistoryReader;
  readonly commitActions: CommitActions;
  readonly pickCommits: PickCommits;
  readonly urls: WebUrls;
}
type Parts = CommitWritingRoutesParts;

const TAG = 'Commits';
const ALL = '/projects/:id/repository/commits';

/** @throws NotFound. */
export const madeCommit = async ({ revisions }: Parts, permitted: Permitted<'push_code'>, id: string) => {
  const found = await revisions.find(permitted, id);
  if (found === undefined) throw new NotFound('Commit');
  return found;
};

/** The project that a commit begins in, as long as the caller may read it. @throws Forbidden for any that is not of one network with this. */
const startIn = async (
  { forkNetwork }: Parts,
  actor: Actor,
  { project }: Permitted<'push_code'>,
  name: string,
): Promise<StartProject> => {
  const find = async () => {
    const code = await forkNetwork.codeOf(actor, project, name);
    if (code === undefined) throw new Forbidden(`Project is not included in the fork network for ${project.fullPath}`);
    return code;
  };
  return { code: await find(), requireStill: find };
};

export const createCommit = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'createCommit',
    summary: 'Change many files of a branch in one commit',
    description:
      'Each action has `action` (`create`, `update`, `delete`, `move`, `chmod`) and `file_path`. All of them are done, or none.',
    tag: TAG,
    access: 'user',
    body: FILES_BODY,
    parameters: parameters({
      id: PROJECT_ID,
      branch: requiredText(MAX_REF, 'Where the commit is made'),
      commit_message: requiredText(MAX_MESSAGE, 'What the commit is about'),
      actions: Type.Optional(jsonList(MAX_ACTIONS, 'What is done to which file; none only with `allow_empty`')),
      allow_empty: Type.Boolean({ default: false, description: 'Whether a commit may do nothing' }),
      start_branch: Type.Optional(text(MAX_REF, 'Where `branch` begins, if it is not there yet')),
      start_sha: Type.Optional(text(MAX_REF, 'The same by a commit')),
      start_project: Type.Optional(
        pathId('Number or path of the project that the start is in: this one, its source, or a fork of either'),
      ),
      author_email: Type.Optional(text(255, 'The address of whoever wrote it; yours unless told')),
      author_name: Type.Optional(text(255, 'Of whoever wrote it; yours unless told')),
      stats: Type.Boolean({ default: true, description: 'Whether the answer counts lines' }),
      force: Type.Boolean({ default: false, description: 'Begins a branch anew that is there already' }),
    }),
    responses: { 201: CommitDetailSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { commit_message: message, stats, force, ...sent } }) => {
      const { branch, start_branch: startBranch, start_sha: startSha } = sent;
      if (startBranch !== undefined && startSha !== undefined)
        throw new HttpError(400, 'start_branch, start_sha are mutually exclusive');
      const actions = readActions(sent.actions, { mayBeNone: sent.allow_empty });
      const startProject =
        sent.start_project === undefined ? undefined : await startIn(parts, actor, subject, sent.start_project);
      const writer = await writerOf(parts.users, actor);
      const id = await parts.commitActions.execute(subject, writer, {
        branch,
        message,
        actions,
        force,
        ...authorOf(writer, sent),
        ...given({ startBranch, startSha, startProject }),
      });
      const { store, commit } = await madeCommit(parts, subject, id);
      const count = async () => linesOfNewFiles(actions) ?? (await parts.history.lineCounts(store, [id])).get(id);
      const lines = stats ? await count() : undefined;
      return { status: 201, body: presentCommitDetail(commit, subject.project, parts.urls, { stats: lines }) };
    },
  });

const DryRunSchema = Type.Object({ dry_run: Type.Literal('success') });
const RefusedPickSchema = Type.Object({
  message: Type.String(),
  error_code: Type.Optional(Type.Union([Type.Literal('conflict'), Type.Literal('empty')])),
  dry_run: Type.Optional(Type.Literal('error')),
});

const WAYS = {
  cherry_pick: {
    operationId: 'cherryPickCommit',
    summary: 'Do what a commit did once more, on a branch',
    verb: 'cherry-pick',
    done: 'cherry-picked',
  },
  revert: {
    operationId: 'revertCommit',
    summary: 'Undo what a commit did, on a branch',
    verb: 'revert',
    done: 'reverted',
  },
} as const;
type Way = keyof typeof WAYS;

const refusal = (way: Way, code: 'conflict' | 'empty', dryRun: boolean): RouteResult => {
  const { verb, done } = WAYS[way];
  const message = `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`;
  return { status: 400, body: { message, error_code: code, ...(dryRun ? { dry_run: 'error' } : {}) } };
};

const pickRoute = (parts: Parts, way: Way) =>
  route({
    method: 'post',
    path: `${ALL}/:sha/${way}`,
    operationId: WAYS[way].operationId,
    summary: WAYS[way].summary,
    description:
      'Of a merge it is what that brought to its first parent. `error_code` tells a conflict from a change that is there already.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      sha: pathId('Id of the commit, or a branch or tag'),
      branch: requiredText(MAX_REF, 'Where the new commit is made'),
      dry_run: Type.Boolean({ default: false, description: 'Only tells whether it could be done' }),
      message: Type.Optional(requiredText(MAX_MESSAGE, 'In place of the one that is made')),
    }),
    responses: { 201: CommitSchema, 200: DryRunSchema, 400: RefusedPickSchema },
    guard: foundByName('Commit', 'sha', inProject(parts.access, 'push_code'), (place, sha) =>
      parts.revisions.find(place, sha),
    ),
    handle: async ({ actor, subject, parameters: { branch, dry_run: dryRun, message } }) => {
      const writer = await writerOf(parts.users, actor);
      const { commit } = subject.commit;
      const command = { commit, branch, dryRun, ...given({ message }) };
      const outcome: PickOutcome = await (way === 'revert'
        ? parts.pickCommits.revert(subject, writer, command)
        : parts.pickCommits.cherryPick(subject, writer, command));
      if (outcome.outcome === 'possible') return { body: { dry_run: 'success' } };
      if (outcome.outcome !== 'done') return refusal(way, outcome.outcome, dryRun);
      const made = await madeCommit(parts, subject, outcome.commit);
      return { status: 201, body: presentCommit(made.commit, subject.project, parts.urls) };
    },
  });

export const createCommitWritingRoutes = (parts: Parts): readonly Route[] => [
  createCommit(parts),
  pickRoute(parts, 'cherry_pick'),
  pickRoute(parts, 'revert'),
];
