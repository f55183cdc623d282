// A project that uses a milestone of a group has a row of its own for it among its milestones, which says of which it is: so whatever asks for
// milestones by their project goes on, and an older program beside this one takes it for a milestone of the project.
export const up = async (knex) => {
  // In SQL: on SQLite Knex would make the table anew for a column that refers to another.
  await knex.raw(
    'alter table milestones add column group_milestone_id bigint references group_milestones (id) on delete cascade',
  );
  await knex.raw(
    'create unique index milestones_group_milestone_id_project_id_unique on milestones (group_milestone_id, project_id) where group_milestone_id is not null',
  );
};

export const down = async (knex) => {
  await knex.raw('drop index milestones_group_milestone_id_project_id_unique');
  // Projects keep those that they use, as their own.
  await knex.raw('alter table milestones drop column group_milestone_id');
};
