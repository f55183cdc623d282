// A top-level group has an owner whose membership doesn't end. Where all of them end one day, the one that ends last stays; with several
// of that day, the one who has been an owner for longest. A group whose owners have all gone is left to an administrator: a membership
// that has ended is not given back.

const OWNER = 50;

export const up = async (knex) => {
  const today = new Date().toISOString().slice(0, 10);
  const lasting = knex('group_members as lasting')
    .whereRaw('lasting.namespace_id = namespaces.id')
    .where('lasting.access_level', OWNER)
    .whereNull('lasting.expires_at');
  const ending = await knex('group_members')
    .join('namespaces', 'namespaces.id', 'group_members.namespace_id')
    .where('namespaces.kind', 'group')
    .whereNull('namespaces.parent_id')
    .where('group_members.access_level', OWNER)
    .where('group_members.expires_at', '>', today)
    .whereNotExists(lasting)
    .orderBy([
      { column: 'group_members.expires_at', order: 'desc' },
      { column: 'group_members.id', order: 'asc' },
    ])
    .select({ id: 'group_members.id', group: 'group_members.namespace_id' });
  const kept = new Map();
  for (const { id, group } of ending) if (!kept.has(group)) kept.set(group, id);
  for (const id of kept.values()) await knex('group_members').where({ id }).update({ expires_at: null });
};

// Which membership would have ended is not remembered: it stays.
export const down = async () => undefined;
