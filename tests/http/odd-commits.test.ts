import { expect, it } from '@jest/globals';
import { git, temporaryFolder } from '../support/git.js';
import { describeWriting, type ShownCommit, type WrittenProject } from '../support/written-project.js';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-](?:[01]\d|2[0-3]):[0-5]\d$/;
const GOOD = 'ada <a@b.c> 1700000000 +0000';
const ZONES = ['+2500', '-0075', '+1860', '+9959'];

interface DatedCommit extends ShownCommit {
  readonly authored_date: string;
}

/** A clone, and what makes commits in it that git lets pass, though no program of today writes them so. */
class OddClone {
  private constructor(
    readonly loom: WrittenProject,
    readonly folder: string,
  ) {}

  static async of(loom: WrittenProject): Promise<OddClone> {
    const folder = temporaryFolder();
    await git(['clone', '--quiet', loom.remote(), folder]);
    return new OddClone(loom, folder);
  }

  async #made(type: string, input: string | Buffer): Promise<string> {
    const argv = ['hash-object', '-t', type, '-w', '--stdin', '--literally'];
    return (await git(argv, { cwd: this.folder, input })).trim();
  }

  /** Pushes a branch with one commit upon `main`, which adds a file. */
  async push(branch: string, author: string, committer: string): Promise<string> {
    const [main, file] = (await git(['rev-parse', 'HEAD', 'HEAD:a.txt'], { cwd: this.folder })).trim().split('\n');
    const entries = ['a.txt', 'b.txt'].flatMap((name) => [Buffer.from(`100644 ${name}\0`), Buffer.from(file!, 'hex')]);
    const tree = await this.#made('tree', Buffer.concat(entries));
    const lines = [`tree ${tree}`, `parent ${main}`, `author ${author}`, `committer ${committer}`];
    const id = await this.#made('commit', `${lines.join('\n')}\n\nOdd\n`);
    await git(['push', '--quiet', 'origin', `${id}:refs/heads/${branch}`], { cwd: this.folder });
    return id;
  }
}

describeWriting('commits that old programs wrote', (writing) => {
  const begun = async (): Promise<OddClone> => {
    const loom = await writing.newProject();
    await loom.write('main', { 'a.txt': 'a' });
    return OddClone.of(loom);
  };

  /** The author of what a branch leads to, as it is stored. */
  const authorOf = async (loom: WrittenProject, branch: string): Promise<string | undefined> => {
    const bare = temporaryFolder();
    await git(['clone', '--quiet', '--mirror', loom.remote(), bare]);
    const stored = await git(['--git-dir', bare, 'cat-file', '-p', branch]);
    return /^author (.*)$/m.exec(stored)?.[1];
  };

  it('are told with times that clients read, whatever time zone they name', async () => {
    const clone = await begun();
    for (const [at, zone] of ZONES.entries()) {
      const odd = `ada <a@b.c> 1700000000 ${zone}`;
      const id = await clone.push(`odd-${at}`, odd, odd);
      const { body } = await clone.loom.call<DatedCommit[]>('GET', `/repository/commits?ref_name=odd-${at}&per_page=1`);
      expect(body.map((commit) => commit.id)).toEqual([id]);
      for (const date of [body[0]!.authored_date, body[0]!.committed_date]) {
        expect([zone, date]).toEqual([zone, expect.stringMatching(RFC_3339)]);
        expect([zone, Date.parse(date)]).toEqual([zone, 1_700_000_000_000]);
      }
    }
  });

  it('are picked, rebased and squashed into sound ones', async () => {
    for (const zone of ZONES) {
      const clone = await begun();
      const { loom } = clone;
      const odd = `ada <a@b.c> 1700000000 ${zone}`;
      const id = await clone.push('topic', odd, GOOD);
      const merge = await loom.call<{ id: number }>('POST', '/merge_requests', {
        ...{ source_branch: 'topic', target_branch: 'main', title: 'Odd' },
      });
      expect(merge.status).toBe(201);
      await loom.write('main', { 'c.txt': 'c' });
      const written = expect.stringMatching(/^ada <a@b\.c> 1700000000 [+-](?:[01]\d|2[0-3])[0-5]\d$/);
      const made = await loom.call('POST', '/repository/branches?branch=picked&ref=main');
      const picked = await loom.call('POST', `/repository/commits/${id}/cherry_pick`, { branch: 'picked' });
      expect([made.status, picked.status, await authorOf(loom, 'picked')]).toEqual([201, 201, written]);
      expect((await loom.call('PUT', '/merge_requests/1/rebase')).status).toBe(202);
      expect(await loom.head('topic')).not.toBe(id);
      expect(await authorOf(loom, 'topic')).toEqual(written);
      expect((await loom.call('PUT', '/merge_requests/1/merge', { squash: true })).status).toBe(200);
      await loom.expectSound();
    }
  });

  it('are picked with as much of a name as anybody has', async () => {
    const clone = await begun();
    const id = await clone.push('topic', `a${'.'.repeat(200_000)}b <a@b.c> 1700000000 +0000`, GOOD);
    const long = await clone.push('long', `${'a'.repeat(200_000)} <a@b.c> 1700000000 +0000`, GOOD);
    for (const [branch, picked, name] of [
      ['dots', id, 'a'],
      ['letters', long, 'a'.repeat(1_000)],
    ] as const) {
      await clone.loom.call('POST', `/repository/branches?branch=${branch}&ref=main`);
      const { status } = await clone.loom.call('POST', `/repository/commits/${picked}/cherry_pick`, { branch });
      expect([status, await authorOf(clone.loom, branch)]).toEqual([201, `${name} <a@b.c> 1700000000 +0000`]);
    }
  });
});
