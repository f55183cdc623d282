import { Type } from '@sinclair/typebox';
import { isObjectId, NO_OBJECT, type ObjectId } from '../../../../../domain/repositories/object-id.js';
import { HttpError } from '../../http-error.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import { MAX_MESSAGE, MAX_REF, writerOf } from './code-writing.js';
import { madeCommit, type CommitWritingRoutesParts } from './commit-writing-routes.js';
import { CommitDetailSchema, presentCommitDetail } from './present-commit.js';

const MAX_SHA = 255;

/** The commit of another repository, which this one needn't have. @throws HttpError 400 for what is no id of one. */
const readSha = (sent: string): ObjectId => {
  const id = sent.toLowerCase();
  if (!isObjectId(id) || id === NO_OBJECT) throw new HttpError(400, 'commit_sha is invalid');
  return id;
};

export const updateSubmodule = (parts: CommitWritingRoutesParts) =>
  route({
    method: 'put',
    path: '/projects/:id/repository/submodules/:submodule',
    operationId: 'updateSubmodule',
    summary: 'Let a submodule lead to another commit',
    tag: 'Repositories',
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      submodule: pathId('URL-encoded path of the submodule'),
      branch: requiredText(MAX_REF, 'Where the commit is made'),
      commit_sha: requiredText(MAX_SHA, 'Id of the commit that it is to lead to, in full'),
      commit_message: Type.Optional(
        text(MAX_MESSAGE, 'What the commit is about, in place of what is made of the path and the id'),
      ),
    }),
    responses: { 200: CommitDetailSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({
      actor,
      subject,
      parameters: { submodule: path, branch, commit_sha: sha, commit_message: sent },
    }) => {
      const commit = readSha(sha);
      const writer = await writerOf(parts.users, actor);
      const id = await parts.commitActions.execute(subject, writer, {
        branch,
        message: sent ?? `Update submodule ${path} with oid ${commit}`,
        actions: [{ kind: 'submodule', path, commit }],
      });
      const made = await madeCommit(parts, subject, id);
      return { body: presentCommitDetail(made.commit, subject.project, parts.urls) };
    },
  });

export const createSubmoduleRoutes = (parts: CommitWritingRoutesParts): readonly Route[] => [updateSubmodule(parts)];
