import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { git, removeFolder, temporaryFolder, tryGit, withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const WHO = ['visitor', 'stranger', 'guest', 'reporter', 'developer', 'maintainer'] as const;
type Who = (typeof WHO)[number];
const LEVELS: Partial<Readonly<Record<Who, number>>> = { guest: 10, reporter: 20, developer: 30, maintainer: 40 };

/** From whom up: everybody below is refused before a parameter is looked at. */
type From = 'developer' | 'maintainer';

const ADDRESSES: readonly (readonly [method: string, path: string, from: From])[] = [
  ['POST', '/repository/files/a', 'developer'],
  ['PUT', '/repository/files/a', 'developer'],
  ['DELETE', '/repository/files/a', 'developer'],
  ['POST', '/repository/commits', 'developer'],
  ['POST', '/repository/commits/main/cherry_pick', 'developer'],
  ['POST', '/repository/commits/main/revert', 'developer'],
  ['POST', '/repository/branches', 'developer'],
  ['DELETE', '/repository/branches/lost', 'developer'],
  ['DELETE', '/repository/merged_branches', 'developer'],
  ['PUT', '/repository/branches/lost/protect', 'maintainer'],
  ['PUT', '/repository/branches/lost/unprotect', 'maintainer'],
  ['POST', '/repository/tags', 'developer'],
  ['DELETE', '/repository/tags/lost', 'developer'],
  ['GET', '/protected_branches', 'developer'],
  ['GET', '/protected_branches/lost', 'developer'],
  ['POST', '/protected_branches', 'maintainer'],
  ['PATCH', '/protected_branches/lost', 'maintainer'],
  ['DELETE', '/protected_branches/lost', 'maintainer'],
  ['GET', '/protected_tags', 'developer'],
  ['GET', '/protected_tags/lost', 'developer'],
  ['POST', '/protected_tags', 'maintainer'],
  ['DELETE', '/protected_tags/lost', 'maintainer'],
  ['POST', '/repository/changelog', 'developer'],
  ['POST', '/housekeeping', 'maintainer'],
  ['GET', '/statistics', 'developer'],
  ['POST', '/releases', 'developer'],
  ['PUT', '/releases/lost', 'developer'],
  ['DELETE', '/releases/lost', 'developer'],
  ['POST', '/releases/lost/assets/links', 'developer'],
  ['PUT', '/releases/lost/assets/links/1', 'developer'],
  ['DELETE', '/releases/lost/assets/links/1', 'developer'],
];

const MAY: Readonly<Record<From, readonly Who[]>> = {
  developer: ['developer', 'maintainer'],
  maintainer: ['maintainer'],
};

withGit('who may write code', () => {
  describeEachDatabase('who may write code', (openTestDatabase) => {
    let service: TestService;
    const people = new Map<Who, TestUser>();
    const projects = new Map<string, WrittenProject>();

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      const ada = await service.addUser('ada');
      for (const who of WHO) if (who !== 'visitor') people.set(who, await service.addUser(who));
      for (const visibility of ['private', 'internal', 'public']) {
        const project = await WrittenProject.make(service, ada, { name: visibility, visibility });
        await project.write('main', { a: 'a' });
        for (const [who, level] of Object.entries(LEVELS)) await project.addMember(people.get(who as Who)!, level);
        projects.set(visibility, project);
      }
    });

    afterAll(() => service.close());

    it('is written by stock git of who is in a group that the project is shared with, until it no longer is', async () => {
      const ada = projects.get('private')!.owner;
      const member = people.get('stranger')!;
      const loom = await WrittenProject.make(service, ada, { name: 'shared', visibility: 'private' });
      await loom.write('main', { a: 'a' });
      const make = (path: string, json: object) =>
        service.call<{ id: number }>('POST', path, { token: ada.token, json });
      const { body: group } = await make('/groups', { name: 'Weavers', path: 'weavers' });
      await make(`/groups/${group.id}/members`, { user_id: member.id, access_level: 30 });
      const [remote, folder] = [loom.remote(member), temporaryFolder()];
      const reads = async () => (await tryGit(['ls-remote', remote])).code === 0;
      expect(await reads()).toBe(false);
      await make(`/projects/${loom.id}/share`, { group_id: group.id, group_access: 20 });
      await git(['clone', '--quiet', '--bare', remote, folder]);
      const push = (branch: string) => tryGit(['--git-dir', folder, 'push', '--quiet', 'origin', `main:${branch}`]);
      expect((await push('early')).code).not.toBe(0);
      await loom.call('DELETE', `/share/${group.id}`);
      expect(await reads()).toBe(false);
      await make(`/projects/${loom.id}/share`, { group_id: group.id, group_access: 40 });
      expect((await push('later')).code).toBe(0);
      await loom.call('DELETE', `/share/${group.id}`);
      expect((await push('late')).code).not.toBe(0);
      removeFolder(folder);
      const { body: branches } = await loom.call<{ name: string }[]>('GET', '/repository/branches');
      expect(branches.map(({ name }) => name)).toEqual(['later', 'main']);
    });

    /** What somebody is told who may not: nothing of what they can't see. */
    const refusalFor = (who: Who, visibility: string): readonly [number, unknown] => {
      if (who === 'visitor') return [401, { message: '401 Unauthorized' }];
      if (who === 'stranger' && visibility === 'private') return [404, { message: '404 Project Not Found' }];
      return [403, { message: '403 Forbidden' }];
    };

    describe.each(['private', 'internal', 'public'])('of a project that is %s', (visibility) => {
      it.each(ADDRESSES)('%s %s: from %s up', async (method, path, from) => {
        const project = projects.get(visibility)!;
        for (const who of WHO) {
          const token = people.get(who)?.token;
          const { status, body } = await service.call(method, `/projects/${project.id}${path}`, {
            ...(token === undefined ? {} : { token }),
          });
          if (!MAY[from].includes(who)) expect([who, status, body]).toEqual([who, ...refusalFor(who, visibility)]);
          // Whoever may is told what they lack: nothing is sent.
          else expect([who, [200, 201, 202, 400, 404].includes(status)]).toEqual([who, true]);
        }
      });
    });
  });
});
