// What lists look at, filter by and sort by, beside the rows: one of the databases reads through the long texts of a row to whatever
// stands behind them, for every row that it looks at.
export const up = async (knex) => {
  await knex.schema.alterTable('issues', (table) => {
    const filters = ['state', 'confidential', 'author_id', 'kind', 'milestone_id'];
    table.index(['project_id', 'created_at', 'id', ...filters], 'issues_of_project_by_creation');
    table.index(['project_id', 'updated_at', 'id', ...filters], 'issues_of_project_by_change');
    table.index(
      ['author_id', 'created_at', 'id', 'project_id', 'state', 'confidential'],
      'issues_of_author_by_creation',
    );
    table.dropIndex('author_id');
  });
  await knex.schema.alterTable('notes', (table) => {
    table.index(['issue_id', 'created_at', 'id'], 'notes_of_issue_by_creation');
    table.index(['issue_id', 'updated_at', 'id'], 'notes_of_issue_by_change');
    table.index(['issue_id', 'system']);
    table.dropIndex('issue_id');
  });
};

export const down = async (knex) => {
  await knex.schema.alterTable('notes', (table) => {
    table.index('issue_id');
    table.dropIndex(['issue_id', 'system']);
    table.dropIndex([], 'notes_of_issue_by_change');
    table.dropIndex([], 'notes_of_issue_by_creation');
  });
  await knex.schema.alterTable('issues', (table) => {
    table.index('author_id');
    table.dropIndex([], 'issues_of_author_by_creation');
    table.dropIndex([], 'issues_of_project_by_change');
    table.dropIndex([], 'issues_of_project_by_creation');
  });
};
