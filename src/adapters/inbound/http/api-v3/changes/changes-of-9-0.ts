import { renamed, type ApiChange } from './api-change.js';
import { valuesOf } from './old-request.js';
import { PARAMETERS_OF_9_0 } from './parameters-of-9-0.js';

/** What ends the path of a list. */
const LISTS = [
  ...[
    'projects',
    'groups',
    'users',
    'issues',
    'merge_requests',
    'milestones',
    'members',
    'labels',
    'notes',
    'snippets',
  ],
  ...['branches', 'tags', 'commits', 'tree', 'contributors', 'pipelines', 'jobs', 'triggers', 'variables', 'runners'],
  ...['environments', 'deployments', 'hooks', 'keys', 'deploy_keys', 'emails', 'events', 'todos', 'namespaces'],
  ...['award_emoji', 'access_requests', 'boards', 'lists', 'forks', 'commit_notes', 'comments', 'statuses'],
].join('|');

const ITEM = '/projects/:id/:type(issues|merge_requests)/:iid';

const BUILD_PARAMETERS = {
  builds_enabled: renamed('jobs_enabled'),
  public_builds: renamed('public_jobs'),
  build_events: renamed('job_events'),
};

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** Specification, "Changes from V3 to V4, release 9.0", "Other 9.0 changes". */
export const CHANGES_OF_9_0: readonly ApiChange[] = [
  {
    release: '9.0',
    before: '/licenses, /gitignores, /platform_ci_ymls (/gitlab_ci_ymls), /dockerfiles, and one of each by its :key',
    after:
      '/templates/licenses, /templates/gitignores, /templates/platform_ci_ymls (/templates/gitlab_ci_ymls), /templates/dockerfiles',
    description: 'Templates are gone from the root and stand under `/templates`.',
    example: ['GET /licenses/mit', 'GET /templates/licenses/mit'],
    rules: [
      {
        paths: ['/:type(licenses|gitignores|platform_ci_ymls|gitlab_ci_ymls|dockerfiles)/*key'],
        to: '/templates/:type/*key',
      },
    ],
  },
  {
    release: '9.0',
    before: 'GET /projects lists memberships',
    after: 'GET /projects lists whatever the caller may see',
    description:
      '`membership=true` narrows the list to memberships. Filters of projects are parameters (`?owned=true`), not segments of the path.',
    example: ['GET /projects', 'GET /projects?membership=true'],
    rules: [{ methods: ['GET'], paths: ['/projects'] }],
  },
  {
    release: '9.0',
    before: 'some lists come without page headers',
    after: 'every list carries page headers',
    description: 'Whatever answers an array carries the page headers, so that a client can follow `Link` everywhere.',
    example: ['GET /projects/5/members', 'GET /projects/5/members'],
    rules: [
      { methods: ['GET'], paths: [`/*rest/:list(${LISTS})`] },
      { methods: ['GET'], paths: ['/*rest'], given: ['page', 'per_page'] },
    ],
  },
  {
    release: '9.0',
    before: 'no way to stop an environment',
    after: 'POST /environments/:environment_id/stop',
    description: 'Added: an environment can be stopped. In full the address stands below its project.',
    example: ['POST /projects/5/environments/3/stop', 'POST /projects/5/environments/3/stop'],
    rules: [
      {
        methods: ['POST'],
        paths: ['/environments/:environment_id/stop', '/projects/:id/environments/:environment_id/stop'],
      },
    ],
  },
  {
    release: '9.0',
    before: 'POST and DELETE /projects/:id/:subscribable_type/:subscribable_id/subscription',
    after:
      'POST /projects/:id/:subscribable_type/:subscribable_id/subscribe and POST /projects/:id/:subscribable_type/:subscribable_id/unsubscribe',
    description: 'To subscribe and to unsubscribe are two addresses, both POST.',
    example: ['DELETE /projects/5/issues/42/subscription', 'POST /projects/5/issues/42/unsubscribe'],
    rules: [
      {
        methods: ['POST'],
        paths: ['/projects/:id/:type/:item_id/subscription'],
        to: '/projects/:id/:type/:item_id/subscribe',
      },
      {
        methods: ['DELETE'],
        paths: ['/projects/:id/:type/:item_id/subscription'],
        method: 'POST',
        to: '/projects/:id/:type/:item_id/unsubscribe',
      },
      { methods: ['POST'], paths: ['/projects/:id/:type/:item_id/:action(subscribe|unsubscribe)'] },
    ],
  },
  {
    release: '9.0',
    before: '`labels=a,b` on GET /projects/:id/issues and GET /issues: a or b',
    after: '`labels=a,b`: a and b',
    description: 'Of several labels an issue must have all; ask once for each label to find the issues that have any.',
    example: ['GET /projects/5/issues?labels=bug,urgent', 'GET /projects/5/issues?labels=bug,urgent'],
    rules: [
      {
        methods: ['GET'],
        paths: ['/issues', '/projects/:id/issues'],
        when: (request) => {
          const labels = valuesOf(request, 'labels');
          return labels.length > 1 || labels.some((value) => value.includes(','));
        },
      },
    ],
  },
  ...PARAMETERS_OF_9_0,
  {
    release: '9.0',
    before: '`subscribed` in lists of issues and merge requests',
    after: 'no `subscribed` in lists',
    description: 'Whether the caller is subscribed is told for a single issue or merge request only.',
    example: ['GET /projects/5/issues', 'GET /projects/5/issues'],
    rules: [
      {
        methods: ['GET'],
        paths: [
          '/:type(issues|merge_requests)',
          '/projects/:id/:type(issues|merge_requests)',
          '/groups/:id/:type(issues|merge_requests)',
        ],
      },
    ],
  },
  {
    release: '9.0',
    before: '`upvote` and `downvote` in notes',
    after: 'neither',
    description: 'Notes no longer carry the deprecated fields; award emoji have their own addresses.',
    example: ['GET /projects/5/issues/42/notes', 'GET /projects/5/issues/42/notes'],
    rules: [{ paths: ['/projects/:id/:type(issues|merge_requests|snippets)/:item_id/notes/*note_id'] }],
  },
  {
    release: '9.0',
    before: 'members that can not be kept: sometimes 422',
    after: '400, and 409 for a member who is there already',
    description:
      'Adding or changing a member answers 400 when something is wrong with it, and 409 when they are a member.',
    example: ['POST /projects/5/members', 'POST /projects/5/members'],
    rules: [
      { methods: ['POST'], paths: ['/:source(projects|groups)/:id/members'] },
      { methods: ['PUT'], paths: ['/:source(projects|groups)/:id/members/:user_id'] },
    ],
  },
  {
    release: '9.0',
    before: 'DELETE /projects/:id/repository/merged_branches and DELETE /projects/:id answer 200',
    after: '202 with a JSON body',
    description: 'What is removed later is answered with 202 Accepted and a JSON body.',
    example: ['DELETE /projects/5', 'DELETE /projects/5'],
    rules: [{ methods: ['DELETE'], paths: ['/projects/:id', '/projects/:id/repository/merged_branches'] }],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/milestones?iid[]=:iid',
    after: 'GET /projects/:id/milestones?iids[]=:iid',
    description: 'The array filter `iid[]` of milestones is called `iids`.',
    example: ['GET /projects/5/milestones?iid[]=2', 'GET /projects/5/milestones?iids[]=2'],
    rules: [
      { methods: ['GET'], paths: ['/projects/:id/milestones'], given: ['iid'], fields: { iid: renamed('iids') } },
    ],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/pipelines: everything about each pipeline',
    after: 'the basics of each pipeline',
    description: 'The list tells the basics; GET /projects/:id/pipelines/:pipeline_id tells everything about one.',
    example: ['GET /projects/5/pipelines', 'GET /projects/5/pipelines'],
    rules: [{ methods: ['GET'], paths: ['/projects/:id/pipelines'] }],
  },
  {
    release: '9.0',
    before: '`build` in paths, parameters and fields; Build Triggers',
    after: '`job`; Pipeline Triggers',
    description:
      'Builds are called jobs, and Build Triggers are Pipeline Triggers: POST /projects/:id/triggers requires `description`, and a trigger is named by its id, never by its token.',
    example: ['GET /projects/5/builds/8/trace', 'GET /projects/5/jobs/8/trace'],
    rules: [
      { paths: ['/projects/:id/builds/*rest'], to: '/projects/:id/jobs/*rest', fields: BUILD_PARAMETERS },
      { paths: ['/projects/:id/pipelines/:pipeline_id/builds'], to: '/projects/:id/pipelines/:pipeline_id/jobs' },
      { paths: ['/projects/:id/*ref/trigger/pipeline'] },
      // Version 3 named a trigger by its token, which is a secret.
      {
        paths: ['/projects/:id/triggers/:token/*rest'],
        where: { token: (text) => !isNumber(text) },
        to: '/projects/:id/triggers',
      },
      { paths: ['/projects/:id/triggers/*trigger_id'] },
      { paths: ['/*rest'], given: Object.keys(BUILD_PARAMETERS), fields: BUILD_PARAMETERS },
    ],
  },
  {
    release: '9.0',
    before: 'environments with all of their project',
    after: 'environments with a simple form of their project',
    description: 'The project within an environment is simplified.',
    example: ['GET /projects/5/environments', 'GET /projects/5/environments'],
    rules: [{ paths: ['/projects/:id/environments/*rest'] }],
  },
  {
    release: '9.0',
    before: 'issues and merge requests by their global id',
    after: 'issues and merge requests by their IID',
    description:
      'The number in the address is the internal one (`iid`), which pages show as well. This holds for issues, merge requests, award emoji, to-dos and time tracking.',
    example: ['GET /projects/5/issues/42', 'GET /projects/5/issues/42'],
    rules: [{ paths: [`${ITEM}/*rest`] }],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/repository/commits?page=0 is the first page',
    after: 'GET /projects/:id/repository/commits?page=1 is the first page',
    description: 'Pages of commits are counted from 1 as everywhere, and the header `Link` is right.',
    example: ['GET /projects/5/repository/commits?page=0', 'GET /projects/5/repository/commits?page=1'],
    rules: [
      {
        methods: ['GET'],
        paths: ['/projects/:id/repository/commits'],
        fields: { page: (value) => ['page', /^\d{1,9}$/.test(value) ? String(Number(value) + 1) : value] },
      },
    ],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/repository/blobs/:sha: the raw content',
    after: 'GET /projects/:id/repository/blobs/:sha: JSON',
    description: 'The attributes of the blob that `:sha` names are answered as JSON.',
    example: ['GET /projects/5/repository/blobs/c0ffee', 'GET /projects/5/repository/blobs/c0ffee'],
    rules: [{ methods: ['GET'], paths: ['/projects/:id/repository/blobs/:sha'] }],
  },
  {
    release: '9.0',
    before: 'GET /projects/:id/repository/tree?ref_name=<ref>',
    after: 'GET /projects/:id/repository/tree?ref=<ref>',
    description: 'The parameter `ref_name` of the tree is called `ref`.',
    example: ['GET /projects/5/repository/tree?ref_name=main', 'GET /projects/5/repository/tree?ref=main'],
    rules: [
      {
        methods: ['GET'],
        paths: ['/projects/:id/repository/tree'],
        given: ['ref_name'],
        fields: { ref_name: renamed('ref') },
      },
    ],
  },
  {
    release: '9.0',
    before: 'POST /users with `confirm`',
    after: 'POST /users with `skip_confirmation`',
    description: '`confirm` is deprecated; `skip_confirmation` is its opposite.',
    example: ['POST /users?username=ada&confirm=false', 'POST /users?username=ada&skip_confirmation=true'],
    rules: [
      {
        methods: ['POST'],
        paths: ['/users'],
        given: ['confirm'],
        fields: {
          confirm: (value) => ['skip_confirmation', /^(?:false|f|0|no|off)$/i.test(value) ? 'true' : 'false'],
        },
      },
    ],
  },
];
