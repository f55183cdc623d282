import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('addresses of what was renamed or moved', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let browser: FormBrowser;
  let count = 0;
  /** The paths of a group and of another one. */
  let [here, there] = ['', ''];
  let [groupId, otherId, projectId] = [0, 0, 0];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    grace = await service.addUser('grace', { password: PASSWORD });
    browser = await signedIn('ada');
  });
  afterAll(() => service.close());

  const signedIn = async (name: string): Promise<FormBrowser> => {
    const made = new FormBrowser(service.url);
    await made.signIn(name);
    return made;
  };
  const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, json: object = {}, who = ada) => {
    const { status, body } = await service.call<{ id: number }>(method, path, { token: who.token, json });
    expect([method, path, status]).toEqual([method, path, expect.any(Number)]);
    expect(status).toBeLessThan(300);
    return body;
  };
  const addGroup = async (path: string, more: object = {}) =>
    (await call('POST', '/groups', { name: path, path, visibility: 'public', ...more })).id;
  const addProject = async (path: string, namespace_id: number, visibility = 'public') =>
    (await call('POST', '/projects', { name: path, path, namespace_id, visibility })).id;

  /** Where an address leads; its status where it leads nowhere else. */
  const leadsTo = async (address: string, who = browser): Promise<string | number | null> => {
    const { status, headers } = await who.get(address);
    return status === 302 ? headers.get('location') : status;
  };

  beforeEach(async () => {
    count += 1;
    [here, there] = [`here-${count}`, `there-${count}`];
    groupId = await addGroup(here);
    otherId = await addGroup(there);
    projectId = await addProject('engine', groupId);
  });

  it('lead on to a renamed project, with all that follows the path', async () => {
    await call('PUT', `/projects/${projectId}`, { path: 'mill' });
    expect(await leadsTo(`/${here}/engine`)).toBe(`/${here}/mill`);
    expect(await leadsTo(`/${here.toUpperCase()}/Engine/-/issues?state=all&search=a%2Fb`)).toBe(
      `/${here}/mill/-/issues?state=all&search=a%2Fb`,
    );
    expect(await leadsTo(`/${here}/mill/-/issues`)).toBe(200);
    expect(await leadsTo(`/${here}/mill/-/issues/99`)).toBe(404);
    expect(await leadsTo(`/${here}/other/-/issues`)).toBe(404);
  });

  it('lead on to a moved project, and to all that is below a renamed or moved group', async () => {
    await addGroup('sub', { parent_id: groupId });
    await call('PUT', `/projects/${projectId}/transfer`, { namespace: otherId });
    const left = await addProject('left', groupId);
    await call('PUT', `/groups/${groupId}`, { path: `new-${here}` });
    await call('POST', `/groups/${groupId}/transfer`, { group_id: otherId });
    await call('PUT', `/projects/${left}`, { path: 'right' });
    expect(await leadsTo(`/${here}/engine`)).toBe(`/${there}/engine`);
    expect(await leadsTo(`/groups/${here}`)).toBe(`/groups/${there}/new-${here}`);
    expect(await leadsTo(`/groups/${here}/sub/-/members`)).toBe(`/groups/${there}/new-${here}/sub/-/members`);
    expect(await leadsTo(`/${here}/left/-/activity`)).toBe(`/${there}/new-${here}/right/-/activity`);
    expect(await leadsTo(`/new-${here}/left`)).toBe(`/${there}/new-${here}/right`);
  });

  it('lead on to the projects of an account that was renamed, and to its page', async () => {
    const name = `emmy-${count}`;
    const emmy = await service.addUser(name, { password: PASSWORD });
    const { id } = await call('POST', '/projects', { name: 'rings', visibility: 'public' }, emmy);
    const admin = await service.addUser(`admin-${count}`, { admin: true });
    await call('PUT', `/users/${emmy.id}`, { username: `noether-${count}` }, admin);
    expect(await leadsTo(`/${name}/rings`)).toBe(`/noether-${count}/rings`);
    expect(await leadsTo(`/${name}`)).toBe(`/noether-${count}`);
    expect(await leadsTo(`/users/${name}/activity?day=2026-03-01`)).toBe(
      `/users/noether-${count}/activity?day=2026-03-01`,
    );
    expect(await leadsTo(`/users/noether-${count}/activity`)).toBe(200);
    await call('DELETE', `/projects/${id}`, {}, emmy);
    expect(await leadsTo(`/${name}/rings`)).toBe(404);
  });

  it('lead nowhere else once somebody took the path, also after they have left it', async () => {
    await call('PUT', `/groups/${groupId}`, { path: `new-${here}` });
    await call('PUT', `/projects/${projectId}`, { path: 'mill' });
    expect(await leadsTo(`/${here}/engine`)).toBe(`/new-${here}/mill`);
    const taker = (await call('POST', '/groups', { name: here, path: here, visibility: 'private' }, grace)).id;
    expect(await leadsTo(`/groups/${here}`)).toBe(404);
    expect(await leadsTo(`/${here}/engine`)).toBe(404);
    await call('PUT', `/groups/${taker}`, { path: `${here}-of-grace` }, grace);
    expect(await leadsTo(`/groups/${here}`)).toBe(404);
    expect(await leadsTo(`/groups/${here}`, await signedIn('grace'))).toBe(`/groups/${here}-of-grace`);
    // Back where it was.
    await call('PUT', `/groups/${groupId}`, { path: here });
    expect(await leadsTo(`/groups/${here}`)).toBe(200);
    expect(await leadsTo(`/new-${here}/mill`)).toBe(`/${here}/mill`);
  });

  it('lead on where they lack what stands between a place and its pages now, also of a renamed project', async () => {
    expect(await leadsTo(`/${here}/engine/issues/1?a=b`)).toBe(`/${here}/engine/-/issues/1?a=b`);
    expect(await leadsTo(`/${here}/engine/tree/main/issues/tree`)).toBe(`/${here}/engine/-/tree/main/issues/tree`);
    expect(await leadsTo(`/${here}/engine/commit/${'a'.repeat(40)}`)).toBe(
      `/${here}/engine/-/commit/${'a'.repeat(40)}`,
    );
    expect(await leadsTo(`/groups/${here}/merge_requests`)).toBe(`/groups/${here}/-/merge_requests`);
    await call('PUT', `/projects/${projectId}`, { path: 'mill' });
    expect(await leadsTo(`/${here}/engine/merge_requests/1`)).toBe(`/${here}/mill/-/merge_requests/1`);
    expect(await leadsTo(`/${here}/mill/-/issues/7`)).toBe(404);
    expect(await leadsTo(`/${here}/mill/elsewhere`)).toBe(404);
    expect(await leadsTo('/ada/issues')).toBe(404);
  });

  it('that lack it tell nobody of what they may not see', async () => {
    await addProject('secret', groupId, 'private');
    const stranger = await signedIn('grace');
    expect(await leadsTo(`/${here}/secret/issues/1`)).toBe(`/${here}/secret/-/issues/1`);
    expect(await leadsTo(`/${here}/secret/issues/1`, stranger)).toBe(404);
    expect(await leadsTo(`/${here}/nothing/issues/1`, stranger)).toBe(404);
  });

  it('tell nobody of what they may not see', async () => {
    await call('PUT', `/projects/${projectId}`, { path: 'mill', visibility: 'private' });
    const strangers = [new FormBrowser(service.url), await signedIn('grace')];
    for (const who of strangers) {
      expect(await leadsTo(`/${here}/engine`, who)).toBe(404);
      expect((await who.get(`/${here}/engine`)).status).toBe((await who.get(`/${here}/never`)).status);
    }
    expect(await leadsTo(`/${here}/engine`)).toBe(`/${here}/mill`);
    await call('POST', `/projects/${projectId}/members`, { user_id: grace.id, access_level: 20 });
    expect(await leadsTo(`/${here}/engine`, strangers[1])).toBe(`/${here}/mill`);
  });

  it('of a group are none of an account, so that nobody learns its new name by them', async () => {
    const hidden = `hidden-${count}`;
    const id = await addGroup(hidden, { visibility: 'private' });
    await call('PUT', `/groups/${id}`, { path: `new-${hidden}` });
    expect(await leadsTo(`/groups/${hidden}`)).toBe(`/groups/new-${hidden}`);
    for (const who of [browser, new FormBrowser(service.url)])
      for (const address of [`/${hidden}`, `/users/${hidden}/activity`]) expect(await leadsTo(address, who)).toBe(404);
  });

  it('lead nowhere once what was there is removed', async () => {
    await call('PUT', `/projects/${projectId}`, { path: 'mill' });
    await call('DELETE', `/projects/${projectId}`);
    expect(await leadsTo(`/${here}/engine`)).toBe(404);
  });

  describe('of the API', () => {
    /** Where an address of the API leads; its status and what is said where it leads nowhere else. */
    const ask = async (path: string, who?: TestUser, method = 'GET') => {
      const response = await fetch(`${service.url}/api/v4${path}`, {
        method,
        redirect: 'manual',
        ...(who && { headers: { 'PRIVATE-TOKEN': who.token } }),
      });
      const { status, headers } = response;
      return { status, location: headers.get('location'), said: method === 'HEAD' ? null : await response.json() };
    };
    const at = (path: string) => `${service.url}/api/v4${path}`;

    it('lead on to a project and a group, with all that follows the path', async () => {
      await call('PUT', `/projects/${projectId}`, { path: 'mill' });
      await call('POST', `/groups/${groupId}/transfer`, { group_id: otherId });
      const now = `${there}%2F${here}%2Fmill`;
      expect(await ask(`/projects/${here.toUpperCase()}%2FEngine`, ada)).toEqual({
        status: 301,
        location: at(`/projects/${now}`),
        said: { error: `This project is now at ${there}/${here}/mill.` },
      });
      for (const rest of ['/issues?state=all&search=a%2Fb', '/members/all?page=2', '/events', '/repository/tree'])
        expect(await ask(`/projects/${here}%2Fengine${rest}`, ada)).toMatchObject({
          status: 301,
          location: at(`/projects/${now}${rest}`),
        });
      expect(await ask(`/projects/${here}%2Fengine`)).toMatchObject({ status: 301 });
      expect(await ask(`/projects/${here}%2Fengine`, ada, 'HEAD')).toMatchObject({ location: at(`/projects/${now}`) });
      expect(await ask(`/groups/${here}/projects?simple=1`, ada)).toMatchObject({
        status: 301,
        location: at(`/groups/${there}%2F${here}/projects?simple=1`),
      });
      // What is missing at the address of now is missing.
      expect(await ask(`/projects/${now}/issues/99`, ada)).toMatchObject({ status: 404, location: null });
      const followed = await service.call<{ id: number }>('GET', `/projects/${here}%2Fengine`, { token: ada.token });
      expect([followed.status, followed.body.id]).toEqual([200, projectId]);
    });

    it('change nothing, and say where it is', async () => {
      await call('PUT', `/projects/${projectId}`, { path: 'mill' });
      for (const method of ['PUT', 'DELETE'])
        expect(await ask(`/projects/${here}%2Fengine`, ada, method)).toEqual({
          status: 405,
          location: null,
          said: { error: `This project is now at ${here}/mill: only GET requests are redirected there.` },
        });
      expect((await ask(`/projects/${here}%2Fengine/issues`, undefined, 'POST')).status).toBe(401);
      expect((await ask(`/projects/${here}%2Fmill`, ada)).status).toBe(200);
    });

    it('tell nobody of what they may not see', async () => {
      await call('PUT', `/projects/${projectId}`, { path: 'mill', visibility: 'private' });
      const notFound = { status: 404, location: null, said: { message: '404 Project Not Found' } };
      for (const [who, method] of [
        [undefined, 'GET'],
        [grace, 'GET'],
        [grace, 'PUT'],
      ] as const)
        for (const path of ['engine', 'never'])
          expect(await ask(`/projects/${here}%2F${path}`, who, method)).toEqual(notFound);
    });
  });

  it('are kept of the last 50 of each', async () => {
    for (let name = 1; name <= 52; name += 1) await call('PUT', `/projects/${projectId}`, { path: `mill-${name}` });
    expect(await leadsTo(`/${here}/engine`)).toBe(404);
    expect(await leadsTo(`/${here}/mill-1`)).toBe(404);
    expect(await leadsTo(`/${here}/mill-2`)).toBe(`/${here}/mill-52`);
  });
});
