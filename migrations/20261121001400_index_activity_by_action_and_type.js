const FEED_BY_ACTION = 'activity_events_feed_action_created_at_id_target_type_index';
const AUTHOR_BY_ACTION = 'activity_events_author_id_action_created_at_id_feed_target_type_index';

/** Both filters together begin an index of their own: few entries of a rare pair are not looked for among all of a common action. */
export const up = async (knex) => {
  // An index of millions of entries takes longer than any request may.
  if (knex.client.dialect === 'postgresql') await knex.raw('set local statement_timeout = 0');
  await knex.schema.alterTable('activity_events', (table) => {
    table.dropIndex([], FEED_BY_ACTION);
    table.dropIndex([], AUTHOR_BY_ACTION);
    table.dropIndex([], 'activity_events_of_author_by_action');
    table.index(['feed', 'action', 'created_at', 'id']);
    table.index(['feed', 'action', 'target_type', 'created_at', 'id']);
    table.index(['author_id', 'action', 'created_at', 'id', 'feed']);
    table.index(
      ['author_id', 'action', 'target_type', 'created_at', 'id', 'feed'],
      'activity_events_author_id_action_target_type_index',
    );
    table.index(['author_id', 'feed', 'action', 'created_at', 'id'], 'activity_events_of_author_by_action');
    table.index(
      ['author_id', 'feed', 'action', 'target_type', 'created_at', 'id'],
      'activity_events_of_author_by_action_and_type',
    );
  });
};

export const down = async (knex) => {
  if (knex.client.dialect === 'postgresql') await knex.raw('set local statement_timeout = 0');
  await knex.schema.alterTable('activity_events', (table) => {
    table.dropIndex([], 'activity_events_of_author_by_action_and_type');
    table.dropIndex([], 'activity_events_of_author_by_action');
    table.dropIndex([], 'activity_events_author_id_action_target_type_index');
    table.dropIndex(['author_id', 'action', 'created_at', 'id', 'feed']);
    table.dropIndex(['feed', 'action', 'target_type', 'created_at', 'id']);
    table.dropIndex(['feed', 'action', 'created_at', 'id']);
    table.index(['feed', 'action', 'created_at', 'id', 'target_type'], FEED_BY_ACTION);
    table.index(['author_id', 'action', 'created_at', 'id', 'feed', 'target_type'], AUTHOR_BY_ACTION);
    table.index(
      ['author_id', 'feed', 'action', 'created_at', 'id', 'target_type'],
      'activity_events_of_author_by_action',
    );
  });
};
