import { keyText, link, reference } from './columns.js';

export const tables = {
  snippets: (table) => {
    table.bigIncrements('id');
    // Of a project, or of a person: it goes with what it is of.
    reference(table, 'project_id', 'projects');
    reference(table, 'owner_id', 'users');
    link(table, 'author_id', 'users').index();
    table.text('title').notNullable();
    table.text('search_key').notNullable();
    table.text('description');
    table.text('visibility').notNullable();
    // What it was made with, and from where: for administrators who look for abuse.
    table.text('creator_user_agent');
    table.text('creator_address');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    // What people say of a project's snippet refers to its subject.
    link(table, 'subject_id', 'subjects');
    table.index(['project_id', 'id']);
    table.index(['owner_id', 'id']);
    table.check('(project_id is null) <> (owner_id is null)', [], 'snippets_of_a_project_or_a_person');
  },

  snippet_files: (table) => {
    table.bigIncrements('id');
    reference(table, 'snippet_id', 'snippets').notNullable();
    keyText(table, 'path').notNullable();
    table.text('content').notNullable();
    // How large the content is in UTF-8.
    table.integer('bytes').notNullable();
    table.unique(['snippet_id', 'path']);
  },
};

export const indexes = [
  'create index snippets_open_of_people on snippets (visibility, id) where project_id is null',
  'create unique index snippets_subject_id_unique on snippets (subject_id)',
];
