// Older versions checked before they wrote, so that two writers at once, or a group that was narrowed, could leave something more
// visible than what holds it. Each such group or project takes the visibility of the narrowest group above it.

const rank = (column) => `case ${column} when 'public' then 20 when 'internal' then 10 else 0 end`;

const tooVisible = (knex, table, holder) =>
  knex(table).whereExists(
    knex('namespaces as holder')
      .whereRaw(`holder.id = ${table}.${holder}`)
      .whereRaw(`${rank(`${table}.visibility`)} > ${rank('holder.visibility')}`),
  );

const narrow = (knex, table, holder) =>
  tooVisible(knex, table, holder).update({
    visibility: knex.raw(`(select above.visibility from namespaces above where above.id = ${table}.${holder})`),
  });

export const up = async (knex) => {
  // From the top down: each pass narrows one more level.
  while ((await narrow(knex, 'namespaces', 'parent_id')) > 0);
  await narrow(knex, 'projects', 'namespace_id');
};

// What was more visible than its group is not remembered: it stays as visible as the group.
export const down = async () => undefined;
