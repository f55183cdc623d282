import { reference } from './columns.js';

export const tables = {
  // What people talk about. Each has a row here, whatever its kind: what is said of it, who hears of it and which labels it has refer to
  // that row, and so does the row of its kind, which has the same id.
  subjects: (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    reference(table, 'project_id', 'projects').notNullable();
    table.index(['project_id', 'id']);
  },
};
