// What people say of a project's snippets refers to a subject, which each of them has.
const AT_ONCE = 500;

const giveSubjects = async (knex) => {
  for (;;) {
    const snippets = await knex('snippets')
      .whereNotNull('project_id')
      .whereNull('subject_id')
      .orderBy('id')
      .limit(AT_ONCE)
      .select('id', 'project_id');
    for (const { id, project_id } of snippets) {
      const [row] = await knex('subjects').insert({ kind: 'snippet', project_id }).returning('id');
      await knex('snippets').where({ id }).update({ subject_id: row.id });
    }
    if (snippets.length < AT_ONCE) return;
  }
};

export const up = async (knex) => {
  // By hand: the builder would copy the whole table on one of the databases.
  await knex.raw(
    'alter table snippets add column subject_id bigint constraint snippets_subject_id_foreign references subjects (id) on delete set null',
  );
  await knex.raw('create unique index snippets_subject_id_unique on snippets (subject_id)');
  await giveSubjects(knex);
};

export const down = async (knex) => {
  await knex.raw('drop index snippets_subject_id_unique');
  await knex.raw('alter table snippets drop column subject_id');
  await knex('subjects').where({ kind: 'snippet' }).delete();
};
