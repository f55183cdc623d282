import { keyText, reference } from './columns.js';

export const tables = {
  invitations: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.text('address').notNullable();
    keyText(table, 'address_key').notNullable();
    // Without an inviter somebody asked for it for themselves, and it leads to an account alone.
    reference(table, 'inviter_id', 'users');
    reference(table, 'project_id', 'projects');
    reference(table, 'namespace_id', 'namespaces');
    table.integer('access_level');
    // The day on which the membership ends.
    table.text('member_until');
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['address_key', 'created_at']);
    table.index(['inviter_id', 'created_at']);
    table.index(['project_id', 'id']);
    table.index(['namespace_id', 'id']);
  },
};
