import { Type } from '@sinclair/typebox';
import type { Written } from '../../../../../application/collaboration/quick-actions.js';
import { component } from '../../openapi/component.js';
import type { RouteResult } from '../../route.js';

export const QUICK_ACTIONS =
  'Lines such as `/close` are done and taken out. 202 where nothing else is left: there is no note then.';

/** What is answered where nothing was left of a text but quick actions, so that there is no note. */
export const QuickActionsSchema = component(
  'schemas/QuickActions',
  Type.Object({
    commands_changes: Type.Record(Type.String(), Type.Unknown(), { description: 'What was changed, by attribute' }),
    summary: Type.Array(Type.String({ description: 'What became of each' })),
  }),
);

/** Answers what was written, or what it did. */
export const answerWritten = async (
  { result, outcomes }: Written<number>,
  show: (id: number) => Promise<object>,
): Promise<RouteResult> => {
  if (result !== undefined) return { status: 201, body: await show(result) };
  const changes: Record<string, unknown> = {};
  for (const outcome of outcomes) if (outcome.done) Object.assign(changes, outcome.changes);
  return { status: 202, body: { commands_changes: changes, summary: outcomes.map(({ message }) => message) } };
};
