// Compared by code point on both databases.
const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  // Who did what from where. Entries name things and refer to none: they stay when what they tell of is gone.
  await knex.schema.createTable('audit_entries', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.bigInteger('author_id');
    table.text('author_name');
    table.specificType('author_key', keyText(knex)).notNullable();
    table.text('means').notNullable();
    table.text('acted_as');
    table.text('client_address');
    table.text('account');
    table.text('place');
    // Those of `account` and `place` that are given, folded, each between line feeds.
    table.specificType('about_key', keyText(knex)).notNullable();
    table.text('subject');
    table.text('detail');
    table.integer('times').notNullable();
    table.timestamp('created_at').notNullable().index();
    table.timestamp('last_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['author_key', 'id']);
    table.index(['kind', 'id']);
    table.index(['client_address', 'id']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('audit_entries');
};
