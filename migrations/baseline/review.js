import { idOfSubject, link, reference } from './columns.js';

const people = (table) => {
  reference(table, 'merge_request_id', 'merge_requests').notNullable();
  reference(table, 'user_id', 'users').notNullable().index();
  table.primary(['merge_request_id', 'user_id']);
};

const indexMergeRequests = (table) => {
  table.unique(['project_id', 'iid']);
  const filters = ['state', 'draft', 'author_id', 'milestone_id'];
  table.index(['project_id', 'created_at', 'id', ...filters], 'merge_requests_of_project_by_creation');
  table.index(['project_id', 'updated_at', 'id', ...filters], 'merge_requests_of_project_by_change');
  table.index(['project_id', 'target_branch', 'state']);
  table.index(['source_project_id', 'source_branch', 'state']);
  const byState = ['project_id', 'state'];
  table.index([...byState, 'created_at', 'id'], 'merge_requests_of_project_by_state_and_creation');
  table.index([...byState, 'updated_at', 'id'], 'merge_requests_of_project_by_state_and_change');
  table.index(['author_id', 'created_at', 'id', 'state'], 'merge_requests_of_author_by_creation');
  table.index(['created_at', 'id', 'state'], 'merge_requests_by_creation');
};

export const tables = {
  merge_requests: (table) => {
    idOfSubject(table);
    // The project that it is to be merged into.
    reference(table, 'project_id', 'projects').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('target_branch').notNullable();
    // Null once that fork is gone.
    link(table, 'source_project_id', 'projects');
    table.text('source_branch').notNullable();
    table.text('state').notNullable();
    table.boolean('draft').notNullable();
    for (const person of ['author_id', 'merged_by_id', 'closed_by_id']) link(table, person, 'users').index();
    link(table, 'milestone_id', 'milestones').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('merged_at');
    table.timestamp('closed_at');
    // How it stands towards its target, as it was found for a pair of commits.
    table.text('source_sha');
    table.text('status').notNullable();
    table.text('checked_source');
    table.text('checked_target');
    table.integer('ahead').notNullable();
    table.integer('behind').notNullable();
    table.boolean('branches_there').notNullable();
    table.text('conflicts').notNullable();
    table.text('merge_error');
    table.boolean('squash').notNullable();
    table.boolean('remove_source_branch');
    table.boolean('source_branch_removed');
    table.boolean('allow_collaboration').notNullable();
    table.boolean('discussion_locked');
    table.text('merge_commit_sha').index();
    table.text('squash_commit_sha').index();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    indexMergeRequests(table);
  },

  merge_request_assignees: people,
  merge_request_reviewers: people,
  merge_request_approvals: (table) => {
    reference(table, 'merge_request_id', 'merge_requests').notNullable();
    reference(table, 'user_id', 'users').notNullable().index();
    table.timestamp('created_at').notNullable();
    table.primary(['merge_request_id', 'user_id']);
  },

  // What it would change, each time that its commits became others. A branch that is pushed back to an earlier commit shows what it
  // showed then, and that is its newest version again.
  merge_request_versions: (table) => {
    table.bigIncrements('id');
    reference(table, 'merge_request_id', 'merge_requests').notNullable().index();
    table.text('base_sha').notNullable();
    table.text('start_sha').notNullable();
    table.text('head_sha').notNullable().index();
    table.integer('file_count').notNullable();
    table.boolean('overflow').notNullable();
    table.timestamp('created_at').notNullable();
  },

  // A commit is a subject once somebody has talked about it.
  discussed_commits: (table) => {
    idOfSubject(table);
    reference(table, 'project_id', 'projects').notNullable();
    table.text('commit_id').notNullable();
    table.text('title').notNullable();
    link(table, 'author_id', 'users').index();
    table.unique(['project_id', 'commit_id']);
  },

  // The issues that its text names.
  merge_request_issues: (table) => {
    reference(table, 'merge_request_id', 'merge_requests').notNullable();
    reference(table, 'issue_id', 'issues').notNullable().index();
    table.boolean('closes').notNullable();
    table.primary(['merge_request_id', 'issue_id']);
  },
};

export const indexes = [
  // Of a pair of branches one merge request is open at most.
  `create unique index merge_requests_open_unique
   on merge_requests (project_id, target_branch, source_project_id, source_branch) where state = 'opened'`,
];
