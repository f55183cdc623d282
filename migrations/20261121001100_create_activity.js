export const up = async (knex) => {
  // Without foreign keys: an entry outlives what it tells of, and removing a project or a person must not touch a million rows at once.
  await knex.schema.createTable('activity_events', (table) => {
    table.bigIncrements('id');
    // Twice the id of the project, and one more where only those see it who see confidential issues: an index knows by it who may see.
    table.bigInteger('feed').notNullable();
    table.bigInteger('author_id').notNullable();
    table.integer('action').notNullable();
    table.integer('target_type').notNullable();
    table.bigInteger('target_id');
    table.bigInteger('target_iid');
    table.text('target_title');
    table.bigInteger('issue_id');
    table.text('details');
    table.timestamp('created_at').notNullable();
    table.index(['feed', 'created_at', 'id']);
    // With the other filter at their end, so that both together need no more than the index.
    table.index(['feed', 'action', 'created_at', 'id', 'target_type']);
    table.index(['feed', 'target_type', 'created_at', 'id']);
    table.index(['author_id', 'created_at', 'id', 'feed']);
    table.index(['author_id', 'action', 'created_at', 'id', 'feed', 'target_type']);
    table.index(['author_id', 'target_type', 'created_at', 'id', 'feed']);
    table.index(
      ['author_id', 'feed', 'created_at', 'id', 'action', 'target_type'],
      'activity_events_of_author_by_feed',
    );
    table.index(['created_at']);
  });
  await knex.raw(
    'create index activity_events_of_issues on activity_events (issue_id, target_type, target_id) where issue_id is not null',
  );
  await knex.raw("create index projects_open_to_others on projects (id) where visibility <> 'private'");
  await knex.raw('create index projects_being_removed on projects (id) where removal_requested_at is not null');
  // The projects whose second feed has ever had an entry: most have none, and are not asked for it.
  await knex.schema.createTable('confidential_feeds', (table) => {
    table.bigInteger('feed').notNullable().primary();
  });
};

export const down = async (knex) => {
  await knex.raw('drop index projects_being_removed');
  await knex.raw('drop index projects_open_to_others');
  await knex.schema.dropTable('confidential_feeds');
  await knex.schema.dropTable('activity_events');
};
