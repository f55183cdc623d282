import { Type } from '@sinclair/typebox';
import type { NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { SubjectDetails } from '../../../../../application/collaboration/ports/subject-ports.js';
import { SUBJECT_TYPES } from '../../../../../domain/shared/subject.js';
import { component } from '../../openapi/component.js';
import { nullable, oneOf } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { lineCode, PositionSchema, presentPosition } from './position-schema.js';
import { presentSuggestion, SuggestionSchema } from './suggestion-schema.js';

const instant = Type.String({ format: 'date-time' });

export const NoteSchema = component(
  'schemas/Note',
  Type.Object({
    id: Type.Integer(),
    type: nullable(
      oneOf(['DiscussionNote', 'DiffNote'], {
        description: 'Of a note that is part of a discussion, or of one about lines',
      }),
    ),
    body: Type.String(),
    attachment: Type.Null(),
    author: BasicUserSchema,
    created_at: instant,
    updated_at: instant,
    system: Type.Boolean(),
    confidential: Type.Literal(false),
    internal: Type.Literal(false),
    noteable_id: nullable(Type.Integer()),
    noteable_iid: nullable(Type.Integer()),
    noteable_type: oneOf(Object.values(SUBJECT_TYPES)),
    commit_id: Type.Optional(Type.Null()),
    position: Type.Optional(PositionSchema),
    original_position: Type.Optional(PositionSchema),
    line_code: Type.Optional(
      Type.String({ description: 'What clients call the line: digest of its path, and its numbers' }),
    ),
    outdated: Type.Optional(Type.Boolean({ description: 'Whether the lines have changed since' })),
    suggestions: Type.Optional(Type.Array(SuggestionSchema)),
    resolvable: Type.Boolean({ description: 'Whether it is part of what can be said to be done' }),
    resolved: Type.Optional(Type.Boolean()),
    resolved_by: Type.Optional(nullable(BasicUserSchema)),
    resolved_at: Type.Optional(nullable(instant)),
  }),
);

const presentResolution = ({ resolution }: NoteWithAuthor, urls: WebUrls) => ({
  resolved: resolution !== null,
  resolved_by: resolution && presentPerson(resolution.by, urls),
  resolved_at: resolution?.at.toISOString() ?? null,
});

/** What a note says of the subject that it is about. */
type NotedSubject = Pick<SubjectDetails, 'id' | 'ownId' | 'kind' | 'iid' | 'resolvable' | 'takesSuggestions'>;

const presentLines = (note: NoteWithAuthor, { kind, takesSuggestions = false }: NotedSubject) =>
  note.place && {
    ...(kind === 'commit' ? {} : { commit_id: null }),
    position: presentPosition(note.place.position),
    original_position: presentPosition(note.place.original),
    line_code: lineCode(note.place.original),
    outdated: note.place.outdated,
    suggestions: note.suggestions.map((suggestion) => presentSuggestion(note, suggestion, takesSuggestions)),
  };

const typeOf = ({ place, discussionId }: NoteWithAuthor) => {
  if (place !== null) return 'DiffNote' as const;
  return discussionId === null ? null : ('DiscussionNote' as const);
};

export const presentNote = (note: NoteWithAuthor, subject: NotedSubject, urls: WebUrls) => {
  const together = note.discussionId !== null;
  const resolvable = together && subject.resolvable;
  return {
    id: note.id,
    type: typeOf(note),
    body: note.body,
    attachment: null,
    author: presentPerson(note.author, urls),
    created_at: note.createdAt.toISOString(),
    updated_at: note.updatedAt.toISOString(),
    system: note.system,
    confidential: false,
    internal: false,
    noteable_id: subject.kind === 'commit' ? null : (subject.ownId ?? subject.id),
    noteable_iid: subject.iid,
    noteable_type: SUBJECT_TYPES[subject.kind],
    ...presentLines(note, subject),
    resolvable,
    ...(resolvable ? presentResolution(note, urls) : {}),
  };
};
