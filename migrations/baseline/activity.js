export const tables = {
  // Without foreign keys: an entry outlives what it tells of, and removing a project or a person must not touch a million rows at once.
  activity_events: (table) => {
    table.bigIncrements('id');
    // Twice the id of the project, and one more where only those see it who see confidential issues: an index knows by it who may see.
    table.bigInteger('feed').notNullable();
    table.bigInteger('author_id').notNullable();
    table.integer('action').notNullable();
    table.integer('target_type').notNullable();
    table.bigInteger('target_id');
    table.bigInteger('target_iid');
    table.text('target_title');
    table.bigInteger('subject_id');
    table.text('details');
    table.timestamp('created_at').notNullable();
    table.index(['created_at']);
    // Both filters together begin an index of their own: few entries of a rare pair are not looked for among all of a common action.
    table.index(['feed', 'created_at', 'id']);
    table.index(['feed', 'action', 'created_at', 'id']);
    table.index(['feed', 'target_type', 'created_at', 'id']);
    table.index(['feed', 'action', 'target_type', 'created_at', 'id']);
    table.index(['author_id', 'created_at', 'id', 'feed']);
    table.index(['author_id', 'action', 'created_at', 'id', 'feed']);
    table.index(['author_id', 'target_type', 'created_at', 'id', 'feed']);
    table.index(
      ['author_id', 'action', 'target_type', 'created_at', 'id', 'feed'],
      'activity_events_author_id_action_target_type_index',
    );
    // Whoever sees few of a person's feeds reads those alone, however much there is that they may not see.
    table.index(['author_id', 'feed', 'created_at', 'id'], 'activity_events_of_author_by_feed');
    table.index(['author_id', 'feed', 'action', 'created_at', 'id'], 'activity_events_of_author_by_action');
    table.index(['author_id', 'feed', 'target_type', 'created_at', 'id'], 'activity_events_of_author_by_type');
    table.index(
      ['author_id', 'feed', 'action', 'target_type', 'created_at', 'id'],
      'activity_events_of_author_by_action_and_type',
    );
  },

  // The projects whose second feed has ever had an entry: most have none, and are not asked for it.
  confidential_feeds: (table) => {
    table.bigInteger('feed').notNullable().primary();
  },
};

export const indexes = [
  'create index activity_events_of_issues on activity_events (subject_id, target_type, target_id) where subject_id is not null',
];
