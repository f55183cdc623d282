export const up = (knex) =>
  knex.schema.createTable('oauth_applications', (table) => {
    table.bigIncrements('id');
    table.text('uid').notNullable().unique();
    table.text('secret_digest').notNullable();
    table.text('name').notNullable();
    table.text('redirect_uris').notNullable();
    table.text('scopes').notNullable();
    table.boolean('confidential').notNullable();
    table.bigInteger('owner_id').references('users.id').onDelete('cascade').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  });

export const down = (knex) => knex.schema.dropTable('oauth_applications');
