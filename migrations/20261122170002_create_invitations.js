// Compared by code point on both databases.
const keyText = (knex) => (knex.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

export const up = async (knex) => {
  await knex.schema.createTable('invitations', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.text('address').notNullable();
    table.specificType('address_key', keyText(knex)).notNullable();
    // Without an inviter somebody asked for it for themselves, and it leads to an account alone.
    table.bigInteger('inviter_id').references('users.id').onDelete('cascade');
    table.bigInteger('project_id').references('projects.id').onDelete('cascade');
    table.bigInteger('namespace_id').references('namespaces.id').onDelete('cascade');
    table.integer('access_level');
    // The day on which the membership ends.
    table.text('member_until');
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['address_key', 'created_at']);
    table.index(['inviter_id', 'created_at']);
    table.index(['project_id', 'id']);
    table.index(['namespace_id', 'id']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('invitations');
};
