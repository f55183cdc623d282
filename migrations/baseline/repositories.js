import { keyText, link, reference } from './columns.js';

export const tables = {
  // Objects that forks share: a store that never changes, and goes with the last of its members.
  object_pools: (table) => {
    table.bigIncrements('id');
    table.text('store').notNullable().unique();
    // The repository whose objects it got, which may be gone. No reference: members refer to pools.
    table.bigInteger('source_id').notNullable().index();
    table.timestamp('created_at').notNullable();
    // No new member joins from then on.
    table.timestamp('removal_requested_at');
    table.timestamp('packed_at');
    table.timestamp('replaced_at');
    table.timestamp('housekeeping_after');
  },

  repositories: (table) => {
    table.bigIncrements('id');
    // A repository outlives its project for as long as its folder is still to be removed.
    link(table, 'project_id', 'projects').unique();
    // The folder that holds its objects.
    table.text('store').notNullable().unique();
    // Counts the changes of refs, so that a projection knows which of them it has seen.
    table.bigInteger('refs_version').notNullable();
    // Who writes refs into the folder, and until when nobody else does.
    table.text('projecting_by');
    table.timestamp('projecting_until');
    table.bigInteger('size_bytes').notNullable();
    table.timestamp('pushed_at');
    table.timestamp('created_at').notNullable();
    link(table, 'pool_id', 'object_pools').index();
    // What came since its files were packed together last.
    table.bigInteger('unpacked_pushes').notNullable().defaultTo(0);
    table.bigInteger('unpacked_bytes').notNullable().defaultTo(0);
    // When what nothing leads to was last put apart, and at which version of the refs; null where some of it waits for its end.
    table.timestamp('repacked_at');
    table.bigInteger('repacked_version');
    // Packs that were replaced then are still to be removed.
    table.timestamp('replaced_at');
    // Not before then: it failed, or was only just done.
    table.timestamp('housekeeping_after');
    // When all was found well last.
    table.timestamp('checked_at');
  },

  // Code that is still to be copied into a project.
  code_copies: (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    link(table, 'source_id', 'projects').index();
    table.integer('attempts').notNullable();
    table.timestamp('due_at').notNullable().index();
  },

  refs: (table) => {
    reference(table, 'repository_id', 'repositories').notNullable();
    keyText(table, 'name').notNullable();
    table.text('target').notNullable();
    // What an annotated tag leads to in the end.
    table.text('peeled');
    table.timestamp('committed_at');
    table.primary(['repository_id', 'name']);
    table.index(['repository_id', 'committed_at', 'name']);
  },

  // Refs whose file doesn't say yet what their row says.
  stale_refs: (table) => {
    reference(table, 'repository_id', 'repositories').notNullable();
    keyText(table, 'name').notNullable();
    table.bigInteger('version').notNullable();
    table.primary(['repository_id', 'name']);
  },

  // What a ref lost by force or deletion stays for a while.
  kept_tips: (table) => {
    table.bigIncrements('id');
    reference(table, 'repository_id', 'repositories').notNullable().index();
    table.text('ref').notNullable();
    table.text('target').notNullable();
    table.timestamp('lost_at').notNullable().index();
  },

  protected_branches: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'name').notNullable();
    table.integer('push_level').notNullable();
    table.integer('merge_level').notNullable();
    table.boolean('allow_force_push').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  },

  protected_tags: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    keyText(table, 'name').notNullable();
    table.integer('create_level').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['project_id', 'name']);
  },

  commit_comments: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.text('commit_id').notNullable();
    link(table, 'author_id', 'users').index();
    table.text('note').notNullable();
    // The line of the commit's differences that it is about; null where it is about the commit as a whole.
    table.text('path');
    table.bigInteger('line');
    table.text('line_type');
    table.timestamp('created_at').notNullable();
    table.index(['project_id', 'commit_id', 'id']);
  },

  // What follows a change of code and has to read commits: it is done outside transactions, and by one node at a time.
  code_works: (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable().index();
    reference(table, 'user_id', 'users').notNullable().index();
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('run_at').notNullable().index();
    // Who does it, and until when nobody else does.
    table.text('held_by');
    table.timestamp('created_at').notNullable();
  },
};
