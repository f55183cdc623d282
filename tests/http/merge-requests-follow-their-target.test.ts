import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { git, removeFolder, temporaryFolder, tryGit } from '../support/git.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly iid: number;
  readonly state: string;
  readonly merge_status: string;
  readonly has_conflicts: boolean;
  readonly diverged_commits_count: number;
}

const FILE = 'One\nTwo\nThree\n';
const CLEAN = ['clean-1', 'clean-2', 'clean-3'];
/** Lead to `target`; what each says in the file that the target changes, or nothing of it. */
const BRANCHES: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(CLEAN.map((branch) => [branch, undefined])),
  clashes: 'One of theirs\nTwo\nThree\n',
  recovers: 'One of ours\nTwo\nThree\n',
  lower: undefined,
  moves: undefined,
};

describeWriting('merge requests whose target moves', (writing) => {
  /** A project with open merge requests into `target`, each looked at, and a work tree of it. */
  const begin = async (): Promise<{ loom: WrittenProject; work: string; opened: ReadonlyMap<string, number> }> => {
    const loom = await writing.newProject();
    await loom.write('main', { file: FILE, other: 'Other\n' });
    await loom.pushBranches([
      { branch: 'target', files: { file: 'One, at first\nTwo\nThree\n' } },
      ...Object.entries(BRANCHES).map(([branch, text]) => ({
        branch,
        files: { [branch]: `${branch}\n`, ...(text === undefined ? {} : { file: text }) },
      })),
    ]);
    await loom.write('upper', { upper: 'Upper\n' }, { start_branch: 'lower' });
    const work = temporaryFolder();
    await git(['clone', '--quiet', loom.remote(), work]);
    // Before the target is what it becomes, one clashes and another does not.
    await git(['checkout', '--quiet', '-B', 'target', 'origin/target'], { cwd: work });
    const opened = new Map<string, number>();
    for (const branch of [...Object.keys(BRANCHES), 'upper']) {
      const json = { source_branch: branch, target_branch: 'target', title: branch };
      const { status, body } = await loom.call<Shown>('POST', '/merge_requests', json);
      expect([branch, status]).toEqual([branch, 201]);
      opened.set(branch, body.iid);
    }
    return { loom, work, opened };
  };

  const commitFile = async (work: string, text: string): Promise<void> => {
    writeFileSync(join(work, 'file'), text);
    await git(['commit', '--quiet', '--all', '-m', 'Change the file'], { cwd: work });
  };

  const settled = async (loom: WrittenProject): Promise<readonly Shown[]> => {
    let open: readonly Shown[] = [];
    await until(async () => {
      const { body } = await loom.call<readonly Shown[]>('GET', '/merge_requests?state=opened&target_branch=target');
      open = body;
      return body.every(({ merge_status }) => merge_status !== 'unchecked' && merge_status !== 'checking');
    });
    return open;
  };

  /** Each open one is told as git tells it in a work tree. */
  const expectAsGitSays = async (loom: WrittenProject, work: string, opened: ReadonlyMap<string, number>) => {
    const open = new Set((await settled(loom)).map(({ iid }) => iid));
    await git(['fetch', '--quiet', 'origin'], { cwd: work });
    for (const [branch, iid] of opened) {
      if (!open.has(iid)) continue;
      const [target, source] = ['origin/target', `origin/${branch}`];
      const count = await git(['rev-list', '--count', `${source}..${target}`], { cwd: work });
      const ahead = await git(['rev-list', '--count', `${target}..${source}`], { cwd: work });
      const { code } = await tryGit(['merge-tree', '--write-tree', target, source], { cwd: work });
      const path = `/merge_requests/${iid}?include_diverged_commits_count=true`;
      const { body } = await loom.call<Shown>('GET', path);
      const commits = await loom.call<readonly unknown[]>('GET', `/merge_requests/${iid}/commits`);
      expect([branch, body.has_conflicts, body.merge_status, body.diverged_commits_count, commits.body.length]).toEqual(
        [...[branch, code !== 0, code === 0 ? 'can_be_merged' : 'cannot_be_merged'], ...[Number(count), Number(ahead)]],
      );
    }
  };

  it('stand as git says, whether the target moved on, took a part of them, moved back, or they moved as well', async () => {
    const { loom, work, opened } = await begin();
    await expectAsGitSays(loom, work, opened);

    await commitFile(work, 'One of ours\nTwo\nThree\n');
    await commitFile(work, 'One of ours\nTwo\nThree, too\n');
    await git(['push', '--quiet', 'origin', 'target'], { cwd: work });
    await expectAsGitSays(loom, work, opened);

    // What one is built upon arrives with a push of its own commit, and another moves at the same time.
    await git(['merge', '--quiet', '--no-edit', 'origin/lower'], { cwd: work });
    await git(['checkout', '--quiet', '-B', 'moves', 'origin/moves'], { cwd: work });
    await commitFile(work, 'One moved\nTwo\nThree\n');
    await git(['push', '--quiet', 'origin', 'target', 'moves'], { cwd: work });
    await expectAsGitSays(loom, work, opened);
    const lower = await loom.call<Shown>('GET', `/merge_requests/${opened.get('lower')}`);
    expect(lower.body.state).toBe('merged');

    await git(['checkout', '--quiet', '-B', 'target', 'origin/target~2'], { cwd: work });
    await git(['push', '--quiet', '--force', 'origin', 'target'], { cwd: work });
    await expectAsGitSays(loom, work, opened);
    removeFolder(work);
  });

  it('ask the author of one that clashes from now on, once, and none of one that did before', async () => {
    const { loom, work, opened } = await begin();
    const asked = async () => {
      const { body } = await writing.service.call<{ target: { title: string } }[]>(
        'GET',
        `/todos?action=unmergeable&project_id=${loom.id}`,
        { token: writing.ada.token },
      );
      return body.map(({ target }) => target.title).sort();
    };
    await settled(loom);
    const before = await asked();
    writeFileSync(join(work, 'clean-1'), 'Somebody else’s\n');
    await git(['add', '--all'], { cwd: work });
    await git(['commit', '--quiet', '-m', 'Write clean-1'], { cwd: work });
    await git(['push', '--quiet', 'origin', 'target'], { cwd: work });
    await expectAsGitSays(loom, work, opened);
    expect(await asked()).toEqual([...before, 'clean-1'].sort());
    await commitFile(work, 'One more\nTwo\nThree\n');
    await git(['push', '--quiet', 'origin', 'target'], { cwd: work });
    await expectAsGitSays(loom, work, opened);
    expect(await asked()).toEqual([...before, 'clean-1'].sort());
    removeFolder(work);
  });
});
