import { createHash } from 'node:crypto';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const OVERTAKEN =
  'Somebody else has saved something since you opened this form. Save again to put what is here in its place, or open the form anew to see theirs.';

const digestOf = (values: object): string => createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** What a form of such values remembers as `seen`: a preview shows what is typed, and nothing of what others have saved. */
export const seenIn = ({ request }: PageContext, values: object): string =>
  field(request, 'preview') === 'true' ? field(request, 'seen') : digestOf(values);

/** @throws Conflict when the values are not those that the form was opened with: saving would undo what somebody else has written. */
export const refuseOvertaken = ({ request }: PageContext, values: object): void => {
  const seen = field(request, 'seen');
  if (seen !== '' && seen !== digestOf(values)) throw new Conflict(OVERTAKEN);
};
