import { Type } from '@sinclair/typebox';
import type { CreateProjectCommand } from '../../../../../application/workspace/projects.js';
import { ciConfigPathIn } from '../../../../../domain/shared/ci-config-path.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { MAX_REMOTE_URL } from '../../../../../domain/shared/remote-url.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import {
  FEATURE_LEVELS,
  type FeatureLevel,
  type FeatureLevels,
} from '../../../../../domain/workspace/project-features.js';
import { MERGE_METHODS, MOST_APPROVALS, SQUASH_OPTIONS } from '../../../../../domain/review/merge-request.js';
import { topicsIn } from '../../../../../domain/workspace/topics.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { PULL_FIELDS, type SentPull } from '../mirrors/pull-fields.js';
import { integer, listOf, nullable, oneOf, text, type ParametersOf } from '../../validation/parameters.js';

const featureLevel = () =>
  Type.Optional(
    oneOf(FEATURE_LEVELS, {
      description: '`enabled`: for whoever sees the project; `private`: for its members; `disabled`: for nobody',
    }),
  );

/** Whether it is there at all, as older clients say it: the level wins where both are sent. */
const featureSwitch = (level: string) =>
  Type.Optional(Type.Boolean({ description: `Older name of \`${level}\`: \`enabled\`, or \`disabled\`` }));

/** What is sent of a project that is created or changed. */
const FIELDS = {
  name: Type.Optional(text(1_000)),
  path: Type.Optional(text(1_000)),
  description: Type.Optional(nullable(text(10_000))),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  default_branch: Type.Optional(nullable(text(1_000))),
  topics: Type.Optional(listOf(text(1_000), { description: 'What it is about: takes the place of all that it has' })),
  tag_list: Type.Optional(listOf(text(1_000), { description: 'The same, by its other name' })),
  merge_when_pipeline_succeeds: Type.Optional(Type.Boolean()),
  only_allow_merge_if_pipeline_succeeds: Type.Optional(Type.Boolean({ description: 'The same, by its other name' })),
  ci_config_path: Type.Optional(nullable(text(1_000))),
  merge_method: Type.Optional(
    oneOf(MERGE_METHODS, {
      description: 'How changes are taken: by a merge commit, by one that only joins what follows, or by none',
    }),
  ),
  remove_source_branch_after_merge: Type.Optional(
    Type.Boolean({ description: 'Whether pages propose to remove source branches' }),
  ),
  autoclose_referenced_issues: Type.Optional(
    Type.Boolean({ description: 'Whether merging closes the issues that it says it closes' }),
  ),
  approvals_before_merge: Type.Optional(
    integer({ minimum: 0, maximum: MOST_APPROVALS, description: 'How many must approve' }),
  ),
  only_allow_merge_if_all_discussions_are_resolved: Type.Optional(
    Type.Boolean({ description: 'Whether open threads keep merge requests from being merged' }),
  ),
  squash_option: Type.Optional(
    oneOf(SQUASH_OPTIONS, { description: 'Whether the commits of a merge request become one when it is merged' }),
  ),
  repository_access_level: featureLevel(),
  issues_access_level: featureLevel(),
  merge_requests_access_level: featureLevel(),
  builds_access_level: featureLevel(),
  forking_access_level: featureLevel(),
  snippets_access_level: featureLevel(),
  releases_access_level: featureLevel(),
  issues_enabled: featureSwitch('issues_access_level'),
  merge_requests_enabled: featureSwitch('merge_requests_access_level'),
  jobs_enabled: featureSwitch('builds_access_level'),
  snippets_enabled: featureSwitch('snippets_access_level'),
  printing_merge_request_link_enabled: Type.Optional(
    Type.Boolean({ description: 'Whether a push is answered with the address of the merge request of its branch' }),
  ),
  reset_approvals_on_push: Type.Optional(
    Type.Boolean({ description: 'Whether new commits, or another target branch, take approvals back' }),
  ),
  request_access_enabled: Type.Optional(Type.Boolean({ description: 'Whether who sees it may ask to be a member' })),
};
type Fields = ParametersOf<typeof FIELDS>;

const IMPORT_URL = Type.Optional(
  text(MAX_REMOTE_URL, 'Where its code is fetched from, as in `https://user:password@host/path.git`', {
    writeOnly: true,
  }),
);

/** Of the repository elsewhere that a project follows. */
const MIRROR_FIELDS = {
  import_url: IMPORT_URL,
  mirror: Type.Optional(
    Type.Boolean({ description: 'Whether it follows `import_url` from then on: see `/projects/:id/mirror/pull`' }),
  ),
  ...PULL_FIELDS,
};

/** What is sent of a project that is changed. */
export const EDIT_FIELDS = { ...FIELDS, ...MIRROR_FIELDS };

/** What else is sent of a project that is created. */
export const CREATION_FIELDS = {
  ...EDIT_FIELDS,
  initialize_with_readme: Type.Boolean({
    default: false,
    description: 'Whether the default branch begins with a `README.md` of its name and description',
  }),
};

/** What it begins with. */
export const firstCodeIn = (fields: SentPull & { readonly initialize_with_readme: boolean }) => ({
  withReadme: fields.initialize_with_readme,
  elsewhere: fields,
});

/** What a switch says as a level. */
const switched = (on: boolean | undefined): FeatureLevel | undefined => {
  if (on === undefined) return undefined;
  return on ? 'enabled' : 'disabled';
};

const featuresIn = (fields: Fields): Partial<FeatureLevels> =>
  given({
    repository: fields.repository_access_level,
    issues: fields.issues_access_level ?? switched(fields.issues_enabled),
    merge_requests: fields.merge_requests_access_level ?? switched(fields.merge_requests_enabled),
    builds: fields.builds_access_level ?? switched(fields.jobs_enabled),
    forking: fields.forking_access_level,
    snippets: fields.snippets_access_level ?? switched(fields.snippets_enabled),
    releases: fields.releases_access_level,
  });

/** What was given, in the words of the application; what was not given stays out. */
export const changesIn = (fields: Fields) => {
  const { name, path, description, visibility, default_branch: defaultBranch } = fields;
  const mergeWhenPipelineSucceeds = fields.only_allow_merge_if_pipeline_succeeds ?? fields.merge_when_pipeline_succeeds;
  const topics = fields.topics ?? fields.tag_list;
  const configPath = fields.ci_config_path;
  const merging = given({
    method: fields.merge_method,
    removeSourceBranch: fields.remove_source_branch_after_merge,
    autocloseIssues: fields.autoclose_referenced_issues,
    approvalsRequired: fields.approvals_before_merge,
    resetApprovalsOnPush: fields.reset_approvals_on_push,
    squash: fields.squash_option,
    tellsAfterPush: fields.printing_merge_request_link_enabled,
    discussionsMustBeResolved: fields.only_allow_merge_if_all_discussions_are_resolved,
  });
  return given({
    ...{ name, path, description, visibility, defaultBranch, mergeWhenPipelineSucceeds, merging },
    features: featuresIn(fields),
    topics: topics && topicsIn(topics),
    requestAccessEnabled: fields.request_access_enabled,
    ciConfigPath: configPath === undefined ? undefined : ciConfigPathIn(configPath),
  });
};

/** @throws HttpError 400 for a change of nothing. */
export const requireAny = (fields: Fields): void => {
  if (Object.keys(fields).length > 0) return;
  throw new HttpError(400, `${Object.keys(FIELDS).join(', ')} are missing, at least one parameter must be provided`);
};

export const creationBy = (creatorId: UserId, fields: Fields): CreateProjectCommand => {
  if (fields.name === undefined && fields.path === undefined) {
    throw new HttpError(400, 'name, path are missing, at least one parameter must be provided');
  }
  return {
    description: null,
    visibility: 'private',
    defaultBranch: null,
    mergeWhenPipelineSucceeds: false,
    ...changesIn(fields),
    creatorId,
  };
};
