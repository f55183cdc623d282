import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
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
