import { SCOPES } from '../../../../domain/shared/scope.js';
import { field, fields } from './form-fields.js';
import type { PageContext } from './page-context.js';
import { SCOPE_WORDS } from './scope-words.js';

export const SCOPE_CHOICES = SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]]);

/** What a form says of an application. */
export const detailsOf = ({ request }: PageContext) => ({
  name: field(request, 'name'),
  redirectUris: field(request, 'redirect_uri'),
  scopes: fields(request, 'scopes').join(' '),
  confidential: field(request, 'confidential') === 'true',
});

export const formAgain = (context: PageContext) => {
  const { name, redirectUris: redirectUri, confidential } = detailsOf(context);
  return { name, redirectUri, confidential, chosen: fields(context.request, 'scopes') };
};

export const EMPTY_FORM = { name: '', redirectUri: '', confidential: true, chosen: [] };
