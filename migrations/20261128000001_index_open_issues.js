// A project says how many of its issues are open, however many are closed.
export const up = async (knex) => {
  await knex.raw("create index issues_that_are_open on issues (project_id, confidential) where state = 'opened'");
};

export const down = async (knex) => {
  await knex.raw('drop index issues_that_are_open');
};
