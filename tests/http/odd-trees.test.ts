import { expect, it } from '@jest/globals';
import { git, temporaryFolder } from '../support/git.js';
import { describeWriting } from '../support/written-project.js';

/** A file of a tree that git lets pass, though no program of today writes it so. */
interface OddFile {
  readonly mode: string;
  readonly name: string;
}

describeWriting('trees that old programs wrote', (writing) => {
  /** A branch whose only folder has this file, pushed by stock git. */
  const pushed = async ({ mode, name }: OddFile) => {
    const loom = await writing.newProject();
    await loom.write('main', { 'a.txt': 'a' });
    const folder = temporaryFolder();
    await git(['clone', '--quiet', loom.remote(), folder]);
    const id = (await git(['rev-parse', 'HEAD:a.txt'], { cwd: folder })).trim();
    const input = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    const tree = await git(['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], { cwd: folder, input });
    const commit = await git(['commit-tree', '-m', 'Old', tree.trim()], { cwd: folder });
    await git(['push', '--quiet', 'origin', `${commit.trim()}:refs/heads/odd`], { cwd: folder });
    return loom;
  };

  it.each([
    { mode: '100664', name: 'f', becomes: '100644' },
    { mode: '100775', name: 'f', becomes: '100755' },
    { mode: '0100600', name: 'f', becomes: '100644' },
    { mode: '120777', name: 'f', becomes: '120000' },
    { mode: '100644', name: 'git~2', becomes: '100644' },
    { mode: '100644', name: 'gi7eb1~1', becomes: '100644' },
  ])('are changed as others are, and keep what was there: a file $name of mode $mode', async ({ becomes, ...odd }) => {
    const loom = await pushed(odd);
    const made = await loom.commit('odd', 'More', [{ action: 'create', file_path: 'new.txt', content: 'n' }]);
    expect(made.status).toBe(201);
    const listed = await loom.call<{ name: string; mode: string }[]>('GET', '/repository/tree?ref=odd');
    expect(listed.body.map(({ name, mode }) => [name, mode])).toEqual([
      [odd.name, becomes],
      ['new.txt', '100644'],
    ]);
    const bare = temporaryFolder();
    await git(['clone', '--quiet', '--mirror', loom.remote(), bare]);
    const written = await git(['--git-dir', bare, 'ls-tree', '--format=%(objectmode) %(path)', made.body.id]);
    expect(written).toBe(`${becomes} ${odd.name}\n100644 new.txt\n`);
  });

  it('get no further name that git keeps for itself', async () => {
    const loom = await pushed({ mode: '100644', name: 'git~2' });
    for (const file_path of ['git~3', 'gi7eb1~1', '.git/config', 'git~1']) {
      const { status, body } = await loom.commit('odd', 'More', [{ action: 'create', file_path, content: 'n' }]);
      expect([file_path, status, body.message]).toEqual([
        file_path,
        400,
        'Path cannot include a name that git keeps for itself',
      ]);
    }
  });
});
