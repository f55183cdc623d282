export const up = async (knex) => {
  // The numbers that people see, counted within a project.
  await knex.schema.createTable('project_counters', (table) => {
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.text('kind').notNullable();
    table.bigInteger('last_number').notNullable();
    table.primary(['project_id', 'kind']);
  });
  await knex.schema.createTable('issues', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.bigInteger('iid').notNullable();
    table.text('kind').notNullable();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    table.text('state').notNullable();
    table.text('severity');
    table.boolean('confidential').notNullable();
    table.text('due_date');
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.bigInteger('closed_by_id').references('users.id').onDelete('set null').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.timestamp('closed_at');
    table.unique(['project_id', 'iid']);
  });
  await knex.schema.createTable('issue_assignees', (table) => {
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.primary(['issue_id', 'user_id']);
  });
  await knex.schema.createTable('labels', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.text('name').notNullable();
    table.text('color').notNullable();
    table.text('description').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  });
  await knex.schema.createTable('issue_labels', (table) => {
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade');
    table.bigInteger('label_id').notNullable().references('labels.id').onDelete('cascade').index();
    table.primary(['issue_id', 'label_id']);
  });
  await knex.schema.createTable('notes', (table) => {
    table.bigIncrements('id');
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade').index();
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.text('body').notNullable();
    table.boolean('system').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  });
};

export const down = async (knex) => {
  for (const table of ['notes', 'issue_labels', 'labels', 'issue_assignees', 'issues', 'project_counters']) {
    await knex.schema.dropTable(table);
  }
};
