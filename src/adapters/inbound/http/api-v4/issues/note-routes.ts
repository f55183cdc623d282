import type { ChangeableIssue, VisibleIssue } from '../../../../../application/planning/issues.js';
import type { Notes } from '../../../../../application/planning/notes.js';
import type { NoteWithAuthor } from '../../../../../application/planning/ports/planning-readers.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Decide, GuardContext, Route } from '../../route.js';
import { oneOf, pathId, requiredText } from '../../validation/parameters.js';
import { findIssue, findIssueToChange, type IssueRoutesParts } from './find-issue.js';
import { NoteSchema, presentNote } from './issue-schema.js';

export type NoteRoutesParts = Omit<IssueRoutesParts, 'issueSubscriptions'> & { readonly notes: Notes };

type Parts = NoteRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Notes' });
const ALL = '/projects/:id/issues/:iid/notes';
const ONE = `${ALL}/:note_id`;
const IN_ISSUE = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const IN_PATH = { ...IN_ISSUE, note_id: pathId('Numeric id of the note') };

interface FoundNote<Visible> {
  readonly visible: Visible;
  readonly note: NoteWithAuthor;
}

const findIn =
  <Visible extends VisibleIssue>({ planningReader }: Parts, find: Decide<Visible>) =>
  async (context: GuardContext): Promise<FoundNote<Visible>> => {
    const visible = await find(context);
    const id = orNotFound(identifierIn(context.path['note_id']));
    return { visible, note: orNotFound(await planningReader.findNote(visible.issue.id, id)) };
  };
const findNote = (parts: Parts) => findIn<VisibleIssue>(parts, findIssue(parts));
const findNoteToChange = (parts: Parts) => findIn<ChangeableIssue>(parts, findIssueToChange(parts));

const show = async ({ planningReader, urls }: Parts, { issue }: VisibleIssue, id: number) =>
  presentNote(orNotFound(await planningReader.findNote(issue.id, id)), issue, urls);

export const listIssueNotes = (parts: Parts) =>
  list(ALL, 'listIssueNotes', {
    summary: 'Comments on an issue',
    access: 'anyone',
    parameters: {
      ...IN_ISSUE,
      order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    },
    items: NoteSchema,
    guard: findIssue(parts),
    read: ({ subject: { issue }, parameters: { order_by: orderBy, sort }, page }) =>
      parts.planningReader.listNotes(issue.id, { orderBy, sort, page }),
    present: (note, { subject: { issue } }) => presentNote(note, issue, parts.urls),
  });

export const getIssueNote = (parts: Parts) =>
  get(ONE, 'getIssueNote', {
    summary: 'One comment',
    access: 'anyone',
    parameters: IN_PATH,
    answer: NoteSchema,
    guard: findNote(parts),
    handle: ({ subject: { visible, note } }) => presentNote(note, visible.issue, parts.urls),
  });

export const createIssueNote = (parts: Parts) =>
  post(ALL, 'createIssueNote', {
    summary: 'Comment on an issue',
    access: 'user',
    parameters: { ...IN_ISSUE, body: requiredText(MAX_TEXT) },
    answer: NoteSchema,
    guard: findIssueToChange(parts),
    handle: async ({ actor, subject, parameters: { body } }) =>
      show(parts, subject, await parts.notes.add(actor, subject, body)),
  });

export const editIssueNote = (parts: Parts) =>
  put(ONE, 'editIssueNote', {
    summary: 'Change a comment',
    access: 'user',
    parameters: { ...IN_PATH, body: requiredText(MAX_TEXT) },
    answer: NoteSchema,
    guard: findNoteToChange(parts),
    handle: async ({ actor, subject: { visible, note }, parameters: { body } }) => {
      await parts.notes.edit(actor, visible, note, body);
      return show(parts, visible, note.id);
    },
  });

export const removeIssueNote = (parts: Parts) =>
  remove(ONE, 'removeIssueNote', {
    summary: 'Remove a comment',
    access: 'user',
    parameters: IN_PATH,
    guard: findNoteToChange(parts),
    handle: ({ actor, subject: { visible, note } }) => parts.notes.remove(actor, visible, note),
  });

export const createNoteRoutes = (parts: Parts): readonly Route[] =>
  [listIssueNotes, getIssueNote, createIssueNote, editIssueNote, removeIssueNote].map((make) => make(parts));
