import type { ChangeableIssue, VisibleIssue } from '../../../../../application/planning/issues.js';
import type { Notes } from '../../../../../application/planning/notes.js';
import type { NoteWithAuthor } from '../../../../../application/planning/ports/planning-readers.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Decide, type Guard, type Route } from '../../route.js';
import { oneOf, parameters, pathId, requiredText } from '../../validation/parameters.js';
import { findIssue, findIssueToChange, type IssueRoutesParts } from './issue-routes.js';
import { NoteSchema, presentNote } from './issue-schema.js';

export type NoteRoutesParts = Omit<IssueRoutesParts, 'issueSubscriptions'> & { readonly notes: Notes };

type Parts = NoteRoutesParts;

const TAG = 'Notes';
const ALL = '/projects/:id/issues/:iid/notes';
const ONE = `${ALL}/:note_id`;
const IN_ISSUE = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const IN_PATH = { ...IN_ISSUE, note_id: pathId('Numeric id of the note') };

interface FoundNote<Visible> {
  readonly visible: Visible;
  readonly note: NoteWithAuthor;
}

const findIn = <Visible extends VisibleIssue>(parts: Parts, find: Decide<Visible>): Guard<FoundNote<Visible>> => {
  const decide: Decide<FoundNote<Visible>> = async (context) => {
    const visible = await find(context);
    const id = identifierIn(context.path['note_id']);
    const note = id === undefined ? undefined : await parts.planningReader.findNote(visible.issue.id, id);
    if (note === undefined) throw new NotFound();
    return { visible, note };
  };
  return { decide };
};

const findNote = (parts: Parts): Guard<FoundNote<VisibleIssue>> => findIn(parts, findIssue(parts));
const findNoteToChange = (parts: Parts): Guard<FoundNote<ChangeableIssue>> => findIn(parts, findIssueToChange(parts));

const show = async ({ planningReader, urls }: Parts, { issue }: VisibleIssue, id: number) => {
  const note = await planningReader.findNote(issue.id, id);
  if (note === undefined) throw new NotFound();
  return presentNote(note, issue, urls);
};

export const listIssueNotes = (parts: Parts) => {
  const guard = findIssue(parts);
  return pagedList({
    path: ALL,
    operationId: 'listIssueNotes',
    summary: 'Comments on an issue',
    tag: TAG,
    access: 'anyone',
    parameters: {
      ...IN_ISSUE,
      order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    },
    items: NoteSchema,
    guard,
    read: ({ subject: { issue }, parameters: { order_by: orderBy, sort }, page }) =>
      parts.planningReader.listNotes(issue.id, { orderBy, sort, page }),
    present: (note, { subject: { issue } }) => presentNote(note, issue, parts.urls),
  });
};

export const getIssueNote = (parts: Parts) => {
  const guard = findNote(parts);
  return route({
    method: 'get',
    path: ONE,
    operationId: 'getIssueNote',
    summary: 'One comment',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: NoteSchema },
    guard,
    handle: async ({ subject: { visible, note } }) => ({ body: presentNote(note, visible.issue, parts.urls) }),
  });
};

export const createIssueNote = (parts: Parts) => {
  const guard = findIssueToChange(parts);
  return route({
    method: 'post',
    path: ALL,
    operationId: 'createIssueNote',
    summary: 'Comment on an issue',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...IN_ISSUE, body: requiredText(MAX_TEXT) }),
    responses: { 201: NoteSchema },
    guard,
    handle: async ({ actor, subject, parameters: { body } }) => ({
      status: 201,
      body: await show(parts, subject, await parts.notes.add(actor, subject, body)),
    }),
  });
};

export const editIssueNote = (parts: Parts) => {
  const guard = findNoteToChange(parts);
  return route({
    method: 'put',
    path: ONE,
    operationId: 'editIssueNote',
    summary: 'Change a comment',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...IN_PATH, body: requiredText(MAX_TEXT) }),
    responses: { 200: NoteSchema },
    guard,
    handle: async ({ actor, subject: { visible, note }, parameters: { body } }) => {
      await parts.notes.edit(actor, visible, note, body);
      return { body: await show(parts, visible, note.id) };
    },
  });
};

export const removeIssueNote = (parts: Parts) => {
  const guard = findNoteToChange(parts);
  return route({
    method: 'delete',
    path: ONE,
    operationId: 'removeIssueNote',
    summary: 'Remove a comment',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard,
    handle: async ({ actor, subject: { visible, note } }) => {
      await parts.notes.remove(actor, visible, note);
      return { status: 204 };
    },
  });
};

export const createNoteRoutes = (parts: Parts): readonly Route[] =>
  [listIssueNotes, getIssueNote, createIssueNote, editIssueNote, removeIssueNote].map((make) => make(parts));
