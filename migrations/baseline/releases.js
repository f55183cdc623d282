import { keyText, link, reference } from './columns.js';

export const tables = {
  releases: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'tag').notNullable();
    table.text('name').notNullable();
    table.text('description');
    // The commit that its tag led to.
    table.text('commit_id').notNullable();
    link(table, 'author_id', 'users').index();
    table.timestamp('released_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'tag']);
    table.index(['project_id', 'released_at', 'id']);
  },

  release_links: (table) => {
    table.bigIncrements('id');
    reference(table, 'release_id', 'releases').notNullable();
    table.text('name').notNullable();
    table.text('url').notNullable();
    table.text('path');
    table.text('link_type').notNullable();
    table.unique(['release_id', 'name']);
  },
};
