import { Conflict } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

/**
 * Whoever sends a form acts on what it showed, which it carries in its field `shown`.
 * @param now the same as things stand now.
 * @param problem what to say where they stand otherwise.
 * @throws Conflict.
 */
export const requireAsShown = ({ request }: Pick<PageContext, 'request'>, now: string, problem: string): void => {
  const shown = field(request, 'shown');
  if (shown !== '' && shown !== now) throw new Conflict(problem);
};
