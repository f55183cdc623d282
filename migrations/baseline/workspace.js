import { keyText, link, reference } from './columns.js';

const members = (owner, owners) => (table) => {
  table.bigIncrements('id');
  reference(table, owner, owners).notNullable();
  reference(table, 'user_id', 'users').notNullable().index();
  table.integer('access_level').notNullable();
  table.text('expires_at').index();
  table.timestamp('created_at').notNullable();
  table.unique([owner, 'user_id']);
};

export const tables = {
  // Groups and people's own namespaces share one table, so that one unique index guards every first part of a path.
  namespaces: (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    reference(table, 'owner_id', 'users').unique();
    reference(table, 'parent_id', 'namespaces').index();
    table.text('name').notNullable();
    keyText(table, 'name_key').notNullable();
    table.text('path').notNullable();
    table.text('full_path').notNullable();
    keyText(table, 'full_path_key').notNullable().unique();
    table.text('full_name').notNullable();
    table.text('description').notNullable();
    table.text('visibility').notNullable();
    table.timestamp('removal_requested_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  },

  projects: (table) => {
    table.bigIncrements('id');
    reference(table, 'namespace_id', 'namespaces').notNullable().index();
    table.text('name').notNullable();
    keyText(table, 'name_key').notNullable();
    table.text('path').notNullable();
    table.text('full_path').notNullable();
    keyText(table, 'full_path_key').notNullable().unique();
    keyText(table, 'search_key').notNullable();
    table.text('description');
    table.text('visibility').notNullable();
    table.text('default_branch');
    table.boolean('archived').notNullable();
    table.boolean('merge_when_pipeline_succeeds').notNullable();
    link(table, 'creator_id', 'users').index();
    table.timestamp('removal_requested_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('last_activity_at').notNullable();
    table.text('merge_method').notNullable().defaultTo('merge');
    table.boolean('remove_source_branch_after_merge').notNullable().defaultTo(true);
    table.boolean('autoclose_referenced_issues').notNullable().defaultTo(true);
    table.integer('approvals_before_merge').notNullable().defaultTo(0);
    table.boolean('reset_approvals_on_push').notNullable().defaultTo(true);
    table.boolean('discussions_must_be_resolved').notNullable().defaultTo(false);
    // Whether commits become one when they are merged: never, always, or as whoever opens it says, with a default.
    table.text('squash_option').notNullable().defaultTo('default_off');
    // Whether a push is answered with the address of the merge request of its branch.
    table.boolean('printing_merge_request_link_enabled').notNullable().defaultTo(true);
    table.unique(['namespace_id', 'name_key']);
  },

  group_members: members('namespace_id', 'namespaces'),
  project_members: members('project_id', 'projects'),

  project_stars: (table) => {
    reference(table, 'project_id', 'projects').notNullable();
    reference(table, 'user_id', 'users').notNullable();
    table.timestamp('created_at').notNullable();
    table.primary(['project_id', 'user_id']);
    table.index(['user_id', 'project_id']);
  },

  project_forks: (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    // Null once the source is gone, or the two were told apart.
    link(table, 'source_id', 'projects').index();
    table.text('import_state').notNullable();
    table.text('import_error');
    table.timestamp('created_at').notNullable();
  },

  // The numbers that people see, counted within a project.
  project_counters: (table) => {
    reference(table, 'project_id', 'projects').notNullable();
    table.text('kind').notNullable();
    table.bigInteger('last_number').notNullable();
    table.primary(['project_id', 'kind']);
  },
};

export const indexes = [
  "create index projects_open_to_others on projects (id) where visibility <> 'private'",
  'create index projects_being_removed on projects (id) where removal_requested_at is not null',
];
