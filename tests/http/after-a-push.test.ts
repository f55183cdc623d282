import { describe, expect, it } from '@jest/globals';
import type { MergedSoFar } from '../../src/application/repositories/ports/repository-repositories.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { WorkTree } from '../support/git-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface ShownIssue {
  readonly iid: number;
  readonly state: string;
}

describeWriting('what follows a push', (writing) => {
  const newProject = (fields?: object) => writing.newProject(fields);
  let serial = 0;

  /** Resolves when everything that pushes asked for is done, by whoever. */
  const followUp = () =>
    until(async () => {
      const { container, database } = writing.service.service;
      await container.get(REPOSITORY_TOKENS.codeWorks).runDue();
      return (await database.reader.query('code_works').first('id')) === undefined;
    });
  const openIssue = async (project: WrittenProject, more: object = {}): Promise<number> =>
    (await project.call<ShownIssue>('POST', '/issues', { title: 'It leaks', ...more })).body.iid;
  const stateOf = async (project: WrittenProject, iid: number): Promise<string> =>
    (await project.call<ShownIssue>('GET', `/issues/${iid}`)).body.state;
  const notesOf = async (project: WrittenProject, iid: number): Promise<readonly string[]> =>
    (await project.call<{ body: string; system: boolean }[]>('GET', `/issues/${iid}/notes?sort=asc`)).body
      .filter(({ system }) => system)
      .map(({ body }) => body);
  const causesOf = async (project: WrittenProject, iid: number) =>
    (await project.call<Record<string, unknown>[]>('GET', `/issues/${iid}/resource_state_events`)).body.map((event) => [
      event['state'],
      event['source_commit'],
      event['source_merge_request_id'],
    ]);
  const commit = async (
    project: WrittenProject,
    branch: string,
    message: string,
    user = writing.ada,
    more: object = {},
  ) => {
    const file_path = `file-${(serial += 1)}`;
    const { status, body } = await project.commit(branch, message, [{ action: 'create', file_path }], more, user);
    expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
    return body.id;
  };

  describe('a commit that says so', () => {
    it('closes issues when it reaches the default branch, by REST', async () => {
      const project = await newProject();
      const [first, second] = [await openIssue(project), await openIssue(project)];
      const id = await commit(project, 'main', `Mend it\n\nCloses #${first}, #${second}`);
      await followUp();
      expect(await stateOf(project, first)).toBe('closed');
      expect(await stateOf(project, second)).toBe('closed');
      expect(await notesOf(project, first)).toEqual([`closed via commit ${id}`]);
      expect(await causesOf(project, first)).toEqual([['closed', id, null]]);
      const { body } = await project.call<{ action_name: string; target_type: string }[]>(
        'GET',
        '/events?action=closed',
      );
      expect(body).toHaveLength(2);
    });

    it('closes issues when it reaches the default branch, by git', async () => {
      const project = await newProject();
      const iid = await openIssue(project);
      const tree = await WorkTree.init();
      const head = await tree.commit('a', 'a', `Fixes #${iid}`);
      await tree.git('push', '--quiet', project.remote(), 'main');
      await followUp();
      expect([await stateOf(project, iid), await notesOf(project, iid)]).toEqual([
        'closed',
        [`closed via commit ${head}`],
      ]);
    });

    it('is only mentioned from another branch, and closes once it is in the default one', async () => {
      const project = await newProject();
      const iid = await openIssue(project);
      await commit(project, 'main', 'First');
      const id = await commit(project, 'topic', `Resolves #${iid}`, writing.ada, { start_branch: 'main' });
      await followUp();
      expect([await stateOf(project, iid), await notesOf(project, iid)]).toEqual([
        'opened',
        [`mentioned in commit ${id}`],
      ]);
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', project.remote(), 'topic');
      await tree.git('push', '--quiet', project.remote(), 'HEAD:main');
      await followUp();
      expect([await stateOf(project, iid), await notesOf(project, iid)]).toEqual([
        'closed',
        [`mentioned in commit ${id}`, `closed via commit ${id}`],
      ]);
    });

    it('closes issues of other projects, where whoever pushes may', async () => {
      const [project, other] = [await newProject({ visibility: 'public' }), await newProject()];
      const iid = await openIssue(other);
      const id = await commit(project, 'main', `Closes ${other.project.path}#${iid}`);
      await followUp();
      expect([await stateOf(other, iid), await notesOf(other, iid)]).toEqual([
        'closed',
        [`closed via commit ${project.project.path}@${id}`],
      ]);
      expect(await causesOf(other, iid)).toEqual([['closed', id, null]]);
    });

    it('closes issues of other projects, where not everybody may know of it, without saying which it is', async () => {
      const [project, other] = [await newProject(), await newProject({ visibility: 'public' })];
      const iid = await openIssue(other);
      await commit(project, 'main', `Closes ${other.project.path}#${iid}`);
      await followUp();
      expect([await stateOf(other, iid), await notesOf(other, iid), await causesOf(other, iid)]).toEqual([
        'closed',
        ['closed via a commit of another project'],
        [['closed', null, null]],
      ]);
    });

    it('does nothing to what whoever pushes may not see or close', async () => {
      const [project, hidden, open] = [
        await newProject({ visibility: 'public' }),
        await newProject(),
        await newProject({ visibility: 'public' }),
      ];
      const [secret, public_] = [await openIssue(hidden), await openIssue(open)];
      await project.addMember(writing.grace, 40);
      const message = `Closes ${hidden.project.path}#${secret} and ${open.project.path}#${public_}`;
      const id = await commit(project, 'main', message, writing.grace);
      await followUp();
      expect([await stateOf(hidden, secret), await notesOf(hidden, secret)]).toEqual(['opened', []]);
      expect([await stateOf(open, public_), await notesOf(open, public_)]).toEqual([
        'opened',
        [`mentioned in commit ${project.project.path}@${id}`],
      ]);
    });

    it('is of nobody’s as an administrator in other projects, whoever wrote it', async () => {
      const [project, hidden] = [await newProject(), await newProject({ visibility: 'private' })];
      const [own, named, secret] = [await openIssue(project), await openIssue(project), await openIssue(hidden)];
      const root = await writing.service.addUser('root', { admin: true });
      const message = `Closes ${hidden.project.path}#${secret}, #${own} and ${project.project.path}#${named}`;
      await commit(project, 'main', message, root);
      await followUp();
      expect([await stateOf(hidden, secret), await notesOf(hidden, secret)]).toEqual(['opened', []]);
      expect([await stateOf(project, own), await stateOf(project, named)]).toEqual(['closed', 'closed']);
    });

    it('is named where everybody who reads the issue sees its project; elsewhere only the closing is told', async () => {
      const [secret, inside, open] = [
        await newProject(),
        await newProject({ visibility: 'internal' }),
        await newProject({ visibility: 'public' }),
      ];
      for (const project of [secret, inside]) {
        const [mentioned, closed] = [await openIssue(open), await openIssue(open)];
        const { path } = open.project;
        await commit(project, 'main', `See ${path}#${mentioned}, closes ${path}#${closed}`);
        await followUp();
        expect(await notesOf(open, mentioned)).toEqual([]);
        expect([await stateOf(open, closed), await notesOf(open, closed)]).toEqual([
          'closed',
          ['closed via a commit of another project'],
        ]);
        await open.call('PUT', `/issues/${closed}`, { state_event: 'reopen' });
        await commit(project, 'main', `Closes ${path}#${closed} again`);
        await followUp();
        expect(await notesOf(open, closed)).toEqual([
          'closed via a commit of another project',
          'closed via a commit of another project',
        ]);
      }
      const iid = await openIssue(secret);
      const id = await commit(inside, 'main', `See ${secret.project.path}#${iid}`);
      await followUp();
      expect(await notesOf(secret, iid)).toEqual([`mentioned in commit ${inside.project.path}@${id}`]);
    });

    it('is noted in a locked issue where whoever pushes may comment', async () => {
      const [project, other] = [await newProject({ visibility: 'public' }), await newProject({ visibility: 'public' })];
      await project.addMember(writing.grace, 40);
      const [locked, open] = [await openIssue(other), await openIssue(other)];
      await other.call('PUT', `/issues/${locked}`, { discussion_locked: true });
      const message = `See ${other.project.path}#${locked} and ${other.project.path}#${open}`;
      const stranger = await commit(project, 'main', message, writing.grace);
      await followUp();
      const note = (id: string) => `mentioned in commit ${project.project.path}@${id}`;
      const lock = 'locked the discussion in this issue';
      expect([await notesOf(other, locked), await notesOf(other, open)]).toEqual([[lock], [note(stranger)]]);
      const member = await commit(project, 'main', message);
      await followUp();
      expect(await notesOf(other, locked)).toEqual([lock, note(member)]);
    });

    it('is read once, however often its work is tried', async () => {
      const project = await newProject();
      const iid = await openIssue(project);
      const id = await commit(project, 'main', `See #${iid}`);
      await Promise.all([followUp(), followUp(), followUp()]);
      await followUp();
      expect(await notesOf(project, iid)).toEqual([`mentioned in commit ${id}`]);
    });
  });

  describe('removing merged branches', () => {
    /** What a request notes; it is done when the test says so. */
    const askNow = async (project: WrittenProject): Promise<MergedSoFar> => {
      const { refReader } = writing.service.service.container.get(REPOSITORY_TOKENS.repositories);
      const { refsVersion } = (await refReader.findRepository(project.id))!;
      return { head: (await project.head('main'))!, refsVersion };
    };
    const removeMerged = async (project: WrittenProject, asked: MergedSoFar): Promise<void> => {
      const { container } = writing.service.service;
      const { id, username } = writing.ada;
      const actor = { kind: 'user', id, username, admin: false, credential: { kind: 'session' } } as const;
      const { access } = container.get(WORKSPACE_TOKENS.workspace);
      const permitted = await access.project(actor, String(project.id), 'push_code');
      const writer = { id, admin: false, name: 'Ada', email: 'ada@example.com' };
      await container.get(REPOSITORY_TOKENS.repositories).removeMergedBranches.execute(permitted, writer, asked);
    };

    it('is accepted with JSON, and done after the answer', async () => {
      const project = await newProject();
      await commit(project, 'main', 'First');
      const branch = (name: string) => project.call('POST', '/repository/branches', { branch: name, ref: 'main' });
      for (const name of ['merged', 'also/merged', 'kept/1', 'ahead']) await branch(name);
      const ahead = await commit(project, 'ahead', 'Ahead');
      await project.call('POST', '/protected_branches', { name: 'kept/*' });
      const { status, body } = await project.call('DELETE', '/repository/merged_branches');
      expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
      await followUp();
      expect(await project.head('merged')).toBeUndefined();
      expect(await project.head('also/merged')).toBeUndefined();
      expect(await project.head('kept/1')).toBeDefined();
      expect(await project.head('main')).toBeDefined();
      expect(await project.head('ahead')).toBe(ahead);
    });

    it('takes what had been merged when it was asked for, and nothing that was made, moved or merged since', async () => {
      const project = await newProject();
      await commit(project, 'main', 'First');
      const branch = (name: string, ref = 'main') =>
        project.call('POST', '/repository/branches', { branch: name, ref });
      const drop = (name: string) => project.call('DELETE', `/repository/branches/${name}`);
      for (const name of ['merged', 'made-again', 'there-and-back', 'open']) await branch(name);
      await commit(project, 'open', 'Open');
      const asked = await askNow(project);

      await branch('made');
      await drop('made-again');
      await branch('made-again');
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', project.remote(), 'open');
      const force = (spec: string) => tree.git('push', '--quiet', '--force', project.remote(), spec);
      await force('HEAD:there-and-back');
      await force(`${asked.head}:refs/heads/there-and-back`);
      await tree.git('push', '--quiet', project.remote(), 'HEAD:main');

      await removeMerged(project, asked);
      const left = await project.call<{ name: string }[]>('GET', '/repository/branches');
      expect(left.body.map(({ name }) => name)).toEqual(['made', 'made-again', 'main', 'open', 'there-and-back']);
    });

    it('leaves what the default branch has lost again meanwhile', async () => {
      const project = await newProject();
      await commit(project, 'main', 'First');
      const first = (await project.head('main'))!;
      await commit(project, 'main', 'Second');
      await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      await project.call('POST', '/repository/branches', { branch: 'old', ref: first });
      const asked = await askNow(project);
      await project.call('DELETE', '/protected_branches/main');
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', project.remote(), 'main');
      await tree.git('push', '--quiet', '--force', project.remote(), `${first}:refs/heads/main`);

      await removeMerged(project, asked);
      expect([await project.head('topic'), await project.head('old')]).toEqual([asked.head, undefined]);
    });

    it('leaves every branch that somebody makes after the answer, while it removes the others', async () => {
      const project = await newProject();
      await commit(project, 'main', 'First');
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
      const branch = (name: string) => project.call('POST', '/repository/branches', { branch: name, ref: 'main' });
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', project.remote(), 'main');
      await tree.git('push', '--quiet', project.remote(), ...numbers(40).map((n) => `HEAD:refs/heads/old-${n}`));
      expect((await project.call('DELETE', '/repository/merged_branches')).status).toBe(202);
      const made = await Promise.all(
        numbers(12).map(async (n) => {
          const { status: new_ } = await branch(`new-${n}`);
          // It is gone already, or goes now.
          await project.call('DELETE', `/repository/branches/old-${n}`);
          return [new_, (await branch(`old-${n}`)).status];
        }),
      );
      expect(made).toEqual(numbers(12).map(() => [201, 201]));
      await followUp();
      const { body } = await project.call<{ name: string }[]>('GET', '/repository/branches?per_page=100');
      const expected = ['main', ...numbers(12).flatMap((n) => [`new-${n}`, `old-${n}`])];
      expect(body.map(({ name }) => name)).toEqual(expected.sort());
    });

    it('of a project without code removes nothing', async () => {
      const project = await newProject();
      expect((await project.call('DELETE', '/repository/merged_branches')).status).toBe(202);
      await followUp();
      expect(await project.head('main')).toBeUndefined();
    });
  });
});
