import type { ActionOutcome } from '../../../../../application/collaboration/ports/action-ports.js';

/** What was done, with what became of the quick actions in the text. */
export const withOutcomes = (notice: string, outcomes: readonly ActionOutcome[]): string =>
  [...new Set([notice, ...outcomes.map(({ message }) => message)])].filter((words) => words !== '').join(' ');
