// Lists of the pipelines of a project are narrowed down to those of a name, and most have none.
export const up = async (knex) => {
  await knex.raw('create index pipelines_of_a_name on pipelines (project_id, name, id) where name is not null');
};

export const down = async (knex) => {
  await knex.raw('drop index pipelines_of_a_name');
};
