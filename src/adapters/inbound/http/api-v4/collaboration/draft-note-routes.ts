import { Type } from '@sinclair/typebox';
import type { DraftNotes } from '../../../../../application/collaboration/draft-notes.js';
import type { DraftNote, DraftNoteReader } from '../../../../../application/collaboration/ports/draft-ports.js';
import type { PublishDrafts, PublishingRepositories } from '../../../../../application/collaboration/publish-drafts.js';
import type { DiscussableSubject, VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import type { Actor, UserActor } from '../../../../../application/shared/actor.js';
import { discussionKey, firstNoteIn } from '../../../../../domain/collaboration/discussion.js';
import { MAX_NOTE } from '../../../../../domain/collaboration/note.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Decide, type GuardContext, type Route } from '../../route.js';
import { nullable, parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import { lineCode, POSITION_PARAMETER, presentPosition, saidPosition } from './position-schema.js';
import {
  findNoted,
  findNotedToDiscuss,
  parametersOf,
  pathOf,
  type SubjectOfApi,
  type SubjectRoutesParts,
} from './subject-of-api.js';
import { inWordsOfNotes } from './written-note.js';

export type DraftNoteRoutesParts = SubjectRoutesParts & {
  readonly draftNotes: DraftNotes;
  readonly draftNoteReader: DraftNoteReader;
  readonly publishDrafts: Pick<PublishDrafts<PublishingRepositories>, 'one' | 'all'>;
};

type Parts = DraftNoteRoutesParts;
type Of = SubjectOfApi;

const TAG = 'Draft notes';
const LONGEST_ID = 64;
const NOTE = 'The text, in Markdown';
const { list, get, post, put, remove } = routesOf({ tag: TAG });
const all = (of: Of): string => `${pathOf(of)}/draft_notes`;
const one = (of: Of): string => `${all(of)}/:draft_note_id`;
const inPath = (of: Of) => ({ ...parametersOf(of), draft_note_id: pathId('Numeric id of the draft') });

const PositionSchema = component(
  'schemas/DraftPosition',
  Type.Object({
    base_sha: nullable(Type.String()),
    start_sha: nullable(Type.String()),
    head_sha: nullable(Type.String()),
    old_path: nullable(Type.String()),
    new_path: nullable(Type.String()),
    position_type: Type.Literal('text'),
    old_line: nullable(Type.Integer()),
    new_line: nullable(Type.Integer()),
    line_range: nullable(Type.Object({ start: Type.Unknown(), end: Type.Unknown() })),
  }),
);

const DraftNoteSchema = component(
  'schemas/DraftNote',
  Type.Object({
    id: Type.Integer(),
    author_id: Type.Integer(),
    merge_request_id: Type.Integer(),
    resolve_discussion: Type.Boolean(),
    discussion_id: nullable(Type.String({ description: 'Of what it answers' })),
    note: Type.String(),
    commit_id: nullable(Type.String()),
    line_code: nullable(Type.String()),
    position: PositionSchema,
  }),
);

/** Clients read a position of every draft. */
const NOWHERE = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
} as const;

const present = ({ id, authorId, subjectId, body, answers, resolves, commitId, place }: DraftNote) => ({
  id,
  author_id: authorId,
  merge_request_id: subjectId,
  resolve_discussion: resolves,
  discussion_id: answers === null ? null : discussionKey(answers),
  note: body,
  commit_id: commitId,
  line_code: place && lineCode(place.position),
  position: place === null ? NOWHERE : presentPosition(place.position),
});

interface FoundDraft<Visible> {
  readonly visible: Visible;
  readonly draft: DraftNote;
}

const authorIn = (actor: Actor): UserActor => {
  if (actor.kind !== 'user') throw new Unauthenticated();
  return actor;
};

/** To everybody but its author there is no such draft. */
const findIn =
  <Visible extends VisibleSubject>({ draftNoteReader }: Parts, find: Decide<Visible>) =>
  async (context: GuardContext): Promise<FoundDraft<Visible>> => {
    const visible = await find(context);
    const id = identifierIn(context.path['draft_note_id']);
    const author = authorIn(context.actor);
    const draft = id === undefined ? undefined : await draftNoteReader.find(visible.subject.id, author.id, id);
    return { visible, draft: orNotFound(draft, 'Draft Note') };
  };
const findDraft = (parts: Parts, of: Of) => findIn<VisibleSubject>(parts, findNoted(parts, of));
const findDraftToChange = (parts: Parts, of: Of) => findIn<DiscussableSubject>(parts, findNotedToDiscuss(parts, of));

/** What is wrong with the text of a draft is said as of a note. */
const asOfNotes = async <Result>(writing: Promise<Result>): Promise<Result> =>
  writing.catch((error: unknown) => {
    throw inWordsOfNotes(error);
  });

export const listDraftNotes = (parts: Parts, of: Of) =>
  list(all(of), `list${of.name}DraftNotes`, {
    summary: `What the caller has drafted of ${of.words}`,
    access: 'user',
    parameters: parametersOf(of),
    items: DraftNoteSchema,
    guard: findNoted(parts, of),
    read: async ({ actor, subject: { subject }, page }) =>
      pageOfList(await parts.draftNoteReader.all(subject.id, actor.id), page),
    present,
  });

export const getDraftNote = (parts: Parts, of: Of) =>
  get(one(of), `get${of.name}DraftNote`, {
    summary: 'One draft of the caller',
    access: 'user',
    parameters: inPath(of),
    answer: DraftNoteSchema,
    guard: findDraft(parts, of),
    handle: ({ subject: { draft } }) => Promise.resolve(present(draft)),
  });

/** @throws NotFound "Discussion". */
const answersIn = (key = ''): number | undefined =>
  key === '' ? undefined : orNotFound(firstNoteIn(key), 'Discussion');

export const addDraftNote = (parts: Parts, of: Of) =>
  post(all(of), `add${of.name}DraftNote`, {
    summary: `Draft a comment on ${of.words}`,
    description: 'Nobody but the caller sees it until they publish it. What its lines ask for is done then.',
    access: 'user',
    parameters: {
      ...parametersOf(of),
      note: requiredText(MAX_NOTE, NOTE),
      commit_id: Type.Optional(text(LONGEST_ID, 'Kept and told, and not published')),
      in_reply_to_discussion_id: Type.Optional(text(LONGEST_ID, 'The discussion that it answers')),
      resolve_discussion: Type.Optional(
        Type.Boolean({ description: 'Whether that discussion is resolved with it', default: false }),
      ),
      position: POSITION_PARAMETER,
    },
    answer: DraftNoteSchema,
    guard: findNotedToDiscuss(parts, of),
    handle: async ({ actor, subject: found, parameters: sent }) => {
      const { note: written, position, resolve_discussion: resolves } = sent;
      const answers = answersIn(sent.in_reply_to_discussion_id);
      const drafted = given({
        answers,
        resolves,
        position: position && answers === undefined ? saidPosition(position) : undefined,
        commitId: sent.commit_id,
      });
      return present(await asOfNotes(parts.draftNotes.add(actor, found, { written, ...drafted })));
    },
  });

export const editDraftNote = (parts: Parts, of: Of) =>
  put(one(of), `edit${of.name}DraftNote`, {
    summary: 'Change a draft',
    access: 'user',
    parameters: {
      ...inPath(of),
      note: Type.Optional(requiredText(MAX_NOTE, NOTE)),
      position: POSITION_PARAMETER,
    },
    answer: DraftNoteSchema,
    guard: findDraftToChange(parts, of),
    handle: async ({ actor, subject: { visible, draft }, parameters: { note: written, position } }) => {
      const edit = given({ written, position: position && saidPosition(position) });
      return present(await asOfNotes(parts.draftNotes.edit(actor, visible, draft, edit)));
    },
  });

export const removeDraftNote = (parts: Parts, of: Of) =>
  remove(one(of), `remove${of.name}DraftNote`, {
    summary: 'Remove a draft',
    access: 'user',
    parameters: inPath(of),
    guard: findDraftToChange(parts, of),
    handle: ({ actor, subject: { draft } }) => parts.draftNotes.remove(actor, draft),
  });

const PUBLISHED = 'As comments of now, with all that follows from them; all of it or nothing.';

export const publishDraftNote = (parts: Parts, of: Of) =>
  route({
    method: 'put',
    path: `${one(of)}/publish`,
    operationId: `publish${of.name}DraftNote`,
    summary: 'Publish a draft',
    description: `${PUBLISHED} An answer to a discussion that is gone stands alone.`,
    tag: TAG,
    access: 'user',
    parameters: parameters(inPath(of)),
    responses: { 204: null },
    guard: findDraftToChange(parts, of),
    handle: async ({ actor, subject: { visible, draft } }) => {
      await asOfNotes(parts.publishDrafts.one(actor, visible, draft));
      return { status: 204 };
    },
  });

export const publishDraftNotes = (parts: Parts, of: Of) =>
  route({
    method: 'post',
    path: `${all(of)}/bulk_publish`,
    operationId: `publish${of.name}DraftNotes`,
    summary: `Publish all that the caller has drafted of ${of.words}`,
    description: PUBLISHED,
    tag: TAG,
    access: 'user',
    parameters: parameters(parametersOf(of)),
    responses: { 204: null },
    guard: findNotedToDiscuss(parts, of),
    handle: async ({ actor, subject: found }) => {
      await asOfNotes(parts.publishDrafts.all(actor, found));
      return { status: 204 };
    },
  });

export const createDraftNoteRoutes = (parts: Parts, of: Of): readonly Route[] =>
  [listDraftNotes, addDraftNote, publishDraftNotes, getDraftNote, editDraftNote, removeDraftNote, publishDraftNote].map(
    (make) => make(parts, of),
  );
