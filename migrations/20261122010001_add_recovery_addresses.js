/**
 * Two accounts may have one address as long as neither has confirmed it; once one has, it belongs to that account alone.
 * `recovery_since` marks the addresses that a link for a new password may go to.
 */
export const up = async (knex) => {
  await knex.schema.alterTable('emails', (table) => {
    table.timestamp('recovery_since');
    table.dropUnique(['address_key']);
    table.unique(['user_id', 'address_key']);
    table.index(['address_key']);
  });
  // What served for recovery until now goes on doing so.
  await knex('emails')
    .where({ is_primary: true })
    .orWhereNotNull('confirmed_at')
    .update({ recovery_since: knex.ref('created_at') });
  await knex.raw(
    'create unique index emails_address_key_unique on emails (address_key) where confirmed_at is not null',
  );
};

export const down = async (knex) => {
  await knex.raw('drop index emails_address_key_unique');
  // Of several accounts the one that confirmed the address keeps it, else the first.
  await knex.raw(
    `delete from emails where exists (
       select 1 from emails other
       where other.address_key = emails.address_key and other.id <> emails.id
         and (other.confirmed_at is not null or (emails.confirmed_at is null and other.id < emails.id)))`,
  );
  await knex.schema.alterTable('emails', (table) => {
    table.dropIndex(['address_key']);
    table.dropUnique(['user_id', 'address_key']);
    table.unique(['address_key']);
    table.dropColumn('recovery_since');
  });
};
