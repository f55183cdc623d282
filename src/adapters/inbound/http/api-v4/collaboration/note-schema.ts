import { Type } from '@sinclair/typebox';
import type { NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { SubjectDetails } from '../../../../../application/collaboration/ports/subject-ports.js';
import { SUBJECT_TYPES } from '../../../../../domain/shared/subject.js';
import { component } from '../../openapi/component.js';
import { nullable, oneOf } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });

export const NoteSchema = component(
  'schemas/Note',
  Type.Object({
    id: Type.Integer(),
    body: Type.String(),
    attachment: Type.Null(),
    author: BasicUserSchema,
    created_at: instant,
    updated_at: instant,
    system: Type.Boolean(),
    noteable_id: nullable(Type.Integer()),
    noteable_iid: nullable(Type.Integer()),
    noteable_type: oneOf(Object.values(SUBJECT_TYPES)),
    resolvable: Type.Boolean(),
  }),
);

export const presentNote = (note: NoteWithAuthor, { id, kind, iid }: SubjectDetails, urls: WebUrls) => ({
  id: note.id,
  body: note.body,
  attachment: null,
  author: presentPerson(note.author, urls),
  created_at: note.createdAt.toISOString(),
  updated_at: note.updatedAt.toISOString(),
  system: note.system,
  noteable_id: kind === 'commit' ? null : id,
  noteable_iid: iid,
  noteable_type: SUBJECT_TYPES[kind],
  resolvable: false,
});
