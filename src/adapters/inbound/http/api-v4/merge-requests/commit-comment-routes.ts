import { Type } from '@sinclair/typebox';
import type { Discussions } from '../../../../../application/collaboration/discussions.js';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { DiscussableSubject } from '../../../../../application/collaboration/subjects.js';
import type { CommitDiffs } from '../../../../../application/review/commit-diffs.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { MAX_NOTE } from '../../../../../domain/collaboration/note.js';
import { LINE_TYPES, type CommentedLine } from '../../../../../domain/review/commented-line.js';
import { ParametersInvalid } from '../../http-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { integer, nullable, oneOf, parameters, requiredText, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import {
  findSubject,
  findSubjectToDiscuss,
  parametersOf,
  pathOf,
  type SubjectOfApi,
  type SubjectRoutesParts,
} from '../collaboration/subject-of-api.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

type Parts = SubjectRoutesParts & {
  readonly notes: Notes;
  readonly discussions: Discussions;
  readonly noteReader: NoteReader;
  readonly commitDiffs: CommitDiffs;
};

const TAG = 'Commits';
const MOST_OF_PATH = 4_096;

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

const NOWHERE = { path: null, line: null, line_type: null } as const;

const presentLine = ({ place }: NoteWithAuthor) => {
  if (place === null) return NOWHERE;
  const { newPath, oldPath, newLine, oldLine } = place.position;
  return newLine === null
    ? { path: oldPath, line: oldLine, line_type: 'old' }
    : { path: newPath, line: newLine, line_type: 'new' };
};

const present = (note: NoteWithAuthor, urls: WebUrls) => ({
  note: note.body,
  ...presentLine(note),
  author: presentPerson(note.author, urls),
  created_at: note.createdAt.toISOString(),
});

const listComments = (parts: Parts, of: SubjectOfApi): Route =>
  pagedList({
    path: `${pathOf(of)}/comments`,
    operationId: 'listCommitComments',
    summary: 'What people say of a commit, the oldest first',
    tag: TAG,
    access: 'anyone',
    parameters: parametersOf(of),
    items: CommentSchema,
    guard: findSubject(parts, of),
    read: ({ subject: { subject }, page }) =>
      parts.noteReader.list(subject.id, { orderBy: 'created_at', sort: 'asc', page }),
    present: (note) => present(note, parts.urls),
  });

const OF_LINE = {
  path: Type.Optional(text(MOST_OF_PATH, 'The file that it is about; needs `line` and `line_type`')),
  line: Type.Optional(integer({ minimum: 1, maximum: 2_000_000_000, description: 'The line that it is about' })),
  line_type: Type.Optional(
    oneOf(LINE_TYPES, { description: 'Whether the line is counted after the commit, or before it' }),
  ),
};

const NEEDED = ['line', 'line_type'] as const;

/** Null of a comment on the commit as a whole. @throws ParametersInvalid. */
const lineIn = (given: {
  readonly path?: string;
  readonly line?: number;
  readonly line_type?: CommentedLine['lineType'];
}): CommentedLine | null => {
  const { path, line, line_type: lineType } = given;
  if (path === undefined) return null;
  const missing = NEEDED.filter((parameter) => given[parameter] === undefined);
  if (line === undefined || lineType === undefined)
    throw new ParametersInvalid(missing.map((parameter) => ({ parameter, problem: 'is missing' })));
  return { path, line, lineType };
};

const add = async (
  { discussions, notes, commitDiffs }: Parts,
  actor: UserActor,
  found: DiscussableSubject,
  { note, line }: { readonly note: string; readonly line: CommentedLine | null },
): Promise<number | undefined> => {
  const position = line === null ? undefined : await commitDiffs.positionOf(found.subject, line);
  const written = await (position === undefined
    ? notes.add(actor, found, note)
    : discussions.begin(actor, found, note, { position }));
  return written.result;
};

const createComment = (parts: Parts, of: SubjectOfApi): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/comments`,
    operationId: 'createCommitComment',
    summary: 'Say something of a commit, or of a line that it changed',
    description: 'Where the commit does not show the line, the comment is about the commit as a whole.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...parametersOf(of), note: requiredText(MAX_NOTE, 'The text, in Markdown'), ...OF_LINE }),
    responses: { 201: CommentSchema },
    guard: findSubjectToDiscuss(parts, of),
    handle: async ({ actor, subject: visible, parameters: given }) => {
      const line = lineIn(given);
      const found = await parts.subjects.begin(visible);
      const id = await add(parts, actor, found, { note: given.note, line });
      const added = id === undefined ? undefined : await parts.noteReader.find(found.subject.id, id);
      return { status: 201, body: present(orNotFound(added), parts.urls) };
    },
  });

export const createCommitCommentRoutes = (parts: Parts, of: SubjectOfApi): readonly Route[] => [
  listComments(parts, of),
  createComment(parts, of),
];
