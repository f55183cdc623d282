export const up = (knex) =>
  knex.schema.createTable('resource_events', (table) => {
    table.bigIncrements('id');
    table.bigInteger('subject_id').notNullable().references('subjects.id').onDelete('cascade');
    table.bigInteger('user_id').references('users.id').onDelete('set null').index();
    table.text('kind').notNullable();
    table.text('action').notNullable();
    // What was added or removed, as long as it is there.
    table.bigInteger('label_id').references('labels.id').onDelete('set null').index();
    table.bigInteger('milestone_id').references('milestones.id').onDelete('set null').index();
    table.timestamp('created_at').notNullable();
    table.index(['subject_id', 'kind', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('resource_events');
