import { describe, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
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
      const [project, other] = [await newProject(), await newProject()];
      const iid = await openIssue(other);
      const id = await commit(project, 'main', `Closes ${other.project.path}#${iid}`);
      await followUp();
      expect([await stateOf(other, iid), await notesOf(other, iid)]).toEqual([
        'closed',
        [`closed via commit ${project.project.path}@${id}`],
      ]);
    });

    it('does nothing to what whoever pushes may not see or close', async () => {
      const [project, hidden, open] = [
        await newProject(),
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

    it('of a project without code removes nothing', async () => {
      const project = await newProject();
      expect((await project.call('DELETE', '/repository/merged_branches')).status).toBe(202);
      await followUp();
      expect(await project.head('main')).toBeUndefined();
    });
  });
});
