import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const GROUP = '/groups/works/-/settings/badges';
const PLACE = '/works/mill';
const OF_PROJECT = `${PLACE}/-/settings/badges`;
const SAID = { name: 'State', link_url: 'https://ci.example/%{project_path}', image_url: 'https://ci.example/a.svg' };

interface Badge {
  readonly id: number;
  readonly name: string | null;
  readonly link_url: string;
}

withGit('badges in the pages', () => {
  describeEachDatabase('badges in the pages', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let groupId: number;
    let mill: WrittenProject;
    const browsers: Record<string, FormBrowser> = {};

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      const people: Record<string, TestUser> = {};
      for (const name of ['maintainer', 'developer', 'guest', 'eve'])
        people[name] = await service.addUser(name, { password: PASSWORD });
      groupId = (await call<{ id: number }>('POST', '/groups', { name: 'Works', path: 'works' })).body.id;
      mill = await WrittenProject.make(service, ada, { name: 'mill', namespace_id: groupId });
      await mill.write('main', { 'README.md': '# Mill\n' });
      await mill.addMember(people['maintainer']!, 40);
      await mill.addMember(people['developer']!, 30);
      await mill.addMember(people['guest']!, 10);
      for (const name of ['ada', ...Object.keys(people)]) browsers[name] = await signedIn(service, name);
      browsers['visitor'] = new FormBrowser(service.url);
    });
    afterAll(() => service.close());

    const call = <Body = unknown>(method: string, path: string, json?: object) =>
      service.call<Body>(method, path, { token: ada.token, ...(json === undefined ? {} : { json }) });
    const read = async (path: string, who = 'ada') => (await browsers[who]!.get(path)).text();
    /** Sends the form of a page to its own address, and reads the page that it leads to. */
    const send = (page: string, values: Record<string, string>) => browsers['ada']!.submitAndRead(page, page, values);
    const stored = async (place: string) => (await call<Badge[]>('GET', `${place}/badges`)).body;

    it.each([
      ['a project', OF_PROJECT, () => `/projects/${mill.id}`],
      ['a group', GROUP, () => `/groups/${groupId}`],
    ])('of %s are added, changed, and removed after a question', async (_, page, place) => {
      expect(await read(page)).toContain('None yet.');
      const added = await send(page, { ...SAID, name: ' <b>State ' });
      expect([added.status, added.to, added.notice]).toEqual([303, page, 'Badge “&lt;b&gt;State” added.']);
      expect(added.html).toContain('%{project_path}');
      const [badge] = await stored(place());
      expect(badge).toMatchObject({ ...SAID, name: '<b>State' });
      const one = `${page}/${badge!.id}`;
      expect(await read(one)).toContain('value="https://ci.example/a.svg"');
      const changed = await send(one, { ...SAID, name: '', link_url: 'https://ci.example/other' });
      expect([changed.to, changed.notice]).toEqual([page, 'Badge “https://ci.example/a.svg” saved.']);
      expect(await stored(place())).toMatchObject([{ name: null, link_url: 'https://ci.example/other' }]);
      const overtaken = await send(one, { ...SAID, seen: 'another' });
      expect(overtaken.status).toBe(409);
      expect(await read(`${one}/remove`)).toContain('Remove the badge https://ci.example/a.svg?');
      const removed = await send(`${one}/remove`, {});
      expect([removed.to, await stored(place())]).toEqual([page, []]);
      for (const gone of [one, `${one}/remove`]) expect((await browsers['ada']!.get(gone)).status).toBe(404);
    });

    it('that are refused are shown again beside why', async () => {
      const refused = await send(OF_PROJECT, { ...SAID, image_url: 'javascript:alert(1)' });
      expect(refused.status).toBe(400);
      expect(refused.html).toMatch(/id="image_url-problem"[^>]*>[^<]*must be an http or https address/);
      expect(refused.html).toContain('value="javascript:alert(1)"');
      expect(await stored(`/projects/${mill.id}`)).toEqual([]);
    });

    it('of a group are listed in its projects, and changed in the group alone', async () => {
      const { id } = (await call<Badge>('POST', `/groups/${groupId}/badges`, SAID)).body;
      const html = await read(OF_PROJECT);
      expect(html).toContain('Of a group');
      expect(html).not.toContain(`${OF_PROJECT}/${id}`);
      expect((await browsers['ada']!.get(`${OF_PROJECT}/${id}`)).status).toBe(404);
      expect((await browsers['ada']!.post(`${OF_PROJECT}/${id}/remove`, {})).status).not.toBe(303);
      await call('DELETE', `/groups/${groupId}/badges/${id}`);
    });

    it('stand below the title of a project: pictures of this server as pictures, those of others as links', async () => {
      const own = '%{project_path}/-/badges/%{default_branch}/pipeline.svg';
      const image_url = `${service.url}/${own}`;
      await call('POST', `/groups/${groupId}/badges`, { ...SAID, name: 'Pipe <b>', image_url });
      await call('POST', `/projects/${mill.id}/badges`, { link_url: SAID.link_url, image_url: SAID.image_url });
      await call('POST', `/projects/${mill.id}/badges`, {
        ...SAID,
        name: 'Out',
        image_url: `${service.url}/users/sign_in`,
      });
      const html = await read(PLACE);
      const [list] = /<ul class="badges"[^]*?<\/ul>/.exec(html)!;
      const rel = 'rel="nofollow noreferrer noopener"';
      expect(list.match(/<a [^]*?<\/a>/g)).toEqual([
        `<a href="https://ci.example/works/mill" ${rel}><img src="${PLACE}/-/badges/main/pipeline.svg" alt="Pipe &lt;b&gt;" loading="lazy"></a>`,
        `<a href="https://ci.example/works/mill" ${rel}>Badge of ci.example</a>`,
        `<a href="https://ci.example/works/mill" ${rel}>Out</a>`,
      ]);
      // Nobody knows yet of which project the picture will be.
      expect((await read(GROUP)).match(/<img src="\/(?!assets)/g)).toBeNull();
    });

    it('are for those to change who look after the project, or own the group', async () => {
      const statuses = async (page: string) => {
        const found: number[] = [];
        for (const who of ['ada', 'maintainer', 'developer', 'guest', 'eve', 'visitor'])
          found.push((await browsers[who]!.get(page)).status);
        return found;
      };
      expect(await statuses(OF_PROJECT)).toEqual([200, 200, 403, 403, 404, 303]);
      expect(await statuses(GROUP)).toEqual([200, 404, 404, 404, 404, 303]);
      expect(await read(`${PLACE}/-/settings`, 'maintainer')).toContain(`href="${OF_PROJECT}"`);
    });

    it('that this server draws are shown in the settings of CI/CD, with the Markdown for a README', async () => {
      const html = await read(`${PLACE}/-/settings/ci_cd`);
      const at = `${service.url}${PLACE}/-`;
      expect(html).toContain(`value="[![pipeline](${at}/badges/main/pipeline.svg)](${at}/pipelines?ref=main)"`);
      expect(html).toContain(`value="[![release](${at}/badges/release.svg)](${at}/releases)"`);
      for (const picture of ['main/pipeline.svg', 'main/coverage.svg', 'release.svg']) {
        expect(html).toContain(`<img src="${PLACE}/-/badges/${picture}"`);
        expect((await browsers['maintainer']!.get(`${PLACE}/-/badges/${picture}`)).status).toBe(200);
      }
      await call('PUT', `/projects/${mill.id}`, { releases_access_level: 'disabled' });
      const without = await read(`${PLACE}/-/settings/ci_cd`);
      expect(without).toContain('main/coverage.svg');
      expect(without).not.toContain('release.svg');
    });
  });
});
