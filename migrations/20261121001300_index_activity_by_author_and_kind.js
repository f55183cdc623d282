/** Whoever sees few of a person's feeds reads those alone, by kind too, however much there is that he may not see. */
export const up = async (knex) => {
  // An index of millions of entries takes longer than any request may.
  if (knex.client.dialect === 'postgresql') await knex.raw('set local statement_timeout = 0');
  await knex.schema.alterTable('activity_events', (table) => {
    table.dropIndex([], 'activity_events_of_author_by_feed');
    table.index(['author_id', 'feed', 'created_at', 'id'], 'activity_events_of_author_by_feed');
    table.index(
      ['author_id', 'feed', 'action', 'created_at', 'id', 'target_type'],
      'activity_events_of_author_by_action',
    );
    table.index(['author_id', 'feed', 'target_type', 'created_at', 'id'], 'activity_events_of_author_by_type');
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('activity_events', (table) => {
    table.dropIndex([], 'activity_events_of_author_by_type');
    table.dropIndex([], 'activity_events_of_author_by_action');
    table.dropIndex([], 'activity_events_of_author_by_feed');
    table.index(
      ['author_id', 'feed', 'created_at', 'id', 'action', 'target_type'],
      'activity_events_of_author_by_feed',
    );
  });
};
