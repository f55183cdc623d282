// What people say of a commit is notes, as what they say of anything else. A commit is a subject once somebody has talked about it.
const AT_ONCE = 500;
const NOBODY_KNOWS = '0'.repeat(40);

const createDiscussedCommits = (knex) =>
  knex.schema.createTable('discussed_commits', (table) => {
    // That of its subject.
    const id = knex.client.dialect === 'postgresql' ? table.bigInteger('id') : table.integer('id');
    id.notNullable().primary().references('subjects.id').onDelete('cascade');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.text('commit_id').notNullable();
    table.text('title').notNullable();
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.unique(['project_id', 'commit_id']);
  });

const subjectOf = async (knex, { project_id, commit_id }) => {
  const known = await knex('discussed_commits').where({ project_id, commit_id }).first('id');
  if (known !== undefined) return known.id;
  const [{ id }] = await knex('subjects').insert({ kind: 'commit', project_id }).returning('id');
  // Its message is in the repository, which nobody reads here.
  await knex('discussed_commits').insert({ id, project_id, commit_id, title: commit_id.slice(0, 8) });
  return id;
};

// What the lines were compared with was not kept.
const positionOf = ({ commit_id, path, line, line_type }) => {
  const number = Number(line);
  return JSON.stringify({
    baseSha: NOBODY_KNOWS,
    startSha: NOBODY_KNOWS,
    headSha: commit_id,
    oldPath: path,
    newPath: path,
    oldLine: line_type === 'old' ? number : null,
    newLine: line_type === 'old' ? null : number,
    first: null,
  });
};

const addNote = async (knex, comment) => {
  const { author_id, note: body, created_at, path } = comment;
  const subject_id = await subjectOf(knex, comment);
  const written = { subject_id, author_id, body, system: false, created_at, updated_at: created_at };
  const [{ id: first_note_id }] = await knex('notes').insert(written).returning('id');
  if (path === null) return;
  const [{ id: discussion_id }] = await knex('discussions').insert({ subject_id, first_note_id }).returning('id');
  await knex('notes').where({ id: first_note_id }).update({ discussion_id });
  const position = positionOf(comment);
  const place = { position, original: position, excerpt: '[]', outdated: false };
  await knex('discussion_positions').insert({ discussion_id, ...place });
};

export const up = async (knex) => {
  await createDiscussedCommits(knex);
  // The table stays for the release before, which asks for it.
  for (;;) {
    const comments = await knex('commit_comments').orderBy('id').limit(AT_ONCE);
    for (const comment of comments) await addNote(knex, comment);
    const ids = comments.map(({ id }) => id);
    await knex('commit_comments').whereIn('id', ids).delete();
    if (comments.length < AT_ONCE) return;
  }
};

const commentOf = ({ position, ...comment }) => {
  const { newPath, oldLine, newLine } = position === null ? {} : JSON.parse(position);
  if (newPath === undefined) return comment;
  return { ...comment, path: newPath, line: newLine ?? oldLine, line_type: newLine === null ? 'old' : 'new' };
};

export const down = async (knex) => {
  for (let after = 0; ;) {
    const notes = await knex('notes')
      .join('discussed_commits', 'discussed_commits.id', 'notes.subject_id')
      .leftJoin('discussion_positions', 'discussion_positions.discussion_id', 'notes.discussion_id')
      .where('notes.id', '>', after)
      .orderBy('notes.id')
      .limit(AT_ONCE)
      .select('notes.id', 'discussed_commits.project_id', 'commit_id', 'notes.author_id', 'created_at', 'position', {
        note: 'body',
      });
    for (const { id, ...note } of notes) {
      await knex('commit_comments').insert(commentOf(note));
      after = id;
    }
    if (notes.length < AT_ONCE) break;
  }
  await knex('subjects').where({ kind: 'commit' }).delete();
  await knex.schema.dropTable('discussed_commits');
};
