import { expect, it } from '@jest/globals';
import { CI_FILE, jobsOfNewest } from '../support/ci-project.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const changed = (name: string, paths: string, to: string): string =>
  `${name}: {script: make, rules: [{changes: {paths: [${paths}], compare_to: ${to}}}]}\n`;
const ALWAYS = 'always: {script: make}\n';

describeWriting('changes that are compared to a branch, tag or commit', (writing) => {
  /** On `topic`, `src/a` has changed since `main`, and `docs/b` on `main` since then. */
  const project = async (text: string) => {
    const loom = await writing.newProject();
    const { id } = await loom.write('main', { 'docs/b': 'b', 'src/a': 'a', [CI_FILE]: text });
    await loom.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    await loom.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    await loom.commit('topic', 'Change it', [{ action: 'update', file_path: 'src/a', content: 'other' }]);
    await loom.commit('main', 'Go on', [{ action: 'update', file_path: 'docs/b', content: 'other' }]);
    return { loom, id };
  };
  const asked = async (loom: WrittenProject, more: object = {}) => {
    const made = await loom.call<{ id: number; message?: unknown }>('POST', '/pipeline', { ref: 'topic', ...more });
    if (made.status !== 201) return made.body.message;
    const { body } = await loom.call<{ name: string }[]>('GET', `/pipelines/${made.body.id}/jobs`);
    return body.map(({ name }) => name).sort();
  };

  it('are those since both parted, though nobody pushed', async () => {
    const text = [
      ALWAYS,
      changed('source', 'src/*', 'main'),
      changed('docs', 'docs/*', 'refs/heads/main'),
      changed('tagged', 'src/*', 'v1'),
      changed('variable', 'src/*', '$BASE'),
      'variables: {BASE: main}\n',
    ].join('');
    const { loom } = await project(text);
    expect(await asked(loom)).toEqual(['always', 'source', 'tagged', 'variable']);
    expect(await asked(loom, { variables: [{ key: 'BASE', value: 'topic' }] })).toEqual(['always', 'source', 'tagged']);
  });

  it('may be since a commit, by its whole id', async () => {
    const { loom, id } = await project(ALWAYS);
    const update = (to: string) =>
      loom.commit('topic', 'Say it', [
        { action: 'update', file_path: CI_FILE, content: ALWAYS + changed('source', 'src/*', to) },
      ]);
    await update(`"${id}"`);
    expect(await jobsOfNewest(writing, loom)).toEqual(['always', 'source']);
    await update('topic');
    expect(await jobsOfNewest(writing, loom)).toEqual(['always']);
  });

  it('are asked for only where the `if` beside them holds, also by a variable of the job', async () => {
    const rule = (condition: string, to: string) =>
      `rules: [{if: '${condition}', changes: {paths: ['src/*'], compare_to: ${to}}}]`;
    const text = [
      ALWAYS,
      `merging: {script: make, ${rule('$CI_MERGE_REQUEST_IID', 'refs/heads/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME')}}\n`,
      `own: {script: make, variables: {SIDE: weft}, ${rule('$SIDE == "weft"', 'main')}}\n`,
    ].join('');
    const { loom } = await project(text);
    expect(await asked(loom)).toEqual(['always', 'own']);
  });

  it('are told as what is wrong with the file where there is nothing to compare to, or too much', async () => {
    const { loom } = await project(ALWAYS + changed('x', 'a', 'nowhere'));
    expect(await asked(loom)).toEqual({ base: ['rules:changes:compare_to is not a valid ref'] });
    const many = Array.from({ length: 6 }, (_, at) => changed(`x${at}`, 'a', `b${at}`)).join('');
    const { loom: other } = await project(many);
    expect(await asked(other)).toEqual({ base: ['rules:changes:compare_to names more than 5 refs'] });
  });

  const included = (path: string, to: string): string =>
    `include: [{local: one.yml, rules: [{changes: {paths: [${path}], compare_to: ${to}}}]}]\n${ALWAYS}`;

  it('decide about files that are included, too', async () => {
    const { loom } = await project(ALWAYS);
    const say = async (text: string) => {
      const files = [{ action: 'update', file_path: CI_FILE, content: text }];
      await loom.commit('topic', 'Say it', files);
      return asked(loom, { variables: [{ key: 'BASE', value: 'main' }] });
    };
    await loom.commit('topic', 'One', [{ action: 'create', file_path: 'one.yml', content: 'one: {script: make}' }]);
    expect(await say(included('src/*', '$BASE'))).toEqual(['always', 'one']);
    expect(await say(included('docs/*', 'main'))).toEqual(['always']);
    expect(await say(included('src/*', 'nowhere'))).toEqual({
      base: ['include:rules:changes:compare_to is not a valid ref'],
    });
    const many = Array.from(
      { length: 6 },
      (_, at) => `{changes: {paths: [none], compare_to: "$BASE${'$NONE'.repeat(at)}"}}`,
    );
    expect(await say(`include: [{local: one.yml, rules: [${many.join()}]}]\n${ALWAYS}`)).toEqual(['always']);
    const shas = ['v1', 'main', 'topic', 'refs/heads/main', 'refs/heads/topic', 'refs/tags/v1'];
    const each = shas.map((ref) => `{changes: {paths: [none], compare_to: ${ref}}}`).join();
    expect(await say(`include: [{local: one.yml, rules: [${each}]}]\n${ALWAYS}`)).toEqual({
      base: ['include:rules:changes:compare_to names more than 5 refs'],
    });
  });

  it('are looked at by lint where a pipeline is planned', async () => {
    const { loom } = await project(ALWAYS);
    const lint = async (content: string) => {
      const sent = { content, dry_run: true, include_jobs: true, ref: 'topic' };
      const { body } = await loom.call<{ errors: string[]; jobs: { name: string }[] }>('POST', '/ci/lint', sent);
      return body.errors.length > 0 ? body.errors : body.jobs.map(({ name }) => name).sort();
    };
    const text = ALWAYS + changed('source', 'src/*', 'main') + changed('docs', 'docs/*', 'main');
    expect(await lint(text)).toEqual(['always', 'source']);
    expect(await lint(ALWAYS + changed('x', 'a', 'nowhere'))).toEqual(['rules:changes:compare_to is not a valid ref']);
    await loom.commit('topic', 'One', [{ action: 'create', file_path: 'one.yml', content: 'one: {script: make}' }]);
    expect(await lint(included('src/*', 'main'))).toEqual(['always', 'one']);
    expect(await lint(included('docs/*', 'main'))).toEqual(['always']);
  });
});
