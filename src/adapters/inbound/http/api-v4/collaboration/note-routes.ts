import { Type } from '@sinclair/typebox';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import { MAX_NOTE } from '../../../../../domain/collaboration/note.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route } from '../../route.js';
import { oneOf, parameters, pathId, requiredText, timeIn, type ParametersOf } from '../../validation/parameters.js';
import { findNote, findNoteToChange, type FindNoteParts } from './find-note.js';
import { NoteSchema, presentNote } from './note-schema.js';
import { findNoted, findNotedToDiscuss, parametersOf, pathOf, type SubjectOfApi } from './subject-of-api.js';
import { answerWritten, BODY, QUICK_ACTIONS, QuickActionsSchema, WRITTEN_AT } from './written-note.js';

export type NoteRoutesParts = FindNoteParts & { readonly notes: Notes };

type Parts = NoteRoutesParts;
type Of = SubjectOfApi;

const TAG = 'Notes';
const { list, get, put, remove } = routesOf({ tag: TAG });
const all = (of: Of): string => `${pathOf(of)}/notes`;
const one = (of: Of): string => `${all(of)}/:note_id`;
const inPath = (of: Of) => ({ ...parametersOf(of), note_id: pathId('Numeric id of the note') });

const show = async ({ noteReader, urls }: Parts, { subject }: VisibleSubject, id: number) =>
  presentNote(orNotFound(await noteReader.find(subject.id, id)), subject, urls);

export const listNotes = (parts: Parts, of: Of) =>
  list(all(of), `list${of.name}Notes`, {
    summary: `Comments on ${of.words}`,
    access: 'anyone',
    parameters: {
      ...parametersOf(of),
      order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
      activity_filter: oneOf(['all_notes', 'only_comments', 'only_activity'], {
        default: 'all_notes',
        description: 'All, only what people wrote, or only what the service noted by itself',
      }),
    },
    items: NoteSchema,
    guard: findNoted(parts, of),
    read: ({ subject: { subject }, parameters: { order_by: orderBy, sort, activity_filter: shown }, page }) => {
      const system = shown === 'all_notes' ? undefined : shown === 'only_activity';
      return parts.noteReader.list(subject.id, { orderBy, sort, page, ...given({ system }) });
    },
    present: (note, { subject: { subject } }) => presentNote(note, subject, parts.urls),
  });

export const getNote = (parts: Parts, of: Of) =>
  get(one(of), `get${of.name}Note`, {
    summary: 'One comment',
    access: 'anyone',
    parameters: inPath(of),
    answer: NoteSchema,
    guard: findNote(parts, of),
    handle: ({ subject: { visible, note } }) => presentNote(note, visible.subject, parts.urls),
  });

const HIDING = {
  confidential: Type.Optional(Type.Boolean({ description: 'Only false: no comment is hidden from who sees the rest' })),
  internal: Type.Optional(Type.Boolean({ description: 'The same, by its newer name' })),
};

/** Who asks for a comment that few can read must not find it in public. @throws BadRequest. */
const refuseHiding = ({ confidential, internal }: ParametersOf<typeof HIDING>): void => {
  if (confidential === true || internal === true)
    throw new BadRequest('Comments can be read by whoever sees what they are about: there are no confidential ones');
};

export const createNote = (parts: Parts, of: Of) =>
  route({
    method: 'post',
    path: all(of),
    operationId: `create${of.name}Note`,
    summary: `Comment on ${of.words}`,
    description: QUICK_ACTIONS,
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...parametersOf(of), body: BODY, created_at: WRITTEN_AT, ...HIDING }),
    responses: { 201: NoteSchema, 202: QuickActionsSchema },
    guard: findNotedToDiscuss(parts, of),
    handle: async ({ actor, subject, parameters: { body, created_at: writtenAt, ...hiding } }) => {
      refuseHiding(hiding);
      const written = parts.notes.add(actor, subject, body, { writtenAt: timeIn(writtenAt) });
      return answerWritten(written, (id) => show(parts, subject, id));
    },
  });

export const editNote = (parts: Parts, of: Of) =>
  put(one(of), `edit${of.name}Note`, {
    summary: 'Change a comment',
    access: 'user',
    parameters: { ...inPath(of), body: requiredText(MAX_NOTE) },
    answer: NoteSchema,
    guard: findNoteToChange(parts, of),
    handle: async ({ actor, subject: { visible, note }, parameters: { body } }) => {
      await parts.notes.edit(actor, visible, note, { written: body });
      return show(parts, visible, note.id);
    },
  });

export const removeNote = (parts: Parts, of: Of) =>
  remove(one(of), `remove${of.name}Note`, {
    summary: 'Remove a comment',
    access: 'user',
    parameters: inPath(of),
    guard: findNoteToChange(parts, of),
    lastChanged: ({ note }) => note.updatedAt,
    handle: ({ actor, subject: { visible, note } }) => parts.notes.remove(actor, visible, note),
  });

export const createNoteRoutes = (parts: Parts, of: Of): readonly Route[] =>
  [listNotes, getNote, createNote, editNote, removeNote].map((make) => make(parts, of));
