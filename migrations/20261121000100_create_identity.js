// Keys that are compared and sorted hold text that was case-folded by the service; they sort by code point on every database.
const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  await knex.schema.createTable('users', (table) => {
    table.bigIncrements('id');
    table.text('username').notNullable();
    table.specificType('username_key', keyText(knex)).notNullable().unique();
    table.text('name').notNullable();
    table.specificType('search_key', keyText(knex)).notNullable();
    table.text('state').notNullable();
    table.boolean('admin').notNullable();
    table.text('password_hash');
    table.integer('failed_attempts').notNullable();
    table.timestamp('locked_until');
    table.text('two_factor_sealed_secret');
    table.text('two_factor_recovery_digests');
    table.bigInteger('two_factor_last_time_step');
    table.timestamp('created_at').notNullable();
    table.timestamp('last_sign_in_at');
  });
  await knex.schema.createTable('emails', (table) => {
    table.bigIncrements('id');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.text('address').notNullable();
    table.specificType('address_key', keyText(knex)).notNullable().unique();
    table.boolean('is_primary').notNullable();
    table.timestamp('confirmed_at');
    table.timestamp('created_at').notNullable();
  });
  await knex.schema.createTable('personal_access_tokens', (table) => {
    table.bigIncrements('id');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.text('digest').notNullable().unique();
    table.text('name').notNullable();
    table.text('scopes').notNullable();
    table.text('expires_at');
    table.timestamp('revoked_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  });
  await knex.schema.createTable('sessions', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.text('stage').notNullable();
    table.text('data').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('last_seen_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  });
  await knex.schema.createTable('one_time_tokens', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.text('purpose').notNullable();
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.bigInteger('email_id').references('emails.id').onDelete('cascade').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  });
};

export const down = async (knex) => {
  for (const table of ['one_time_tokens', 'sessions', 'personal_access_tokens', 'emails', 'users']) {
    await knex.schema.dropTable(table);
  }
};
