import { renamed, type ApiChange } from './api-change.js';

const VISIBILITIES = new Map([
  ['0', 'private'],
  ['10', 'internal'],
  ['20', 'public'],
]);

const MERGE_REQUEST = '/projects/:id/merge_requests/:merge_request_id';

const MERGE_PARAMETERS = {
  merge_when_build_succeeds: renamed('merge_when_pipeline_succeeds'),
  only_allow_merge_if_build_succeeds: renamed('only_allow_merge_if_pipeline_succeeds'),
};

const VISIBILITY_PARAMETERS = {
  public: (value: string) => ['visibility', /^(?:true|t|1|yes|on)$/i.test(value) ? 'public' : 'private'] as const,
  visibility_level: (value: string) => ['visibility', VISIBILITIES.get(value) ?? value] as const,
};

/** Specification, "Changes from V3 to V4, release 9.0": parameters that have another name, or other values. */
export const PARAMETERS_OF_9_0: readonly ApiChange[] = [
  {
    release: '9.0',
    before: '`branch_name`',
    after: '`branch`',
    description:
      'The parameter is renamed where branches, commits and files are made or changed (POST repository/branches, POST repository/commits, POST, PUT and DELETE repository/files), and in the answer of DELETE /projects/:id/repository/branches/:branch.',
    example: [
      'POST /projects/5/repository/branches?branch_name=next&ref=main',
      'POST /projects/5/repository/branches?branch=next&ref=main',
    ],
    rules: [
      {
        methods: ['POST'],
        paths: ['/projects/:id/repository/:list(branches|commits)'],
        given: ['branch_name'],
        fields: { branch_name: renamed('branch') },
      },
      {
        methods: ['POST', 'PUT', 'DELETE'],
        paths: ['/projects/:id/repository/files/*file_path'],
        given: ['branch_name'],
        fields: { branch_name: renamed('branch') },
      },
      { methods: ['DELETE'], paths: ['/projects/:id/repository/branches/:branch/*rest'] },
    ],
  },
  {
    release: '9.0',
    before: '`merge_when_build_succeeds`',
    after: '`merge_when_pipeline_succeeds`',
    description:
      'The parameter is renamed where merge requests are merged (PUT merge, POST cancel_merge_when_pipeline_succeeds) and where projects are made or changed (POST /projects, POST /projects/user/:user_id, PUT /projects/:id).',
    example: [
      'PUT /projects/5/merge_requests/42/merge?merge_when_build_succeeds=true',
      'PUT /projects/5/merge_requests/42/merge?merge_when_pipeline_succeeds=true',
    ],
    rules: [
      {
        methods: ['POST'],
        paths: [`${MERGE_REQUEST}/cancel_merge_when_build_succeeds`],
        to: `${MERGE_REQUEST}/cancel_merge_when_pipeline_succeeds`,
        fields: MERGE_PARAMETERS,
      },
      {
        methods: ['POST'],
        paths: [`${MERGE_REQUEST}/cancel_merge_when_pipeline_succeeds`, '/projects', '/projects/user/:user_id'],
        given: Object.keys(MERGE_PARAMETERS),
        fields: MERGE_PARAMETERS,
      },
      {
        methods: ['PUT'],
        paths: [`${MERGE_REQUEST}/merge`, '/projects/:id'],
        given: Object.keys(MERGE_PARAMETERS),
        fields: MERGE_PARAMETERS,
      },
    ],
  },
  {
    release: '9.0',
    before: '`public=true` where projects are made or changed; visibility as a number',
    after: '`visibility=public`',
    description:
      '`public` is ignored where projects are made or changed. `visibility` is one of private, internal and public wherever it is read or given.',
    example: ['POST /projects?name=Mercury&public=true', 'POST /projects?name=Mercury&visibility=public'],
    rules: [
      {
        methods: ['POST'],
        paths: ['/projects', '/projects/user/:user_id'],
        given: ['public', 'visibility_level'],
        fields: VISIBILITY_PARAMETERS,
      },
      {
        methods: ['PUT'],
        paths: ['/projects/:id'],
        given: ['public', 'visibility_level'],
        fields: VISIBILITY_PARAMETERS,
      },
      {
        methods: ['POST', 'PUT'],
        paths: ['/*rest'],
        given: ['visibility_level'],
        fields: { visibility_level: VISIBILITY_PARAMETERS.visibility_level },
      },
    ],
  },
];
