import { Type } from '@sinclair/typebox';
import type { Written } from '../../../../../application/collaboration/quick-actions.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import { MAX_NOTE } from '../../../../../domain/collaboration/note.js';
import { component } from '../../openapi/component.js';
import type { RouteResult } from '../../route.js';
import { instantOrDay, text } from '../../validation/parameters.js';

export const QUICK_ACTIONS =
  'Lines such as `/close` are done and taken out. 202 where nothing else is left: there is no note then.';

/** A text that is to become a note. */
export const BODY = text(MAX_NOTE);

export const WRITTEN_AT = Type.Optional(
  instantOrDay('When it was written, from 1970 on (owners and administrators; of others ignored)'),
);

/** What is wrong with the text itself is said as clients know it from notes, not as of an attribute. */
export const inWordsOfNotes = (error: unknown): unknown => {
  const problems = error instanceof Invalid ? error.problems['note'] : undefined;
  if (problems === undefined) return error;
  return new BadRequest(`Note {:note=>[${problems.map((problem) => JSON.stringify(problem)).join(', ')}]}`);
};

/** What is answered where nothing was left of a text but quick actions, so that there is no note. */
export const QuickActionsSchema = component(
  'schemas/QuickActions',
  Type.Object({
    commands_changes: Type.Record(Type.String(), Type.Unknown(), { description: 'What was changed, by attribute' }),
    summary: Type.Array(Type.String({ description: 'What became of each' })),
  }),
);

/** Answers what was written, or what it did. @throws BadRequest where the text can't be a note. */
export const answerWritten = async (
  writing: Promise<Written<number>>,
  show: (id: number) => Promise<object>,
): Promise<RouteResult> => {
  const { result, outcomes } = await writing.catch((error: unknown) => {
    throw inWordsOfNotes(error);
  });
  if (result !== undefined) return { status: 201, body: await show(result) };
  const changes: Record<string, unknown> = {};
  for (const outcome of outcomes) if (outcome.done) Object.assign(changes, outcome.changes);
  return { status: 202, body: { commands_changes: changes, summary: outcomes.map(({ message }) => message) } };
};
