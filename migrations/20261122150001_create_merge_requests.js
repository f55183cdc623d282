const PERSON = ['author_id', 'merged_by_id', 'closed_by_id'];

const createMergeRequests = (knex) =>
  knex.schema.createTable('merge_requests', (table) => {
    // That of its subject.
    const id = knex.client.dialect === 'postgresql' ? table.bigInteger('id') : table.integer('id');
    id.notNullable().primary().references('subjects.id').onDelete('cascade');
    // The project that it is to be merged into.
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.bigInteger('iid').notNullable();
    table.text('target_branch').notNullable();
    // Null once that fork is gone.
    table.bigInteger('source_project_id').references('projects.id').onDelete('set null');
    table.text('source_branch').notNullable();
    table.text('state').notNullable();
    table.boolean('draft').notNullable();
    for (const person of PERSON) table.bigInteger(person).references('users.id').onDelete('set null').index();
    table.bigInteger('milestone_id').references('milestones.id').onDelete('set null').index();
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
    table.unique(['project_id', 'iid']);
    const filters = ['state', 'draft', 'author_id', 'milestone_id'];
    table.index(['project_id', 'created_at', 'id', ...filters], 'merge_requests_of_project_by_creation');
    table.index(['project_id', 'updated_at', 'id', ...filters], 'merge_requests_of_project_by_change');
    table.index(['project_id', 'target_branch', 'state']);
    table.index(['source_project_id', 'source_branch', 'state']);
  });

export const up = async (knex) => {
  await createMergeRequests(knex);
  // Of a pair of branches one merge request is open at most.
  await knex.raw(
    `create unique index merge_requests_open_unique
     on merge_requests (project_id, target_branch, source_project_id, source_branch) where state = 'opened'`,
  );
  for (const people of ['merge_request_assignees', 'merge_request_reviewers']) {
    await knex.schema.createTable(people, (table) => {
      table.bigInteger('merge_request_id').notNullable().references('merge_requests.id').onDelete('cascade');
      table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
      table.primary(['merge_request_id', 'user_id']);
    });
  }
  await knex.schema.createTable('merge_request_approvals', (table) => {
    table.bigInteger('merge_request_id').notNullable().references('merge_requests.id').onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.timestamp('created_at').notNullable();
    table.primary(['merge_request_id', 'user_id']);
  });
  // What it would change, each time that its commits became others.
  await knex.schema.createTable('merge_request_versions', (table) => {
    table.bigIncrements('id');
    table.bigInteger('merge_request_id').notNullable().references('merge_requests.id').onDelete('cascade').index();
    table.text('base_sha').notNullable();
    table.text('start_sha').notNullable();
    table.text('head_sha').notNullable().index();
    table.integer('file_count').notNullable();
    table.boolean('overflow').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['merge_request_id', 'head_sha', 'base_sha']);
  });
  // The issues that its text names.
  await knex.schema.createTable('merge_request_issues', (table) => {
    table.bigInteger('merge_request_id').notNullable().references('merge_requests.id').onDelete('cascade');
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade').index();
    table.boolean('closes').notNullable();
    table.primary(['merge_request_id', 'issue_id']);
  });
  await knex.schema.alterTable('projects', (table) => {
    table.text('merge_method').notNullable().defaultTo('merge');
    table.boolean('remove_source_branch_after_merge').notNullable().defaultTo(true);
    table.boolean('autoclose_referenced_issues').notNullable().defaultTo(true);
    table.integer('approvals_before_merge').notNullable().defaultTo(0);
    table.boolean('reset_approvals_on_push').notNullable().defaultTo(true);
  });
};

export const down = async (knex) => {
  // By hand: on one of the databases the builder would write the table anew, and all that refers to it would go with the old one.
  const options = ['merge_method', 'remove_source_branch_after_merge', 'autoclose_referenced_issues'];
  for (const column of [...options, 'approvals_before_merge', 'reset_approvals_on_push'])
    await knex.raw(`alter table projects drop column ${column}`);
  const parts = ['issues', 'versions', 'approvals', 'reviewers', 'assignees'];
  for (const part of parts) await knex.schema.dropTable(`merge_request_${part}`);
  await knex.schema.dropTable('merge_requests');
};
