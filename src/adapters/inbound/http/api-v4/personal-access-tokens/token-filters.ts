import { Type } from '@sinclair/typebox';
import { TOKEN_SORTS, type TokenFilters } from '../../../../../application/identity/ports/identity-readers.js';
import { given } from '../../kit/given.js';
import { instantOrDay, oneOf, text, timeIn, type ParametersOf } from '../../validation/parameters.js';

/** What narrows a list of tokens. */
export const TOKEN_FILTERS = {
  state: Type.Optional(
    oneOf(['active', 'inactive'], { description: 'Only tokens that work, or that have expired or been revoked' }),
  ),
  revoked: Type.Optional(Type.Boolean({ description: 'Only tokens that have been revoked, or that have not' })),
  search: Type.Optional(text(255, 'Part of the name')),
  created_after: Type.Optional(instantOrDay('Only tokens made since then')),
  created_before: Type.Optional(instantOrDay('Only tokens made until then')),
  last_used_after: Type.Optional(instantOrDay('Only tokens used last since then')),
  last_used_before: Type.Optional(instantOrDay('Only tokens used last until then')),
  sort: Type.Optional(oneOf(TOKEN_SORTS, { description: 'By id unless given' })),
};

export const tokenFiltersIn = (sent: ParametersOf<typeof TOKEN_FILTERS>, at: Date): TokenFilters =>
  given({
    state: sent.state && { is: sent.state, at },
    revoked: sent.revoked,
    search: sent.search,
    createdAfter: timeIn(sent.created_after),
    createdBefore: timeIn(sent.created_before),
    lastUsedAfter: timeIn(sent.last_used_after),
    lastUsedBefore: timeIn(sent.last_used_before),
    sort: sent.sort,
  });
