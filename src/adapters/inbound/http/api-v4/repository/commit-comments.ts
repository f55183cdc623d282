import { Type } from '@sinclair/typebox';
import { MOST_OF_COMMENT, type CommentOnCommit } from '../../../../../application/repositories/comment-on-commit.js';
import type {
  CommitComment,
  CommitCommentReader,
} from '../../../../../application/repositories/ports/commit-comments.js';
import { LINE_TYPES } from '../../../../../domain/repositories/commit-comment.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { ParametersInvalid } from '../../http-error.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { route, type Decide, type Route } from '../../route.js';
import { integer, nullable, oneOf, parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { inCommit, MAX_NAME, type CodeRoutesParts } from './code-routes-parts.js';

type Parts = CodeRoutesParts & {
  readonly commentOnCommit: CommentOnCommit;
  readonly commitComments: CommitCommentReader;
};

const TAG = 'Commits';
const PATH = '/projects/:id/repository/commits/:sha/comments';
const IN_PATH = { id: PROJECT_ID, sha: pathId('Id of a commit, or its beginning; a branch or tag') };

const CommentSchema = component(
  'schemas/CommitComment',
  Type.Object({
    note: Type.String(),
    path: nullable(Type.String({ description: 'Where it is about a line' })),
    line: nullable(Type.Integer()),
    line_type: nullable(Type.String({ description: 'new or old' })),
    author: BasicUserSchema,
    created_at: Type.String({ format: 'date-time' }),
  }),
);

const present = ({ note, line, author, createdAt }: CommitComment, urls: WebUrls) => ({
  note,
  path: line?.path ?? null,
  line: line?.line ?? null,
  line_type: line?.lineType ?? null,
  author: presentPerson(author, urls),
  created_at: createdAt.toISOString(),
});

const listComments = (parts: Parts): Route =>
  pagedList({
    path: PATH,
    operationId: 'listCommitComments',
    summary: 'What people say of a commit, the oldest first',
    tag: TAG,
    access: 'anyone',
    parameters: IN_PATH,
    items: CommentSchema,
    guard: inCommit(parts),
    read: ({ subject: { project, commit }, page }) => parts.commitComments.list(project.id, commit.commit.id, page),
    present: (comment) => present(comment, parts.urls),
  });

/** Who may say something of a commit: whoever may read it, and take part in the project. */
const toComment = (parts: Parts) => {
  const decide: Decide<{
    readonly place: Awaited<ReturnType<ReturnType<typeof inCommit>['decide']>>;
    readonly party: Awaited<ReturnType<ReturnType<typeof inProject<'take_part'>>['decide']>>;
  }> = async (context) => {
    const party = await inProject(parts.access, 'take_part').decide(context);
    return { place: await inCommit(parts).decide(context), party };
  };
  return { decide, permission: 'take_part' as const };
};

const LINE_OF_PATH = ['line', 'line_type'] as const;

const createComment = (parts: Parts): Route =>
  route({
    method: 'post',
    path: PATH,
    operationId: 'createCommitComment',
    summary: 'Say something of a commit, or of a line that it changed',
    description: 'Where the commit does not show the line, the comment is about the commit as a whole.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...IN_PATH,
      note: requiredText(MOST_OF_COMMENT, 'The text, in Markdown'),
      path: Type.Optional(text(MAX_NAME, 'The file that it is about; needs `line` and `line_type`')),
      line: Type.Optional(integer({ minimum: 1, maximum: 2_000_000_000, description: 'The line that it is about' })),
      line_type: Type.Optional(
        oneOf(LINE_TYPES, { description: 'Whether the line is counted after the commit, or before it' }),
      ),
    }),
    responses: { 201: CommentSchema },
    guard: toComment(parts),
    handle: async ({ actor, subject: { place, party }, parameters: given }) => {
      const { note, path, line, line_type: lineType } = given;
      const missing = path === undefined ? [] : LINE_OF_PATH.filter((parameter) => given[parameter] === undefined);
      if (missing.length > 0)
        throw new ParametersInvalid(missing.map((parameter) => ({ parameter, problem: 'is missing' })));
      const about = path === undefined || line === undefined ? null : { path, line, lineType: lineType ?? 'new' };
      const id = await parts.commentOnCommit.execute(party, place.commit, actor, { note, line: about });
      const added = await parts.commitComments.find(id);
      if (added === undefined) throw new NotFound('Commit');
      return { status: 201, body: present(added, parts.urls) };
    },
  });

export const createCommitCommentRoutes = (parts: Parts): readonly Route[] => [
  listComments(parts),
  createComment(parts),
];
