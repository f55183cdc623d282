const LISTS = {
  merge_requests_of_project_by_state_and_creation: ['project_id', 'state', 'created_at', 'id'],
  merge_requests_of_project_by_state_and_change: ['project_id', 'state', 'updated_at', 'id'],
  merge_requests_of_author_by_creation: ['author_id', 'created_at', 'id', 'state'],
  merge_requests_by_creation: ['created_at', 'id', 'state'],
};

export const up = (knex) =>
  knex.schema.alterTable('merge_requests', (table) => {
    for (const [name, columns] of Object.entries(LISTS)) table.index(columns, name);
  });

export const down = (knex) =>
  knex.schema.alterTable('merge_requests', (table) => {
    for (const [name, columns] of Object.entries(LISTS)) table.dropIndex(columns, name);
  });
