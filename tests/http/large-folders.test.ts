import { expect, it } from '@jest/globals';
import { git, temporaryFolder } from '../support/git.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const FILES = 100_000;
const FOLDERS = 20;

describeWriting('folders of 100,000 files', (writing) => {
  /** A branch of many such folders, which are one to git, so that all of them are pushed in a moment. */
  const pushed = async (): Promise<WrittenProject> => {
    const loom = await writing.newProject();
    await loom.write('main', { 'a.txt': 'a' });
    const folder = temporaryFolder();
    await git(['clone', '--quiet', loom.remote(), folder]);
    const blob = (await git(['rev-parse', 'HEAD:a.txt'], { cwd: folder })).trim();
    const treeOf = async (lines: readonly string[]) =>
      (await git(['mktree'], { cwd: folder, input: Buffer.from(lines.join('')) })).trim();
    const files = Array.from({ length: FILES }, (_, index) => `100644 blob ${blob}\tfile-${100_000 + index}\n`);
    const wide = await treeOf(files);
    const root = await treeOf(Array.from({ length: FOLDERS }, (_, index) => `040000 tree ${wide}\td${index}\n`));
    const commit = await git(['commit-tree', '-m', 'Wide', root], { cwd: folder });
    await git(['push', '--quiet', 'origin', `${commit.trim()}:refs/heads/wide`], { cwd: folder });
    return loom;
  };

  it('are changed one at a time, and not so many at once that they would fill the memory', async () => {
    const loom = await pushed();
    const create = (folder: number) => ({ action: 'create', file_path: `d${folder}/new.txt`, content: 'n' });
    const many = await loom.commit(
      'wide',
      'Many',
      Array.from({ length: FOLDERS }, (_, index) => create(index)),
    );
    expect([many.status, many.body.message]).toEqual([
      400,
      'The folders of these files are too large to be changed at once',
    ]);
    const before = await loom.head('wide');
    const one = await loom.commit('wide', 'One', [
      create(7),
      { action: 'update', file_path: 'd7/file-150000', content: 'b' },
      { action: 'delete', file_path: 'd7/file-199999' },
    ]);
    expect([one.status, one.body.parent_ids]).toEqual([201, [before]]);
    const bare = temporaryFolder();
    await git(['clone', '--quiet', '--mirror', loom.remote(), bare]);
    const changed = await git(['--git-dir', bare, 'diff', '--name-status', `${before}`, 'wide']);
    expect(changed).toBe('M\td7/file-150000\nD\td7/file-199999\nA\td7/new.txt\n');
  });
});
