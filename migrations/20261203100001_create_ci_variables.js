import { keyText, reference } from './baseline/columns.js';

// What CI jobs are given as variables: of a project, of a group, or of the whole installation, where neither is named.
const TWINS = [
  'create unique index ci_variables_project_id_key_environment_scope_unique on ci_variables (project_id, key, environment_scope) where project_id is not null',
  'create unique index ci_variables_namespace_id_key_environment_scope_unique on ci_variables (namespace_id, key, environment_scope) where namespace_id is not null',
  'create unique index ci_variables_key_environment_scope_unique on ci_variables (key, environment_scope) where project_id is null and namespace_id is null',
];

export const up = async (knex) => {
  await knex.schema.createTable('ci_variables', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects');
    reference(table, 'namespace_id', 'namespaces');
    keyText(table, 'key').notNullable();
    table.text('sealed_value').notNullable();
    table.text('type').notNullable();
    table.boolean('protected').notNullable();
    table.boolean('masked').notNullable();
    table.boolean('raw').notNullable();
    keyText(table, 'environment_scope').notNullable();
    table.text('description');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['project_id', 'id']);
    table.index(['namespace_id', 'id']);
  });
  for (const twin of TWINS) await knex.raw(twin);
};

export const down = (knex) => knex.schema.dropTable('ci_variables');
