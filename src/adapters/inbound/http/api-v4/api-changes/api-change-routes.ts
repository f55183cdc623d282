import { Type } from '@sinclair/typebox';
import { RELEASES, type ApiChange } from '../../api-v3/changes/api-change.js';
import { API_CHANGES } from '../../api-v3/changes/api-changes.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { oneOf, text } from '../../validation/parameters.js';
import { ApiChangeSchema, presentApiChange } from './present-api-change.js';

const mentions = ({ before, after, description }: ApiChange, words: string): boolean =>
  [before, after, description].some((each) => each.toLowerCase().includes(words.toLowerCase()));

const { list } = routesOf({ tag: 'Version' });

export const listApiChanges = () =>
  list('/api_changes', 'listApiChanges', {
    summary: 'What changed from version 3 to version 4',
    description: 'In the order of the releases. Whatever is asked of version 3 is answered with those that concern it.',
    access: 'anyone',
    scopes: 'any',
    parameters: {
      release: Type.Optional(oneOf(RELEASES, { description: 'Changes of this release alone' })),
      search: Type.Optional(text(255, 'Changes that mention this')),
    },
    items: ApiChangeSchema,
    read: async ({ parameters: { release, search = '' }, page }) => {
      const found = API_CHANGES.filter(
        (change) => (release === undefined || change.release === release) && mentions(change, search),
      );
      return pageOfList(found, page);
    },
    present: presentApiChange,
  });

export const createApiChangeRoutes = (): readonly Route[] => [listApiChanges()];
