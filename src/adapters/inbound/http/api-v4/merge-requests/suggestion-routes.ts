import { Type } from '@sinclair/typebox';
import type { NamedSuggestion, NoteReader } from '../../../../../application/collaboration/ports/note-ports.js';
import type { ApplySuggestions } from '../../../../../application/review/apply-suggestions.js';
import type { ChangeableMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { Forbidden, NotFound, NotPossible } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { given } from '../../kit/given.js';
import type { Route } from '../../route.js';
import { identifier, listOf, pathId, text } from '../../validation/parameters.js';
import { presentSuggestion, SuggestionSchema } from '../collaboration/suggestion-schema.js';
import { MAX_MESSAGE } from '../repository/code-writing.js';
import { committerOf, permitSource } from './merging-routes.js';
import type { MergeRequestRoutesParts } from './merge-request-parts.js';

export type SuggestionRoutesParts = MergeRequestRoutesParts & {
  readonly noteReader: NoteReader;
  readonly applySuggestions: ApplySuggestions;
};

type Parts = SuggestionRoutesParts;

const { put } = routesOf({ tag: 'Suggestions' });
const MESSAGE = Type.Optional(text(MAX_MESSAGE, 'Of the commit'));
const MAY_NOT_PUSH = 'You are not allowed to push into this branch';

interface ToApply {
  readonly visible: ChangeableMergeRequest;
  readonly permitted: Permitted<'push_code'>;
  readonly named: readonly NamedSuggestion[];
}

/** Those that are there, of one merge request that the caller sees, whose source branch they may push to. @throws NotFound, Forbidden. */
const findToApply = async (parts: Parts, actor: UserActor, ids: readonly number[]): Promise<ToApply> => {
  const named = await parts.noteReader.findSuggestions(ids);
  const subjects = new Map<number, ChangeableMergeRequest>();
  for (const { subjectId } of named)
    if (!subjects.has(subjectId)) subjects.set(subjectId, await findOne(parts, actor, subjectId));
  const [visible] = [...subjects.values()];
  if (visible === undefined || named.length !== new Set(ids).size) throw new NotFound('Suggestion');
  if (subjects.size > 1) throw new NotPossible('Suggestions must all be on the same branch.');
  return { visible, named, permitted: await permitSource(parts, actor, visible, MAY_NOT_PUSH) };
};

/** Its number tells nothing: to who doesn't see what it is a part of, there is no such suggestion. */
const findOne = async ({ access, mergeRequestReader, mergeRequests }: Parts, actor: UserActor, id: number) => {
  const mergeRequest = orNotFound(await mergeRequestReader.findById(id), 'Suggestion');
  const { projectId, iid } = mergeRequest;
  try {
    await mergeRequests.find(await access.project(actor, String(projectId), 'read_merge_requests'), iid);
  } catch (error) {
    throw error instanceof NotFound || error instanceof Forbidden ? new NotFound('Suggestion') : error;
  }
  return mergeRequests.findToChange(await access.project(actor, String(projectId), 'open_merge_requests'), iid);
};

const apply = async (
  parts: Parts,
  actor: UserActor,
  { visible, permitted, named }: ToApply,
  message: string | undefined,
) => {
  const ids = named.map(({ id }) => id);
  const committer = await committerOf(parts, actor);
  const command = { ids, ...given({ message: message?.trim() === '' ? undefined : message }) };
  await parts.applySuggestions.execute(committer, visible, permitted, command);
  const shown = [];
  for (const { id, noteId, subjectId } of named) {
    const note = orNotFound(await parts.noteReader.find(subjectId, noteId));
    shown.push(presentSuggestion(note, orNotFound(note.suggestions.find((each) => each.id === id)), true));
  }
  return shown;
};

export const applySuggestion = (parts: Parts) =>
  put('/suggestions/:id/apply', 'applySuggestion', {
    summary: 'Commit what a comment suggests',
    description:
      'To the source branch of the merge request, as the caller. 400 with the reason where it can’t be applied.',
    access: 'user',
    parameters: { id: pathId('Numeric id of the suggestion'), commit_message: MESSAGE },
    answer: SuggestionSchema,
    guard: ({ actor, path }) => findToApply(parts, actor, [orNotFound(identifierIn(path['id']), 'Suggestion')]),
    handle: async ({ actor, subject, parameters }) =>
      orNotFound((await apply(parts, actor, subject, parameters.commit_message))[0]),
  });

export const applySuggestions = (parts: Parts) =>
  put('/suggestions/batch_apply', 'applySuggestions', {
    summary: 'Commit what several comments on a merge request suggest, in one commit',
    access: 'user',
    parameters: { ids: listOf(identifier(), { description: 'Numeric ids of suggestions' }), commit_message: MESSAGE },
    answer: Type.Array(SuggestionSchema),
    handle: async ({ actor, parameters: { ids, commit_message: message } }) =>
      apply(parts, actor, await findToApply(parts, actor, [...new Set(ids)]), message),
  });

export const createSuggestionRoutes = (parts: Parts): readonly Route[] => [
  applySuggestions(parts),
  applySuggestion(parts),
];
