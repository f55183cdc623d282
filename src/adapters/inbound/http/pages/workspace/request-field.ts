import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const NAME = 'request_access_enabled';

/** What the field of the settings of a project or group offers that says who may ask to be a member. */
export const REQUEST_OPTIONS = [
  ['true', 'Whoever sees it may ask to be a member'],
  ['false', 'Nobody may ask'],
] as const;

/** What the field holds. */
export const requestValues = (enabled: boolean): Record<typeof NAME, string> => ({ [NAME]: String(enabled) });

/** What was chosen; a form without the field leaves it as it is. @throws BadRequest for what the page doesn't offer. */
export const requestsIn = ({ request }: PageContext): { readonly requestAccessEnabled?: boolean } => {
  const sent = field(request, NAME);
  if (sent === '') return {};
  if (!REQUEST_OPTIONS.some(([value]) => value === sent)) throw new BadRequest(`${NAME} is not one of the choices`);
  return { requestAccessEnabled: sent === 'true' };
};
