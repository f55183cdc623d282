import { createHash } from 'node:crypto';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const OVERTAKEN =
  'Somebody else has saved something since you opened this form. Save again to put what is here in its place, or open the form anew to see theirs.';

/** Of values that a form has to know again. */
export const digestOf = (values: object): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** What a form of such values remembers as `seen`: a preview shows what is typed, and nothing of what others have saved. */
export const seenIn = ({ request }: PageContext, values: object): string =>
  field(request, 'preview') === 'true' ? field(request, 'seen') : digestOf(values);

/** Whether the values are not those that the form was opened with. */
export const isOvertaken = ({ request }: PageContext, values: object): boolean => {
  const seen = field(request, 'seen');
  return seen !== '' && seen !== digestOf(values);
};

/**
 * @param problem what to say where another sentence tells more.
 * @throws Conflict when the values are not those that the form was opened with: saving would undo what somebody else has written.
 */
export const refuseOvertaken = (context: PageContext, values: object, problem = OVERTAKEN): void => {
  if (isOvertaken(context, values)) throw new Conflict(problem);
};
