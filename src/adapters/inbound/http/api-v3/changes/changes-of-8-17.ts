import { renamed, type ApiChange } from './api-change.js';

const LISTS_OF_THEIR_OWN = new Set(['owned', 'starred', 'visible', 'all']);

/** A number names a project, and so does a path, which has a slash. */
const isSearch = (text: string): boolean => !/^\d+$/.test(text) && !text.includes('/') && !LISTS_OF_THEIR_OWN.has(text);

/** Specification, "Changes from V3 to V4, release 8.17". */
export const CHANGES_OF_8_17: readonly ApiChange[] = [
  {
    release: '8.17',
    before: 'GET /projects/:search',
    after: 'GET /projects?search=<text>',
    description: 'Searching has no path of its own: `search` is a filter of the list of projects.',
    example: ['GET /projects/mercury', 'GET /projects?search=mercury'],
    rules: [
      { methods: ['GET'], paths: ['/projects/search/:text'], to: '/projects', adds: { search: ':text' } },
      {
        methods: ['GET'],
        paths: ['/projects/:text'],
        where: { text: isSearch },
        to: '/projects',
        adds: { search: ':text' },
      },
    ],
  },
  {
    release: '8.17',
    before: 'GET /projects/:id/issues?iid=:iid',
    after: 'GET /projects/:id/issues?iids=:iid',
    description:
      'The filter `iid` is removed from the issues of a project and is ignored if sent; `iids` selects by number.',
    example: ['GET /projects/5/issues?iid=42', 'GET /projects/5/issues?iids=42'],
    rules: [{ methods: ['GET'], paths: ['/projects/:id/issues'], given: ['iid'], fields: { iid: renamed('iids') } }],
  },
  {
    release: '8.17',
    before: 'GET /projects/:id/merge_requests?iid[]=:iid',
    after: 'GET /projects/:id/merge_requests?iids[]=:iid',
    description: 'The array filter `iid[]` of merge requests is called `iids`.',
    example: ['GET /projects/5/merge_requests?iid[]=42&iid[]=43', 'GET /projects/5/merge_requests?iids[]=42&iids[]=43'],
    rules: [
      {
        methods: ['GET'],
        paths: ['/projects/:id/merge_requests'],
        given: ['iid'],
        fields: { iid: renamed('iids') },
      },
    ],
  },
  {
    release: '8.17',
    before: 'GET /projects/merge_request/:id',
    after: 'GET /projects/merge_requests/:id',
    description:
      'Everything under the singular `merge_request` is removed: the segment is `merge_requests` everywhere.',
    example: ['GET /projects/5/merge_request/42/changes', 'GET /projects/5/merge_requests/42/changes'],
    rules: [
      { paths: ['/projects/merge_request/:id/*rest'], to: '/projects/merge_requests/:id/*rest' },
      { paths: ['/projects/:project_id/merge_request/*rest'], to: '/projects/:project_id/merge_requests/*rest' },
    ],
  },
  {
    release: '8.17',
    before: '`expires_at` in project snippets',
    after: 'no `expires_at`',
    description: 'Snippets of a project no longer carry the deprecated field `expires_at`.',
    example: ['GET /projects/5/snippets', 'GET /projects/5/snippets'],
    rules: [
      { methods: ['GET', 'POST', 'PUT'], paths: ['/projects/:id/snippets', '/projects/:id/snippets/:snippet_id'] },
    ],
  },
  {
    release: '8.17',
    before: 'GET /projects/:id/keys',
    after: 'GET /projects/:id/deploy_keys',
    description: 'Everything under `keys` of a project is removed: `deploy_keys` has the same.',
    example: ['GET /projects/5/keys/9', 'GET /projects/5/deploy_keys/9'],
    rules: [{ paths: ['/projects/:id/keys/*rest'], to: '/projects/:id/deploy_keys/*rest' }],
  },
];
