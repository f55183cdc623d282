export const tables = {
  jobs: (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('run_at').notNullable().index();
    table.timestamp('created_at').notNullable();
  },
};
