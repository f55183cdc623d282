import { Type } from '@sinclair/typebox';
import { RELEASES, type ApiChange } from '../../api-v3/changes/api-change.js';
import { API_CHANGES } from '../../api-v3/changes/api-changes.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Route } from '../../route.js';
import { oneOf, pagedParameters, text } from '../../validation/parameters.js';
import { ApiChangeSchema, presentApiChange } from './present-api-change.js';

const mentions = ({ before, after, description }: ApiChange, words: string): boolean =>
  [before, after, description].some((each) => each.toLowerCase().includes(words.toLowerCase()));

export const createApiChangeRoutes = (): readonly Route[] => [
  route({
    method: 'get',
    path: '/api_changes',
    operationId: 'listApiChanges',
    summary: 'What changed from version 3 to version 4',
    description: 'In the order of the releases. Whatever is asked of version 3 is answered with those that concern it.',
    tag: 'Version',
    access: 'anyone',
    parameters: pagedParameters({
      release: Type.Optional(oneOf(RELEASES, { description: 'Changes of this release alone' })),
      search: Type.Optional(text(255, 'Changes that mention this')),
    }),
    responses: { 200: Type.Array(ApiChangeSchema) },
    handle: ({ parameters: { release, search = '', ...paging } }) => {
      const request = readPageRequest(paging);
      const found = API_CHANGES.filter(
        (change) => (release === undefined || change.release === release) && mentions(change, search),
      );
      const page = pageOfList(found, request);
      return Promise.resolve({ body: page.items.map(presentApiChange), page: { request, of: page } });
    },
  }),
];
