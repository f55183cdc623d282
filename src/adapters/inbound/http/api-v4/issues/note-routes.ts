import { Type } from '@sinclair/typebox';
import type { VisibleIssue } from '../../../../../application/planning/issues.js';
import type { Notes } from '../../../../../application/planning/notes.js';
import type { NoteWithAuthor } from '../../../../../application/planning/ports/planning-readers.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route } from '../../route.js';
import { oneOf, pagedParameters, parameters, pathId, requiredText } from '../../validation/parameters.js';
import { findIssue, type IssueRoutesParts } from './issue-routes.js';
import { NoteSchema, presentNote } from './issue-schema.js';

export type NoteRoutesParts = Omit<IssueRoutesParts, 'issueSubscriptions'> & { readonly notes: Notes };

const TAG = 'Notes';
const BASE = '/projects/:id/issues/:iid/notes';

export const createNoteRoutes = (parts: NoteRoutesParts): readonly Route[] => {
  const { planningReader, notes, urls } = parts;
  const find = findIssue(parts);
  const inPath = {
    id: pathId('Number, or URL-encoded path of the project'),
    iid: pathId('Number of the issue within the project'),
  };
  const one = { ...inPath, note_id: pathId('Numeric id of the note') };

  const findNote = async (
    context: Parameters<typeof find>[0],
  ): Promise<{ readonly visible: VisibleIssue; readonly note: NoteWithAuthor }> => {
    const visible = await find(context);
    const id = context.path['note_id'] ?? '';
    const note = /^\d{1,15}$/.test(id) ? await planningReader.findNote(visible.issue.id, Number(id)) : undefined;
    if (note === undefined) throw new NotFound();
    return { visible, note };
  };

  const show = async ({ issue }: VisibleIssue, id: number) => {
    const note = await planningReader.findNote(issue.id, id);
    if (note === undefined) throw new NotFound();
    return presentNote(note, issue, urls);
  };

  const listNotes = route({
    method: 'get',
    path: BASE,
    operationId: 'listIssueNotes',
    summary: 'Comments on an issue',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({
      ...inPath,
      order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    }),
    responses: { 200: Type.Array(NoteSchema) },
    guard: find,
    handle: async ({ subject: { issue }, parameters: { order_by: orderBy, sort, ...paging } }) => {
      const request = readPageRequest(paging);
      const page = await planningReader.listNotes(issue.id, { orderBy, sort, page: request });
      return {
        batches: mapBatches(page.batches, (note) => presentNote(note, issue, urls)),
        page: { request, of: page },
      };
    },
  });

  const getNote = route({
    method: 'get',
    path: `${BASE}/:note_id`,
    operationId: 'getIssueNote',
    summary: 'One comment',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(one),
    responses: { 200: NoteSchema },
    guard: findNote,
    handle: ({ subject: { visible, note } }) => Promise.resolve({ body: presentNote(note, visible.issue, urls) }),
  });

  const postNote = route({
    method: 'post',
    path: BASE,
    operationId: 'createIssueNote',
    summary: 'Comment on an issue',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...inPath, body: requiredText(MAX_TEXT) }),
    responses: { 201: NoteSchema },
    guard: find,
    handle: async ({ actor, subject, parameters: { body } }) => ({
      status: 201,
      body: await show(subject, await notes.add(actor, subject, body)),
    }),
  });

  const putNote = route({
    method: 'put',
    path: `${BASE}/:note_id`,
    operationId: 'editIssueNote',
    summary: 'Change a comment',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...one, body: requiredText(MAX_TEXT) }),
    responses: { 200: NoteSchema },
    guard: findNote,
    handle: async ({ actor, subject: { visible, note }, parameters: { body } }) => {
      await notes.edit(actor, visible, note, body);
      return { body: await show(visible, note.id) };
    },
  });

  const deleteNote = route({
    method: 'delete',
    path: `${BASE}/:note_id`,
    operationId: 'removeIssueNote',
    summary: 'Remove a comment',
    tag: TAG,
    access: 'user',
    parameters: parameters(one),
    responses: { 204: null },
    guard: findNote,
    handle: async ({ actor, subject: { visible, note } }) => {
      await notes.remove(actor, visible, note);
      return { status: 204 };
    },
  });

  return [listNotes, getNote, postNote, putNote, deleteNote];
};
