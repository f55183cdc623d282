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
});
