import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storeOf } from '../support/git-service.js';
import { git, newStoreName, removeFolder, temporaryFolder } from '../support/git.js';
import { describeMergedTrees } from '../support/merged-trees.js';
import { GrownHistories, HISTORY } from '../support/random-histories.js';
import { describeWriting } from '../support/written-project.js';

const HISTORIES = Number(process.env['GATEHOUSE_MERGED_HISTORIES'] ?? '600');
/** Each is two pushes and a merge request. */
const REQUESTS = Number(process.env['GATEHOUSE_MERGED_REQUESTS'] ?? '80');

describeMergedTrees(HISTORIES);

describeWriting('merge requests of random histories', (writing) => {
  it(`give the tree of \`git merge\`, or name the files that it leaves to people, ${REQUESTS} times`, async () => {
    const loom = await writing.newProject();
    await loom.write('main', { 'README.md': '# Loom\n' });
    const own = `${temporaryFolder()}/${newStoreName()}.git`;
    await git(['init', '--quiet', '--bare', own]);
    const grown = await GrownHistories.beside(own);
    const served = await storeOf(loom.service, loom.id);
    const outcomes = new Map<string, number>();
    for (const [index, steps] of fc.sample(HISTORY, REQUESTS).entries()) {
      const [ours, theirs] = await grown.grow(steps);
      const [target, source] = [`target-${index}`, `source-${index}`];
      await git(['--git-dir', own, 'push', '--quiet', loom.remote(), `${ours}:refs/heads/${target}`]);
      await git(['--git-dir', own, 'push', '--quiet', loom.remote(), `${theirs}:refs/heads/${source}`]);
      const json = { source_branch: source, target_branch: target, title: source };
      const { body } = await loom.call<{ iid: number }>('POST', '/merge_requests', json);
      const merge = await loom.call<{ state?: string; reason?: string; conflicts?: string[] }>(
        'PUT',
        `/merge_requests/${body.iid}/merge`,
      );
      const expected = await grown.mergeInWorkTree([ours, theirs]);
      // As everybody is told it: the file of a ref follows its row.
      const head = (await loom.head(target))!;
      const tree = (await git(['--git-dir', served, 'rev-parse', `${head}^{tree}`])).trim();
      const outcome = `${merge.status} ${merge.body.state ?? merge.body.reason}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const made = merge.status === 406 ? { paths: [...merge.body.conflicts!].sort() } : { tree };
      expect({ steps, outcome, made }).toEqual({ steps, outcome, made: expected });
    }
    removeFolder(grown.folder);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect([...outcomes.keys()].sort()).toEqual(['200 merged', '405 commits_status', '406 conflict']);
  });
});
