import { Type } from '@sinclair/typebox';
import type { AwardedThing, Awards } from '../../../../../application/collaboration/awards.js';
import type { AwardReader, GivenAward } from '../../../../../application/collaboration/ports/award-ports.js';
import type { NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { SUBJECT_TYPES } from '../../../../../domain/shared/subject.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { Decide, GuardContext, Route } from '../../route.js';
import { oneOf, pathId, requiredText } from '../../validation/parameters.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { findNote, findNoteToChange, type FindNoteParts } from './find-note.js';
import { findSubject, findSubjectToDiscuss, parametersOf, pathOf, type SubjectOfApi } from './subject-of-api.js';

export type AwardRoutesParts = FindNoteParts & { readonly awards: Awards; readonly awardReader: AwardReader };

type Parts = AwardRoutesParts;

const { list, get, post, remove } = routesOf({ tag: 'Award emoji' });
const instant = Type.String({ format: 'date-time' });

const AwardSchema = component(
  'schemas/AwardEmoji',
  Type.Object({
    id: Type.Integer(),
    name: Type.String({ description: 'Without colons, as thumbsup' }),
    user: BasicUserSchema,
    created_at: instant,
    updated_at: instant,
    awardable_id: Type.Integer(),
    awardable_type: oneOf([...Object.values(SUBJECT_TYPES), 'Note']),
    url: Type.Null(),
  }),
);

/** What can be awarded below one address: a subject, or a note of it. */
interface Awardable {
  readonly path: string;
  /** As in the names of operations: `Issue`, or `IssueNote`. */
  readonly name: string;
  readonly words: string;
  readonly parameters: ReturnType<typeof parametersOf>;
  readonly find: (context: GuardContext) => Promise<Awarded<VisibleSubject>>;
  readonly findToAward: (context: GuardContext) => Promise<AwardedThing>;
}

interface Awarded<Visible> {
  readonly found: Visible;
  readonly note: NoteWithAuthor | null;
}

const NAME = 'Award Emoji';
const AWARD_ID = { award_id: pathId('Numeric id of the award') };

const idsOf = ({ found: { subject }, note }: Awarded<VisibleSubject>) => ({
  subjectId: subject.id,
  noteId: note?.id ?? null,
});

const present = (award: GivenAward, { found: { subject }, note }: Awarded<VisibleSubject>, { urls }: Parts) => ({
  id: award.id,
  name: award.name,
  user: presentPerson(award.user, urls),
  created_at: award.createdAt.toISOString(),
  updated_at: award.createdAt.toISOString(),
  awardable_id: note?.id ?? subject.ownId ?? subject.id,
  awardable_type: note === null ? SUBJECT_TYPES[subject.kind] : 'Note',
  url: null,
});

const findAward =
  <A extends Awarded<VisibleSubject>>({ awardReader }: Parts, find: Decide<A>) =>
  async (context: GuardContext): Promise<{ readonly awarded: A; readonly award: GivenAward }> => {
    const awarded = await find(context);
    const id = identifierIn(context.path['award_id']);
    const award = id === undefined ? undefined : await awardReader.find(idsOf(awarded), id);
    return { awarded, award: orNotFound(award, NAME) };
  };

const findSeenAward = (parts: Parts, { find }: Awardable) => findAward<Awarded<VisibleSubject>>(parts, find);
const findAwardToTake = (parts: Parts, { findToAward }: Awardable) => findAward<AwardedThing>(parts, findToAward);

const listAwards = (parts: Parts, { path, name, words, parameters, find }: Awardable) =>
  list(`${path}/award_emoji`, `list${name}Awards`, {
    summary: `Emoji that people gave to ${words}`,
    access: 'anyone',
    parameters,
    items: AwardSchema,
    guard: find,
    read: ({ subject: awarded, page }) => parts.awardReader.list(idsOf(awarded), page),
    present: (award, { subject: awarded }) => present(award, awarded, parts),
  });

const getAward = (parts: Parts, awardable: Awardable) =>
  get(`${awardable.path}/award_emoji/:award_id`, `get${awardable.name}Award`, {
    summary: 'One emoji that somebody gave',
    access: 'anyone',
    parameters: { ...awardable.parameters, ...AWARD_ID },
    answer: AwardSchema,
    guard: findSeenAward(parts, awardable),
    handle: ({ subject: { awarded, award } }) => present(award, awarded, parts),
  });

const giveAward = (parts: Parts, { path, name, words, parameters, findToAward }: Awardable) =>
  post(`${path}/award_emoji`, `give${name}Award`, {
    summary: `Give an emoji to ${words}`,
    access: 'user',
    parameters: { ...parameters, name: requiredText(255, 'Of the emoji, without colons: thumbsup') },
    answer: AwardSchema,
    guard: findToAward,
    handle: async ({ actor, subject: awarded, parameters: given }) => {
      const id = await parts.awards.give(actor, awarded, given.name);
      return present(orNotFound(await parts.awardReader.find(idsOf(awarded), id), NAME), awarded, parts);
    },
  });

const removeAward = (parts: Parts, awardable: Awardable) =>
  remove(`${awardable.path}/award_emoji/:award_id`, `remove${awardable.name}Award`, {
    summary: 'Take an emoji away that one gave (administrators: any)',
    access: 'user',
    parameters: { ...awardable.parameters, ...AWARD_ID },
    guard: findAwardToTake(parts, awardable),
    handle: ({ actor, subject: { award } }) => parts.awards.take(actor, award),
  });

const subjectAsAwardable = (parts: Parts, of: SubjectOfApi): Awardable => ({
  path: pathOf(of),
  name: of.name,
  words: of.words,
  parameters: parametersOf(of),
  find: async (context) => ({ found: await findSubject(parts, of)(context), note: null }),
  findToAward: async (context) => ({ found: await findSubjectToDiscuss(parts, of)(context), note: null }),
});

const noteAsAwardable = (parts: Parts, of: SubjectOfApi): Awardable => ({
  path: `${pathOf(of)}/notes/:note_id`,
  name: `${of.name}Note`,
  words: `a comment on ${of.words}`,
  parameters: { ...parametersOf(of), note_id: pathId('Numeric id of the note') },
  find: async (context) => {
    const { visible, note } = await findNote(parts, of)(context);
    return { found: visible, note };
  },
  findToAward: async (context) => {
    const { visible, note } = await findNoteToChange(parts, of)(context);
    return { found: visible, note };
  },
});

export const createAwardRoutes = (parts: Parts, of: SubjectOfApi): readonly Route[] =>
  [...(of.awarded === false ? [] : [subjectAsAwardable(parts, of)]), noteAsAwardable(parts, of)].flatMap((awardable) =>
    [listAwards, giveAward, getAward, removeAward].map((make) => make(parts, awardable)),
  );
