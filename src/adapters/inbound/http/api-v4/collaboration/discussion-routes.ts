import { Type } from '@sinclair/typebox';
import type { Discussions } from '../../../../../application/collaboration/discussions.js';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type {
  DiscussionReader,
  DiscussionWithNotes,
} from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { SaidPosition, SubjectDetails } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { DiscussableSubject, VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { discussionKey, firstNoteIn } from '../../../../../domain/collaboration/discussion.js';
import { MAX_NOTE } from '../../../../../domain/collaboration/note.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type Decide, type GuardContext, type Route } from '../../route.js';
import { parameters, pathId, requiredText, timeIn } from '../../validation/parameters.js';
import type { FindNoteParts } from './find-note.js';
import { NoteSchema, presentNote } from './note-schema.js';
import { POSITION_PARAMETER, saidPosition } from './position-schema.js';
import { findNoted, findNotedToDiscuss, parametersOf, pathOf, type SubjectOfApi } from './subject-of-api.js';
import { answerWritten, BODY, QUICK_ACTIONS, QuickActionsSchema, WRITTEN_AT } from './written-note.js';

export type DiscussionRoutesParts = FindNoteParts & {
  readonly notes: Notes;
  readonly discussions: Discussions;
  readonly discussionReader: DiscussionReader;
};

type Parts = DiscussionRoutesParts;
type Of = SubjectOfApi;

const TAG = 'Discussions';
const { list, get, put, remove } = routesOf({ tag: TAG });
const all = (of: Of): string => `${pathOf(of)}/discussions`;
const one = (of: Of): string => `${all(of)}/:discussion_id`;
const noteIn = (of: Of): string => `${one(of)}/notes/:note_id`;
const inPath = (of: Of) => ({ ...parametersOf(of), discussion_id: pathId('Id of the discussion') });
const inNotePath = (of: Of) => ({ ...inPath(of), note_id: pathId('Numeric id of the note') });

const DiscussionSchema = component(
  'schemas/Discussion',
  Type.Object({
    id: Type.String({ description: '40 hexadecimal digits' }),
    individual_note: Type.Boolean({ description: 'True for a comment that nobody has answered' }),
    notes: Type.Array(NoteSchema),
  }),
);

const present = (
  { firstNoteId, individual, notes }: DiscussionWithNotes,
  subject: SubjectDetails,
  { urls }: Parts,
) => ({
  id: discussionKey(firstNoteId),
  individual_note: individual,
  notes: notes.map((note) => presentNote(note, subject, urls)),
});

interface FoundDiscussion<Visible> {
  readonly visible: Visible;
  readonly discussion: DiscussionWithNotes;
}

const readDiscussion = async (
  { discussionReader }: Parts,
  { subject }: VisibleSubject,
  firstNoteId: number | undefined,
): Promise<DiscussionWithNotes> => {
  const discussion = firstNoteId === undefined ? undefined : await discussionReader.find(subject.id, firstNoteId);
  return orNotFound(discussion, 'Discussion');
};

const findIn =
  <Visible extends VisibleSubject>(parts: Parts, find: Decide<Visible>) =>
  async (context: GuardContext): Promise<FoundDiscussion<Visible>> => {
    const visible = await find(context);
    const discussion = await readDiscussion(parts, visible, firstNoteIn(context.path['discussion_id'] ?? ''));
    return { visible, discussion };
  };
const findDiscussion = (parts: Parts, of: Of) => findIn<VisibleSubject>(parts, findNoted(parts, of));
const findToAnswer = (parts: Parts, of: Of) => findIn<DiscussableSubject>(parts, findNotedToDiscuss(parts, of));

type FoundNote<Visible> = FoundDiscussion<Visible> & { readonly note: NoteWithAuthor };

const findNoteIn =
  <Visible extends VisibleSubject>(find: Decide<FoundDiscussion<Visible>>) =>
  async (context: GuardContext): Promise<FoundNote<Visible>> => {
    const found = await find(context);
    const id = identifierIn(context.path['note_id']);
    return { ...found, note: orNotFound(found.discussion.notes.find((note) => note.id === id)) };
  };

const findNote = (parts: Parts, of: Of) => findNoteIn<VisibleSubject>(findDiscussion(parts, of));
const findNoteToChange = (parts: Parts, of: Of) => findNoteIn<DiscussableSubject>(findToAnswer(parts, of));

const showNote = async ({ noteReader, urls }: Parts, { subject }: VisibleSubject, id: number) =>
  presentNote(orNotFound(await noteReader.find(subject.id, id)), subject, urls);

export const listDiscussions = (parts: Parts, of: Of) =>
  list(all(of), `list${of.name}Discussions`, {
    summary: `What is said of ${of.words}, with the answers`,
    access: 'anyone',
    parameters: parametersOf(of),
    items: DiscussionSchema,
    guard: findNoted(parts, of),
    read: ({ subject: { subject }, page }) => parts.discussionReader.list(subject.id, page),
    present: (discussion, { subject: { subject } }) => present(discussion, subject, parts),
  });

export const getDiscussion = (parts: Parts, of: Of) =>
  get(one(of), `get${of.name}Discussion`, {
    summary: 'One discussion',
    access: 'anyone',
    parameters: inPath(of),
    answer: DiscussionSchema,
    guard: findDiscussion(parts, of),
    handle: ({ subject: { visible, discussion } }) => present(discussion, visible.subject, parts),
  });

interface Sent {
  readonly body: string;
  readonly created_at?: string;
  readonly position?: SaidPosition;
}

const begin = async (
  parts: Parts,
  actor: UserActor,
  found: DiscussableSubject,
  { body, created_at: writtenAt, position }: Sent,
) => {
  const begun = await parts.subjects.begin(found);
  const said = given({ writtenAt: timeIn(writtenAt), position });
  return answerWritten(parts.discussions.begin(actor, begun, body, said), async (id) =>
    present(await readDiscussion(parts, begun, id), begun.subject, parts),
  );
};

export const beginDiscussion = (parts: Parts, of: Of) =>
  route({
    method: 'post',
    path: all(of),
    operationId: `begin${of.name}Discussion`,
    summary: `Begin a discussion of ${of.words}`,
    description: QUICK_ACTIONS,
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...parametersOf(of), body: BODY, created_at: WRITTEN_AT }),
    responses: { 201: DiscussionSchema, 202: QuickActionsSchema },
    guard: findNotedToDiscuss(parts, of),
    handle: ({ actor, subject: found, parameters: sent }) => begin(parts, actor, found, sent),
  });

export const beginDiscussionOfLines = (parts: Parts, of: Of) =>
  route({
    method: 'post',
    path: all(of),
    operationId: `begin${of.name}Discussion`,
    summary: `Begin a discussion of ${of.words}, or of lines of its diff`,
    description: `Lines are named by \`position\`, with the commits of a version: \`diff_refs\` are those of the newest. ${QUICK_ACTIONS}`,
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...parametersOf(of), body: BODY, created_at: WRITTEN_AT, position: POSITION_PARAMETER }),
    responses: { 201: DiscussionSchema, 202: QuickActionsSchema },
    guard: findNotedToDiscuss(parts, of),
    handle: ({ actor, subject: found, parameters: { position, ...sent } }) =>
      begin(parts, actor, found, { ...sent, ...(position === undefined ? {} : { position: saidPosition(position) }) }),
  });

export const answerDiscussion = (parts: Parts, of: Of) =>
  route({
    method: 'post',
    path: `${one(of)}/notes`,
    operationId: `answer${of.name}Discussion`,
    summary: 'Answer in a discussion',
    description: `A comment that nobody has answered becomes a discussion. ${QUICK_ACTIONS}`,
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...inPath(of), body: BODY, created_at: WRITTEN_AT }),
    responses: { 201: NoteSchema, 202: QuickActionsSchema },
    guard: findToAnswer(parts, of),
    handle: async ({ actor, subject: { visible, discussion }, parameters: { body, created_at: writtenAt } }) => {
      const answered = given({ firstNoteId: discussion.firstNoteId, writtenAt: timeIn(writtenAt) });
      return answerWritten(parts.discussions.reply(actor, visible, answered, body), (id) =>
        showNote(parts, visible, id),
      );
    },
  });

export const getDiscussionNote = (parts: Parts, of: Of) =>
  get(noteIn(of), `get${of.name}DiscussionNote`, {
    summary: 'One note of a discussion',
    access: 'anyone',
    parameters: inNotePath(of),
    answer: NoteSchema,
    guard: findNote(parts, of),
    handle: ({ subject: { visible, note } }) => presentNote(note, visible.subject, parts.urls),
  });

const NEITHER = 'are missing, exactly one parameter must be provided';
const BOTH = 'are mutually exclusive';

/** @throws HttpError 400 unless exactly one of them is there. */
const requireOne = (body: string | undefined, resolved: boolean | undefined): void => {
  if ((body === undefined) === (resolved === undefined))
    throw new HttpError(400, `body, resolved ${body === undefined ? NEITHER : BOTH}`);
};

export const editDiscussionNote = (parts: Parts, of: Of) =>
  put(noteIn(of), `edit${of.name}DiscussionNote`, {
    summary: 'Change a note of a discussion, or say that the discussion is resolved, or not',
    access: 'user',
    parameters: {
      ...inNotePath(of),
      body: Type.Optional(requiredText(MAX_NOTE)),
      resolved: Type.Optional(Type.Boolean({ description: 'Of the whole discussion' })),
    },
    answer: NoteSchema,
    guard: findNoteToChange(parts, of),
    handle: async ({ actor, subject: { visible, discussion, note }, parameters: { body, resolved } }) => {
      requireOne(body, resolved);
      if (body !== undefined) await parts.notes.edit(actor, visible, note, { written: body });
      if (resolved !== undefined) await parts.discussions.resolve(actor, visible, discussion.firstNoteId, resolved);
      return showNote(parts, visible, note.id);
    },
  });

export const resolveDiscussion = (parts: Parts, of: Of) =>
  put(one(of), `resolve${of.name}Discussion`, {
    summary: 'Say that what a discussion asks for is done, or not yet',
    access: 'user',
    parameters: { ...inPath(of), resolved: Type.Boolean({ description: 'Whether it is done' }) },
    answer: DiscussionSchema,
    guard: findToAnswer(parts, of),
    handle: async ({ actor, subject: { visible, discussion }, parameters: { resolved } }) => {
      await parts.discussions.resolve(actor, visible, discussion.firstNoteId, resolved);
      return present(await readDiscussion(parts, visible, discussion.firstNoteId), visible.subject, parts);
    },
  });

export const removeDiscussionNote = (parts: Parts, of: Of) =>
  remove(noteIn(of), `remove${of.name}DiscussionNote`, {
    summary: 'Remove a note of a discussion',
    access: 'user',
    parameters: inNotePath(of),
    guard: findNoteToChange(parts, of),
    lastChanged: ({ note }) => note.updatedAt,
    handle: ({ actor, subject: { visible, note } }) => parts.notes.remove(actor, visible, note),
  });

const EVERYWHERE = [
  listDiscussions,
  getDiscussion,
  answerDiscussion,
  getDiscussionNote,
  editDiscussionNote,
  removeDiscussionNote,
];

export const createDiscussionRoutes = (parts: Parts, of: Of): readonly Route[] =>
  [
    ...EVERYWHERE,
    of.source.diffs === undefined ? beginDiscussion : beginDiscussionOfLines,
    ...(of.resolvable === true ? [resolveDiscussion] : []),
  ].map((make) => make(parts, of));
