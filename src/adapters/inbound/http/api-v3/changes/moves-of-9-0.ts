import { DROPPED, type ApiChange } from './api-change.js';

/** Clients of version 3 know the parameter by both names. */
const FILE_PATH = { file_path: ['file_path', 'filepath'] };

/** Specification, "Changes from V3 to V4, release 9.0", the table of moves and removals. */
export const MOVES_OF_9_0: readonly ApiChange[] = [
  {
    release: '9.0',
    before: 'DELETE /projects/:id/star',
    after: 'POST /projects/:id/unstar',
    description: 'A star is taken back by POST at a path of its own.',
    example: ['DELETE /projects/5/star', 'POST /projects/5/unstar'],
    rules: [{ methods: ['DELETE'], paths: ['/projects/:id/star'], method: 'POST', to: '/projects/:id/unstar' }],
  },
  {
    release: '9.0',
    before: 'POST /projects/fork/:id',
    after: 'POST /projects/:id/fork',
    description: 'The project that is forked comes first in the path.',
    example: ['POST /projects/fork/5', 'POST /projects/5/fork'],
    rules: [{ methods: ['POST'], paths: ['/projects/fork/:id'], to: '/projects/:id/fork' }],
  },
  {
    release: '9.0',
    before: 'DELETE /todos',
    after: 'POST /todos/mark_as_done',
    description: 'To-dos are not deleted but marked as done, all of them by one POST.',
    example: ['DELETE /todos', 'POST /todos/mark_as_done'],
    rules: [{ methods: ['DELETE'], paths: ['/todos'], method: 'POST', to: '/todos/mark_as_done' }],
  },
  {
    release: '9.0',
    before: 'DELETE /todos/:todo_id',
    after: 'POST /todos/:todo_id/mark_as_done',
    description: 'A to-do is not deleted but marked as done.',
    example: ['DELETE /todos/130', 'POST /todos/130/mark_as_done'],
    rules: [{ methods: ['DELETE'], paths: ['/todos/:todo_id'], method: 'POST', to: '/todos/:todo_id/mark_as_done' }],
  },
  {
    release: '9.0',
    before: 'GET /projects/visible and GET /projects/all',
    after: 'GET /projects',
    description: 'One list of projects, with or without a token: it shows whatever the caller may see.',
    example: ['GET /projects/visible?search=mercury', 'GET /projects?search=mercury'],
    rules: [{ methods: ['GET'], paths: ['/projects/:list(visible|all)'], to: '/projects' }],
  },
  {
    release: '9.0',
    before: 'GET /projects/owned',
    after: 'GET /projects?owned=true',
    description: 'Owned projects are a filter of the list of projects.',
    example: ['GET /projects/owned', 'GET /projects?owned=true'],
    rules: [{ methods: ['GET'], paths: ['/projects/owned'], to: '/projects', adds: { owned: 'true' } }],
  },
  {
    release: '9.0',
    before: 'GET /projects/starred',
    after: 'GET /projects?starred=true',
    description: 'Starred projects are a filter of the list of projects.',
    example: ['GET /projects/starred', 'GET /projects?starred=true'],
    rules: [{ methods: ['GET'], paths: ['/projects/starred'], to: '/projects', adds: { starred: 'true' } }],
  },
  {
    release: '9.0',
    before: 'DELETE /projects/:id/deploy_keys/:key_id/disable',
    after: 'DELETE /projects/:id/deploy_keys/:key_id',
    description: 'To disable a deploy key is to delete it from the project.',
    example: ['DELETE /projects/5/deploy_keys/9/disable', 'DELETE /projects/5/deploy_keys/9'],
    rules: [
      {
        methods: ['DELETE'],
        paths: ['/projects/:id/deploy_keys/:key_id/disable'],
        to: '/projects/:id/deploy_keys/:key_id',
      },
    ],
  },
  {
    release: '9.0',
    before: 'PUT /users/:id/block and PUT /users/:id/unblock',
    after: 'POST /users/:id/block and POST /users/:id/unblock',
    description: 'Blocking and unblocking are POST.',
    example: ['PUT /users/7/block', 'POST /users/7/block'],
    rules: [{ methods: ['PUT'], paths: ['/users/:id/:action(block|unblock)'], method: 'POST' }],
  },
  {
    release: '9.0',
    before: 'GET /groups/owned',
    after: 'GET /groups?owned=true',
    description: 'Owned groups are a filter of the list of groups.',
    example: ['GET /groups/owned', 'GET /groups?owned=true'],
    rules: [{ methods: ['GET'], paths: ['/groups/owned'], to: '/groups', adds: { owned: 'true' } }],
  },
  {
    release: '9.0',
    before: 'POST /projects/:id/trigger/builds',
    after: 'POST /projects/:id/trigger/pipeline',
    description: 'A trigger starts a pipeline, and the path says so.',
    example: ['POST /projects/5/trigger/builds', 'POST /projects/5/trigger/pipeline'],
    rules: [
      {
        methods: ['POST'],
        paths: ['/projects/:id/*ref/trigger/builds'],
        to: '/projects/:id/*ref/trigger/pipeline',
      },
    ],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/repository/files?file_path=<path>',
    after: 'GET /projects/:id/repository/files/:file_path',
    description: 'The path of a file is one URL-encoded segment of the address: `app/a.rb` is `app%2Fa.rb`.',
    example: [
      'GET /projects/5/repository/files?file_path=app/a.rb&ref=main',
      'GET /projects/5/repository/files/app%2Fa.rb?ref=main',
    ],
    rules: [
      {
        methods: ['GET'],
        paths: ['/projects/:id/repository/files'],
        takes: FILE_PATH,
        to: '/projects/:id/repository/files/:file_path',
      },
    ],
  },
  {
    release: '9.0',
    before:
      'GET /projects/:id/repository/commits/:sha/blob?file_path=<path> and GET /projects/:id/repository/blobs/:sha?file_path=<path>',
    after: 'GET /projects/:id/repository/files/:file_path/raw?ref=:sha',
    description: 'The raw content of a file is below the file; what named the commit is the parameter `ref`.',
    example: [
      'GET /projects/5/repository/blobs/c0ffee?file_path=app/a.rb',
      'GET /projects/5/repository/files/app%2Fa.rb/raw?ref=c0ffee',
    ],
    rules: [
      {
        methods: ['GET'],
        paths: ['/projects/:id/repository/commits/:sha/blob', '/projects/:id/repository/blobs/:sha'],
        takes: FILE_PATH,
        to: '/projects/:id/repository/files/:file_path/raw',
        adds: { ref: ':sha' },
      },
      // Without the file there is no address to lead to, but the change is worth knowing all the more.
      { methods: ['GET'], paths: ['/projects/:id/repository/commits/:sha/blob'] },
    ],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/repository/commits/:sha/jobs',
    after: DROPPED,
    description: 'The jobs of a commit are no longer listed below it.',
    example: ['GET /projects/5/repository/commits/c0ffee/jobs', DROPPED],
    rules: [{ methods: ['GET'], paths: ['/projects/:id/repository/commits/:sha/:list(jobs|builds)'] }],
  },
];
