const FEATURES = ['repository', 'issues', 'merge_requests', 'builds', 'forking', 'snippets', 'releases'];

// How open each part of a project is: to nobody, to its members, or as the project.
export const up = (knex) =>
  knex.schema.alterTable('projects', (table) => {
    for (const feature of FEATURES) table.text(`${feature}_access_level`).notNullable().defaultTo('enabled');
  });

// In SQL: on SQLite Knex would make the table anew, and the rows that refer to it would go.
export const down = async (knex) => {
  for (const feature of FEATURES) await knex.raw(`alter table projects drop column ${feature}_access_level`);
};
