import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '../../src/adapters/inbound/http/openapi/openapi-document.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface ProjectBody {
  readonly id: number;
  readonly star_count: number;
  readonly archived: boolean;
}

describeEachDatabase('stars and archives', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let root: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    root = await service.addUser('root', { admin: true });
    await service.addUser('visitor', { password: PASSWORD });
  });

  afterAll(() => service.close());

  const call = <Body = ProjectBody>(method: string, path: string, who?: TestUser, json?: object) =>
    service.call<Body>(method, path, {
      ...(who === undefined ? {} : { token: who.token }),
      ...(json === undefined ? {} : { json }),
    });

  const addProject = async (visibility = 'public') =>
    (await call('POST', '/projects', ada, { name: `engine-${(serial += 1)}`, visibility })).body.id;

  const ids = async (path: string, who?: TestUser) =>
    (await call<readonly { id: number }[]>('GET', path, who)).body.map(({ id }) => id);

  describe('stars', () => {
    it('are given and taken back, once each: 304 where it is so already', async () => {
      const id = await addProject();
      expect(await call('POST', `/projects/${id}/star`, grace)).toMatchObject({
        status: 201,
        body: { id, star_count: 1 },
      });
      const again = await call('POST', `/projects/${id}/star`, grace);
      expect([again.status, again.body]).toEqual([304, '']);
      expect((await call('POST', `/projects/${id}/star`, ada)).body.star_count).toBe(2);
      expect((await call('GET', `/projects/${id}`)).body.star_count).toBe(2);
      expect(await call('POST', `/projects/${id}/unstar`, grace)).toMatchObject({
        status: 201,
        body: { star_count: 1 },
      });
      expect((await call('POST', `/projects/${id}/unstar`, grace)).status).toBe(304);
    });

    it('are given and taken back by the button of the page of a project, which tells how many it has', async () => {
      const id = await addProject();
      const { path_with_namespace: path } = (await call<{ path_with_namespace: string }>('GET', `/projects/${id}`))
        .body;
      const page = `/${path}`;
      const person = await signedIn(service, 'visitor');
      const buttonIn = (html: string) => /name="starred" value="(\w+)"[^>]*>([^<]*)</.exec(html)?.slice(1);
      const read = async (who: FormBrowser, address = page) => (await who.get(address)).text();
      const press = async (starred: string) => {
        const answer = await person.submit(page, `${page}/-/star`, { starred });
        expect([answer.status, answer.headers.get('location')]).toEqual([303, page]);
        return buttonIn(await read(person));
      };
      expect(buttonIn(await read(person))).toEqual(['true', 'Star (0)']);
      // Twice is once.
      for (const _time of [1, 2]) expect(await press('true')).toEqual(['false', 'Unstar (1)']);
      expect(await read(person, '/explore/projects?of=starred')).toContain(`href="${page}"`);
      expect(await read(person, '/explore/projects?of=mine')).not.toContain(`href="${page}"`);
      const visitor = new FormBrowser(service.url);
      const seen = await read(visitor);
      expect([buttonIn(seen), seen.includes('· 1 star')]).toEqual([undefined, true]);
      expect(await read(visitor, '/explore/projects?of=starred')).toContain(`href="${page}"`);
      expect(await press('false')).toEqual(['true', 'Star (0)']);
      expect(await read(person, '/explore/projects?of=starred')).not.toContain(`href="${page}"`);
      const hidden = await addProject('private');
      const secret = (await call<{ path_with_namespace: string }>('GET', `/projects/${hidden}`, ada)).body;
      const refused = await person.submit(page, `/${secret.path_with_namespace}/-/star`, { starred: 'true' });
      expect(refused.status).toBe(404);
    });

    it('row "GET /projects/starred": `starred=true` lists those of the caller', async () => {
      const [one, other] = [await addProject(), await addProject()];
      await call('POST', `/projects/${one}/star`, grace);
      await call('POST', `/projects/${other}/star`, ada);
      expect(await ids('/projects?starred=true&per_page=100', grace)).toContain(one);
      expect(await ids('/projects?starred=true&per_page=100', grace)).not.toContain(other);
      expect(await ids('/projects?starred=false&per_page=100', grace)).toEqual(expect.arrayContaining([one, other]));
    });

    it('row "DELETE /projects/:id/star": only POST …/unstar takes a star back', async () => {
      const id = await addProject();
      await call('POST', `/projects/${id}/star`, grace);
      expect(await call('DELETE', `/projects/${id}/star`, grace)).toMatchObject({
        status: 405,
        body: { error: '405 Not Allowed' },
      });
      expect((await call('POST', `/projects/${id}/unstar`, grace)).status).toBe(201);
    });

    it('are listed of a person by id or name, as far as the caller sees the projects', async () => {
      const [open, hidden] = [await addProject('public'), await addProject('private')];
      for (const id of [open, hidden]) await call('POST', `/projects/${id}/star`, ada);
      expect(await ids(`/users/${ada.id}/starred_projects`, ada)).toEqual(expect.arrayContaining([open, hidden]));
      for (const who of [grace, undefined]) {
        expect(await ids('/users/ada/starred_projects', who)).toContain(open);
        expect(await ids('/users/ada/starred_projects', who)).not.toContain(hidden);
      }
      expect(await call('GET', '/users/nobody/starred_projects')).toMatchObject({
        status: 404,
        body: { message: '404 User Not Found' },
      });
    });

    it('name who gave them, the newest first, and find them by name', async () => {
      const id = await addProject();
      for (const who of [ada, grace]) {
        await call('POST', `/projects/${id}/star`, who);
        service.clock.advance(1_000);
      }
      const { body } = await call<unknown[]>('GET', `/projects/${id}/starrers`);
      expect(body).toEqual([
        { starred_since: expect.stringMatching(/Z$/), user: expect.objectContaining({ username: 'grace' }) },
        { starred_since: expect.stringMatching(/Z$/), user: expect.objectContaining({ username: 'ada' }) },
      ]);
      expect((await call<unknown[]>('GET', `/projects/${id}/starrers?search=grac`)).body).toHaveLength(1);
    });

    it('are for who is signed in and sees the project', async () => {
      const [open, hidden] = [await addProject('public'), await addProject('private')];
      expect((await call('POST', `/projects/${open}/star`)).status).toBe(401);
      expect((await call('POST', `/projects/${hidden}/star`, grace)).status).toBe(404);
      expect((await call('GET', `/projects/${hidden}/starrers`, grace)).status).toBe(404);
    });

    it('go with the person', async () => {
      const id = await addProject();
      const hedy = await service.addUser(`hedy-${serial}`);
      await call('POST', `/projects/${id}/star`, hedy);
      expect((await call('DELETE', `/users/${hedy.id}`, root)).status).toBe(204);
      expect((await call('GET', `/projects/${id}`)).body.star_count).toBe(0);
    });

    it('count two at once as two, and the same one twice as one', async () => {
      const id = await addProject();
      const statuses = await Promise.all(
        [ada, ada, grace, grace].map(async (who) => (await call('POST', `/projects/${id}/star`, who)).status),
      );
      expect(statuses.toSorted()).toEqual([201, 201, 304, 304]);
      expect((await call('GET', `/projects/${id}`)).body.star_count).toBe(2);
    });
  });

  describe('an archived project', () => {
    const archived = async () => {
      const id = await addProject();
      await call('POST', `/projects/${id}/issues`, ada, { title: 'Before' });
      await call('POST', `/projects/${id}/archive`, ada);
      return id;
    };

    it('is archived and given back by its owner; repeating it changes nothing', async () => {
      const id = await addProject();
      for (const verb of ['archive', 'archive'])
        expect(await call('POST', `/projects/${id}/${verb}`, ada)).toMatchObject({
          status: 201,
          body: { archived: true },
        });
      for (const verb of ['unarchive', 'unarchive'])
        expect(await call('POST', `/projects/${id}/${verb}`, ada)).toMatchObject({
          status: 201,
          body: { archived: false },
        });
    });

    it('is not archived by a maintainer, nor by way of a change of the project', async () => {
      const id = await addProject();
      await call('POST', `/projects/${id}/members`, ada, { user_id: grace.id, access_level: 40 });
      expect((await call('POST', `/projects/${id}/archive`, grace)).status).toBe(403);
      await call('PUT', `/projects/${id}`, grace, { archived: true, description: 'x' });
      expect((await call('GET', `/projects/${id}`, ada)).body.archived).toBe(false);
      expect((await call('POST', `/projects/${id}/archive`, root)).status).toBe(201);
    });

    it('is found by `archived=true` alone', async () => {
      const id = await archived();
      expect(await ids('/projects?archived=true&per_page=100', ada)).toContain(id);
      expect(await ids('/projects?archived=false&per_page=100', ada)).not.toContain(id);
      expect(await ids('/projects?per_page=100', ada)).toContain(id);
    });

    it('is read as before, and starred', async () => {
      const id = await archived();
      for (const path of [
        '',
        '/issues',
        '/issues/1',
        '/issues/1/notes',
        '/labels',
        '/milestones',
        '/events',
        '/members',
      ])
        expect([path, (await call('GET', `/projects/${id}${path}`, ada)).status]).toEqual([path, 200]);
      expect((await call('POST', `/projects/${id}/star`, grace)).status).toBe(201);
    });

    it('takes no change by any address that there is but those of the project as a whole', async () => {
      const id = await archived();
      const { paths } = (await call<OpenApiDocument>('GET', '/openapi.json', ada)).body;
      const taken: string[] = [];
      for (const [path, operations] of Object.entries(paths)) {
        const [, below] = /\/projects\/\{(?:id|project_id)\}(.*)$/.exec(path) ?? [];
        if (below === undefined) continue;
        const address = `/projects/${id}${below.replaceAll(/\{\w+\}/g, '1')}`;
        for (const method of Object.keys(operations).filter((name) =>
          ['post', 'put', 'patch', 'delete'].includes(name),
        )) {
          if (TRIED_ELSEWHERE.has(`${method} ${below}`)) continue;
          // Bad parameters: what is not refused for its project is not done either.
          const { status, body } = await call<{ message?: string }>(method.toUpperCase(), address, ada, { page: {} });
          const refused = status === 403 && body.message === '403 Forbidden - This project is archived and read-only';
          if (!refused) taken.push(`${method} ${below}`);
          if (method === 'post' && below === '/unarchive') await call('POST', `/projects/${id}/archive`, ada);
        }
      }
      expect(new Set(taken)).toEqual(new Set(POSSIBLE_IN_ARCHIVED.filter((each) => taken.includes(each))));
      expect(taken.length).toBeGreaterThan(5);
    });

    it('takes no issue, comment, label or milestone, from an administrator neither', async () => {
      const id = await archived();
      for (const who of [ada, root])
        for (const [method, path, json] of [
          ['POST', '/issues', { title: 'After' }],
          ['PUT', '/issues/1', { title: 'After' }],
          ['POST', '/issues/1/notes', { body: 'After' }],
          ['POST', '/labels', { name: 'after', color: '#ff0000' }],
          ['POST', '/milestones', { title: 'After' }],
        ] as const)
          expect(await call(method, `/projects/${id}${path}`, who, json)).toMatchObject({
            status: 403,
            body: { message: '403 Forbidden - This project is archived and read-only' },
          });
      await call('POST', `/projects/${id}/unarchive`, ada);
      expect((await call('POST', `/projects/${id}/issues`, ada, { title: 'After' })).status).toBe(201);
    });

    it('stays invisible to who did not see it before', async () => {
      const id = await addProject('private');
      await call('POST', `/projects/${id}/archive`, ada);
      expect((await call('POST', `/projects/${id}/issues`, grace, { title: 'After' })).status).toBe(404);
    });

    it('takes no alerts', async () => {
      const id = await addProject();
      const { body } = await call<{ url: string; token: string }>('POST', `/projects/${id}/alert_integrations`, ada, {
        type: 'generic',
        name: 'Monitoring',
        active: true,
      });
      const send = () =>
        fetch(body.url, {
          method: 'POST',
          headers: { Authorization: `Bearer ${body.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ title: 'Down' }),
        });
      expect((await send()).status).toBe(200);
      await call('POST', `/projects/${id}/archive`, ada);
      expect((await send()).status).toBe(403);
    });
  });
});

/** The one of the project as a whole that would end the test, and the one that takes a form with a file alone (`uploads.test.ts`). */
const TRIED_ELSEWHERE = new Set([
  ...['delete ', 'post /uploads'],
  // It takes a token: pipeline-triggers.test.ts.
  ...['post /trigger/pipeline', 'post /ref/{ref}/trigger/pipeline'],
]);

/** Everything else is refused, also what is added later. */
const POSSIBLE_IN_ARCHIVED = [
  // Settings of the project.
  'put ',
  'post /approvals',
  'post /archive',
  'post /unarchive',
  'put /transfer',
  'post /members',
  'put /members/{user_id}',
  'delete /members/{user_id}',
  'post /invitations',
  'put /invitations/{email}',
  'delete /invitations/{email}',
  // Nobody asks any more, and who did is answered.
  'put /access_requests/{user_id}/approve',
  'delete /access_requests/{user_id}',
  'post /share',
  'delete /share/{group_id}',
  // Whoever must take away a key, a token or a file can do so.
  'post /deploy_keys',
  'post /deploy_keys/{key_id}/enable',
  'put /deploy_keys/{key_id}',
  'delete /deploy_keys/{key_id}',
  'post /deploy_tokens',
  'delete /deploy_tokens/{token_id}',
  'post /access_tokens',
  'post /access_tokens/{token_id}/rotate',
  'delete /access_tokens/{token_id}',
  'post /access_tokens/self/rotate',
  'delete /uploads/{upload_id}',
  'delete /uploads/{secret}/{filename}',
  // What is there is packed anew and stays the same.
  'post /housekeeping',
  // What is the caller's own.
  'post /star',
  'post /unstar',
  'put /notification_settings',
  'post /issues/{iid}/subscribe',
  'post /issues/{iid}/unsubscribe',
  'post /labels/{label_id}/subscribe',
  'post /labels/{label_id}/unsubscribe',
  'post /issues/{iid}/todo',
  'post /merge_requests/{merge_request_iid}/subscribe',
  'post /merge_requests/{merge_request_iid}/unsubscribe',
  'post /merge_requests/{merge_request_iid}/todo',
  // Makes another project.
  'post /fork',
  'post /fork/{forked_from_id}',
  'delete /fork',
];
