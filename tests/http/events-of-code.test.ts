import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

const SECRETS = ['secret-branch', 'Secret commit', 'Secret change', 'Secret remark'];

withGit('events of code', () => {
  describeEachDatabase('events of code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let guest: TestUser;
    let hidden: WrittenProject;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      guest = await service.addUser('guest', { password: PASSWORD });
      hidden = await WrittenProject.make(service, ada, { name: 'Hidden', visibility: 'private' });
      await hidden.addMember(guest, 10);
      await hidden.addMember(grace, 20);
      await hidden.write('main', { 'README.md': 'one\n' });
      await hidden.call('POST', '/repository/branches', { branch: 'secret-branch', ref: 'main' });
      const actions = [{ action: 'update', file_path: 'README.md', content: 'two\n' }];
      const { body: commit } = await hidden.commit('secret-branch', 'Secret commit', actions, {}, ada);
      const fields = { source_branch: 'secret-branch', target_branch: 'main', title: 'Secret change' };
      const { body: opened } = await hidden.call<{ iid: number }>('POST', '/merge_requests', fields);
      await hidden.call('POST', `/merge_requests/${opened.iid}/notes`, { body: 'Secret remark' });
      await hidden.call('POST', `/repository/commits/${commit.id}/comments`, { note: 'Secret remark' });
      await hidden.call('POST', '/issues', { title: 'Everybody may know' });
    });

    afterAll(() => service.close());

    const toldIn = (text: string): readonly string[] => SECRETS.filter((secret) => text.includes(secret));

    it('of a private project are told to its reporters, and not to its guests', async () => {
      for (const path of [`/projects/${hidden.id}/events`, `/users/${ada.id}/events`, '/events?scope=all']) {
        const [seen, left] = await Promise.all(
          [grace, guest].map(async ({ token }) => {
            const { status, body } = await service.call('GET', `${path}${path.includes('?') ? '&' : '?'}per_page=100`, {
              token,
            });
            expect(status).toBe(200);
            return JSON.stringify(body);
          }),
        );
        expect([path, toldIn(seen!)]).toEqual([path, SECRETS]);
        expect([path, toldIn(left!), left!.includes('Everybody may know')]).toEqual([path, [], true]);
      }
    });

    it('follow the visibility of the project', async () => {
      const told = async () => {
        const { body } = await service.call('GET', `/projects/${hidden.id}/events?per_page=100`, {
          token: guest.token,
        });
        return toldIn(JSON.stringify(body));
      };
      const jobRunner = service.service.container.get(TOKENS.jobRunner);
      await hidden.call('PUT', '', { visibility: 'internal' });
      await jobRunner.runDue();
      await until(async () => (await told()).length === SECRETS.length);
      await hidden.call('PUT', '', { visibility: 'private' });
      await jobRunner.runDue();
      await until(async () => (await told()).length === 0);
    });

    it('are on no page of guests', async () => {
      const browser = new FormBrowser(service.url);
      await browser.signIn('guest');
      for (const path of ['/', '/users/ada/activity', `/${hidden.project.path}/-/activity`]) {
        const response = await browser.get(path);
        expect([path, response.status, toldIn(await response.text())]).toEqual([path, 200, []]);
      }
    });
  });
});
