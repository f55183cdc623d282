import { expect, it } from '@jest/globals';
import { CI_FILE } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const JOB = 'test:\n  script: [true]\n';

describeWriting('a commit by the API', (writing) => {
  /** Names of the branches that pipelines were made for, oldest first. */
  const pipelinesOf = async (loom: WrittenProject): Promise<readonly string[]> => {
    await pushesFollowed(writing.service);
    const { body } = await loom.call<{ ref: string }[]>('GET', '/pipelines?order_by=id&sort=asc');
    return body.map(({ ref }) => ref);
  };

  it.each([CI_FILE, '.platform-ci.yml'])(
    'makes a pipeline where it has a %s, whichever commit that came with',
    async (file) => {
      const loom = await writing.newProject();
      await loom.write('main', { 'README.md': 'Loom' });
      expect(await pipelinesOf(loom)).toEqual([]);
      await loom.write('main', { [file]: JOB });
      await loom.write('main', { 'src/loom.txt': 'warp' });
      await loom.write('later', { 'later.txt': 'weft' }, { start_branch: 'main' });
      expect(await pipelinesOf(loom)).toEqual(['main', 'main', 'later']);
    },
  );

  it('makes none once it has taken the CI file away', async () => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI_FILE]: JOB });
    await loom.commit('main', 'Remove it', [{ action: 'delete', file_path: CI_FILE }]);
    await loom.commit('main', 'Move it back', [{ action: 'create', file_path: 'other.yml', content: JOB }]);
    await loom.commit('main', 'Move it', [{ action: 'move', file_path: CI_FILE, previous_path: 'other.yml' }]);
    expect(await pipelinesOf(loom)).toEqual(['main', 'main']);
  });

  it('makes a pipeline where its project says that the file is elsewhere', async () => {
    const loom = await writing.newProject({ ci_config_path: 'ci/main.yml' });
    await loom.write('main', { 'ci/main.yml': JOB });
    await loom.write('main', { 'src/loom.txt': 'warp' });
    expect(await pipelinesOf(loom)).toEqual(['main', 'main']);
  });
});
