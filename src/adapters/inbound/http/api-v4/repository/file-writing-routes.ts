import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { CommitActions } from '../../../../../application/repositories/commit-actions.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { FileAction } from '../../../../../domain/repositories/file-action.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { oneOf, parameters, pathId, requiredText, text, type ParametersOf } from '../../validation/parameters.js';
import {
  authorOf,
  bytesOf,
  FILE_ENCODINGS,
  FILES_BODY,
  MAX_FILE_TEXT,
  MAX_MESSAGE,
  MAX_REF,
  writerOf,
  type FileEncoding,
} from './code-writing.js';

export interface FileWritingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly commitActions: CommitActions;
}
type Parts = FileWritingRoutesParts;

const TAG = 'Repository files';
const ONE = '/projects/:id/repository/files/:file_path';

const PLACE = {
  id: PROJECT_ID,
  file_path: pathId('URL-encoded path of the file'),
  branch: requiredText(MAX_REF, 'Where the commit is made'),
  start_branch: Type.Optional(text(MAX_REF, 'Where `branch` begins, if it is not there yet')),
  commit_message: requiredText(MAX_MESSAGE, 'What the commit is about'),
  author_email: Type.Optional(text(255, 'The address of whoever wrote it; yours unless told')),
  author_name: Type.Optional(text(255, 'Of whoever wrote it; yours unless told')),
};
const CONTENT = {
  content: text(MAX_FILE_TEXT, 'All that the file is to hold'),
  encoding: oneOf(FILE_ENCODINGS, { default: 'text', description: 'How `content` is written' }),
};
const SEEN = {
  last_commit_id: Type.Optional(
    text(255, 'The last commit of the file that you know of: a later one refuses the change'),
  ),
};

/** @throws HttpError 400. */
const readContent = (content: string, encoding: FileEncoding): Uint8Array =>
  bytesOf(content, encoding, (problem) => {
    throw new HttpError(400, `content ${problem}`);
  });

const WrittenFileSchema = Type.Object({ file_path: Type.String(), branch: Type.String() });

/** Makes one commit of one action. */
const commit = async (
  { users, commitActions }: Parts,
  { actor, subject }: { readonly actor: UserActor; readonly subject: Permitted<'push_code'> },
  { branch, start_branch: startBranch, commit_message: message, ...author }: ParametersOf<typeof PLACE>,
  { action, stale }: { readonly action: FileAction; readonly stale: string },
): Promise<void> => {
  const writer = await writerOf(users, actor);
  await commitActions.execute(subject, writer, {
    branch,
    message,
    actions: [action],
    stale: () => stale,
    ...authorOf(writer, author),
    ...given({ startBranch: startBranch === '' ? undefined : startBranch }),
  });
};

const UPDATED = 'You are attempting to update a file that has changed since you started editing it.';
const DELETED = 'You are attempting to delete a file that has been previously updated.';

export const createFile = (parts: Parts) =>
  route({
    method: 'post',
    path: ONE,
    operationId: 'createFile',
    summary: 'Add a file to a branch',
    description: 'In an empty repository the first commit makes the branch, whatever it is called.',
    tag: TAG,
    access: 'user',
    body: FILES_BODY,
    parameters: parameters({
      ...PLACE,
      ...CONTENT,
      execute_filemode: Type.Boolean({ default: false, description: 'Whether the file can be executed' }),
    }),
    responses: { 201: WrittenFileSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { content, encoding, execute_filemode: executable, ...place } }) => {
      const { file_path: path, branch } = place;
      const action = { kind: 'create', path, content: readContent(content, encoding), executable } as const;
      await commit(parts, { actor, subject }, place, { action, stale: UPDATED });
      return { status: 201, body: { file_path: path, branch } };
    },
  });

interface SentChange {
  readonly file_path: string;
  readonly content?: string;
  readonly encoding: FileEncoding;
  readonly execute_filemode?: boolean;
}

/** @throws HttpError 400 where nothing is to be changed. */
const changeOf = ({ file_path: path, content, encoding, execute_filemode: executable }: SentChange): FileAction => {
  if (content !== undefined)
    return { kind: 'update', path, content: readContent(content, encoding), ...given({ executable }) };
  if (executable !== undefined) return { kind: 'chmod', path, executable };
  throw new HttpError(400, 'content is missing');
};

export const updateFile = (parts: Parts) =>
  route({
    method: 'put',
    path: ONE,
    operationId: 'updateFile',
    summary: 'Change a file of a branch',
    tag: TAG,
    access: 'user',
    body: FILES_BODY,
    parameters: parameters({
      ...PLACE,
      ...CONTENT,
      content: Type.Optional(
        text(MAX_FILE_TEXT, 'All that the file is to hold; as it is where `execute_filemode` is sent alone'),
      ),
      execute_filemode: Type.Optional(
        Type.Boolean({ description: 'Whether the file can be executed; as it is where it is not sent' }),
      ),
      ...SEEN,
    }),
    responses: { 200: WrittenFileSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { last_commit_id: lastCommitId, ...sent } }) => {
      const action = { ...changeOf(sent), ...given({ lastCommitId }) };
      await commit(parts, { actor, subject }, sent, { action, stale: UPDATED });
      return { body: { file_path: sent.file_path, branch: sent.branch } };
    },
  });

export const deleteFile = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'deleteFile',
    summary: 'Remove a file from a branch',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...PLACE, ...SEEN }),
    responses: { 204: null },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { last_commit_id: lastCommitId, ...place } }) => {
      const action = { kind: 'delete', path: place.file_path, ...given({ lastCommitId }) } as const;
      await commit(parts, { actor, subject }, place, { action, stale: DELETED });
      return { status: 204 };
    },
  });

export const createFileWritingRoutes = (parts: Parts): readonly Route[] =>
  [createFile, updateFile, deleteFile].map((make) => make(parts));
