import { idOfSubject, link, reference } from './columns.js';

export const tables = {
  milestones: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    table.text('state').notNullable();
    table.text('start_date');
    table.text('due_date');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['project_id', 'iid']);
    // Issues are asked for by the title of their milestone.
    table.unique(['project_id', 'title']);
  },

  issues: (table) => {
    idOfSubject(table);
    reference(table, 'project_id', 'projects').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('kind').notNullable();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    table.text('state').notNullable();
    table.text('severity');
    table.boolean('confidential').notNullable();
    table.text('due_date');
    link(table, 'author_id', 'users');
    link(table, 'closed_by_id', 'users').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('closed_at');
    link(table, 'milestone_id', 'milestones').index();
    // Where it went, what it repeats, and whether only members may comment on it.
    link(table, 'moved_to_id', 'issues');
    link(table, 'duplicated_to_id', 'issues');
    table.boolean('discussion_locked');
    table.unique(['project_id', 'iid']);
    // What lists look at, filter by and sort by, beside the rows: one of the databases reads through the long texts of a row to
    // whatever stands behind them, for every row that it looks at.
    const filters = ['state', 'confidential', 'author_id', 'kind', 'milestone_id'];
    table.index(['project_id', 'created_at', 'id', ...filters], 'issues_of_project_by_creation');
    table.index(['project_id', 'updated_at', 'id', ...filters], 'issues_of_project_by_change');
    table.index(
      ['author_id', 'created_at', 'id', 'project_id', 'state', 'confidential'],
      'issues_of_author_by_creation',
    );
  },

  issue_assignees: (table) => {
    reference(table, 'issue_id', 'issues').notNullable();
    reference(table, 'user_id', 'users').notNullable().index();
    table.primary(['issue_id', 'user_id']);
  },

  issue_links: (table) => {
    table.bigIncrements('id');
    // Of one issue that blocks another, the one that blocks.
    reference(table, 'source_id', 'issues').notNullable();
    reference(table, 'target_id', 'issues').notNullable().index();
    table.text('type').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['source_id', 'target_id']);
  },

  labels: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.text('name').notNullable();
    table.text('color').notNullable();
    table.text('description').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  },

  resource_events: (table) => {
    table.bigIncrements('id');
    reference(table, 'subject_id', 'subjects').notNullable();
    link(table, 'user_id', 'users').index();
    table.text('kind').notNullable();
    table.text('action').notNullable();
    // What was added or removed, as long as it is there.
    link(table, 'label_id', 'labels').index();
    link(table, 'milestone_id', 'milestones').index();
    table.timestamp('created_at').notNullable();
    table.index(['subject_id', 'kind', 'id']);
  },
};

export const indexes = [
  "create index issues_due on issues (due_date) where due_date is not null and state = 'opened'",
  'create index issues_moved_to_id_index on issues (moved_to_id) where moved_to_id is not null',
  'create index issues_duplicated_to_id_index on issues (duplicated_to_id) where duplicated_to_id is not null',
];
