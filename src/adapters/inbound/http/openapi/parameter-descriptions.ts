/**
 * What parameters mean that many routes share, by name; where a name means different things, by the tag of the operation. A declaration
 * that describes a parameter itself is not asked for here.
 */
type Words = string | Readonly<Record<string, string>>;

const MAIL_OF = 'Whether to be mailed, at the level `custom`, when ';

const DESCRIPTIONS: Readonly<Record<string, Words>> = {
  access_level: '10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
  action: 'Only entries of this action',
  active: 'Whether it takes alerts',
  admin: 'Whether they administer the installation',
  api_url: {
    'Alert integrations': 'Of a link: the product that alerts are in',
    'Error tracking': 'The API of the tracker',
  },
  archived: {
    Projects: 'Whether the project is archived',
    Groups: 'Only projects that are archived, or that are not',
    Users: 'Only projects that are archived, or that are not',
  },
  assignee_id: 'Id of a user who is assigned; 0 for nobody',
  assignee_ids: 'Ids of the users who are assigned; 0 for nobody',
  author_id: 'Only those that this user wrote',
  body: 'The text, in Markdown',
  client_id: 'The application, where it does not say so by HTTP Basic',
  client_secret: 'The secret of a confidential application, where it does not say so by HTTP Basic',
  close_issue: `${MAIL_OF}an issue is closed`,
  close_merge_request: `${MAIL_OF}a merge request is closed`,
  code_challenge_method: '`S256`, beside a `code_challenge`',
  confidential: 'Whether only members from Reporter up, the author and the assignees see it',
  ci_config_path:
    'Where its CI file is: a path in its repository, or `path@group/project:ref` for a file of another project; empty for one of the usual names',
  default_branch: 'The branch that is shown first',
  description: 'In Markdown',
  email: 'An e-mail address',
  environment: 'Only alerts of this environment',
  event: 'The event that is asked about',
  expires_at: {
    'SSH keys': 'Until when it is good: YYYY-MM-DD, or an instant (ISO 8601); for ever when absent or null',
    'Deploy keys': 'Until when it is good: YYYY-MM-DD, or an instant (ISO 8601); for ever when absent or null',
    'Deploy tokens': 'Until when it is good: YYYY-MM-DD, or an instant (ISO 8601); for ever when absent or null',
    'Personal access tokens': 'The UTC day on which it stops working, YYYY-MM-DD; never when absent or null',
    'Access tokens of projects and groups':
      'The UTC day on which it stops working, YYYY-MM-DD; never when absent or null',
    'Project members': 'The UTC day on which the membership ends, YYYY-MM-DD; null for never',
    'Group members': 'The UTC day on which the membership ends, YYYY-MM-DD; null for never',
  },
  failed_pipeline: `${MAIL_OF}a pipeline fails`,
  fixed_pipeline: `${MAIL_OF}a pipeline succeeds after one that failed`,
  grant_type: 'The flow (RFC 6749 §4, §6)',
  group_id: 'Id or path of the group that will hold it; without one it moves to the top',
  id_after: 'Only those with a larger id',
  id_before: 'Only those with a smaller id',
  include_subgroups: 'Whether the projects of groups below are listed, too',
  issue_due: `${MAIL_OF}an issue is due tomorrow`,
  issue_type: '`issue` or `incident`',
  merge_merge_request: `${MAIL_OF}a merge request is merged`,
  merge_when_pipeline_succeeds: 'Whether merge requests are merged only after their pipeline has succeeded',
  min_access_level: 'Only those in which the caller has at least this access level',
  mirror_branch_regex: 'Refused: there are no such patterns here',
  moved_project: `${MAIL_OF}a project is moved`,
  name: {
    Users: 'The full name',
    Groups: 'The name that people read',
    Projects: 'The name that people read; made of `path` when absent',
    Applications: 'The name that people read when they are asked for consent',
    Labels: 'The name of the label',
    'Alert integrations': 'The name that people read',
    Badges: 'What it is called: people read it where they see no picture',
    'Personal access tokens': 'What the token is for',
  },
  new_epic: `${MAIL_OF}an epic is opened`,
  new_issue: `${MAIL_OF}an issue is opened`,
  new_merge_request: `${MAIL_OF}a merge request is opened`,
  new_name: 'The new name of the label',
  new_note: `${MAIL_OF}somebody comments`,
  order_by: 'What the list is ordered by',
  parent_id: 'Id of the group that will hold it; at the top when absent',
  password: 'At least 8 characters',
  path: {
    Groups: 'The segment of its address',
    Projects: 'The segment of its address; made of `name` when absent',
  },
  priority: 'The least number matters most; null takes it away',
  project_name: 'The project in the tracker',
  push_events_branch_filter: 'Only pushes to these branches; `*` stands for any text',
  push_to_merge_request: `${MAIL_OF}somebody pushes to a merge request`,
  reassign_issue: `${MAIL_OF}an issue is assigned to somebody else`,
  reassign_merge_request: `${MAIL_OF}a merge request is assigned to somebody else`,
  reopen_issue: `${MAIL_OF}an issue is reopened`,
  reopen_merge_request: `${MAIL_OF}a merge request is reopened`,
  response_type: '`code`, or `token` for the implicit flow',
  scope: '`created_by_me`, `assigned_to_me` or `all`',
  scopes: 'What it may do',
  sentry_external_url: 'The same as `tracker_external_url`, by the name that older clients use',
  severity: 'Only alerts of this severity',
  skip_groups: 'Ids of groups that are left out',
  sort: 'Ascending or descending',
  state: 'Only those in this state',
  state_event: 'Closes it or opens it again',
  status: { Alerts: 'Any status follows any other' },
  success_pipeline: `${MAIL_OF}a pipeline succeeds`,
  target_type: 'Only entries about this kind of thing',
  title: 'One line',
  token: {
    'Error tracking': 'The token for the API of the tracker; it is never shown again',
    Webhooks: 'The secret token, sent as `X-Gitlab-Token` and never answered',
  },
  top_level_only: 'Only groups that no group holds',
  tracker_external_url: 'Where people open the tracker; made of `api_url` when absent',
  trigger: 'The event that is made up, by the name of its flag',
  type: { 'Alert integrations': 'Which payloads it takes; `link` takes none' },
  username: 'The name to sign in with, and the first segment of their addresses',
  visibility: '`private`: members; `internal`: everybody who is signed in; `public`: everybody',
};

/** @returns undefined where nothing is known of a name. */
export const descriptionOf = (name: string, tag: string): string | undefined => {
  const words = Object.hasOwn(DESCRIPTIONS, name) ? DESCRIPTIONS[name] : undefined;
  return typeof words === 'object' ? words[tag] : words;
};
