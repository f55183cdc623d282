import { ACCESS_LEVEL } from './access-level.js';
import { ProblemCollector } from './problem-collector.js';

const EARLIEST = 0;

/**
 * The time that somebody says something was done at, who brings it from elsewhere: owners alone do, as administrators are everywhere.
 * Undefined for others, and where none is said.
 *
 * @throws Invalid at the attribute for a time that nothing can have been done at.
 */
export const timeGiven = (
  attribute: string,
  time: Date | undefined,
  { level, now }: { readonly level: number; readonly now: Date },
): Date | undefined => {
  if (time === undefined || level < ACCESS_LEVEL.owner) return undefined;
  new ProblemCollector()
    .check(time.getTime() >= EARLIEST, attribute, 'must not be before 1970')
    .check(time <= now, attribute, 'must not be in the future')
    .refuse();
  return time;
};
