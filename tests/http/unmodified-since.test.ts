import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Changed {
  readonly id: number;
  readonly iid: number;
  readonly updated_at: string;
}

const ANOTHER_DAY = 86_400_000;

describeEachDatabase('a removal that says since when nothing may have changed', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let stranger: TestUser;
  let project: Changed;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { admin: true });
    stranger = await service.addUser('stranger');
    project = (await service.call<Changed>('POST', '/projects', { token: ada.token, json: { name: 'mill' } })).body;
  });

  afterAll(() => service.close());

  const remove = async (path: string, since: string, { token } = ada) => {
    const { status, body } = await service.call('DELETE', path, { token, headers: { 'If-Unmodified-Since': since } });
    return { status, body };
  };
  const make = async (path: string, json: object) =>
    (await service.call<Changed>('POST', path, { token: ada.token, json })).body;
  const dayBefore = (instant: string) => new Date(Date.parse(instant) - ANOTHER_DAY).toUTCString();

  const things = async (): Promise<readonly (readonly [path: string, thing: Changed])[]> => {
    const base = `/projects/${project.id}`;
    const issue = await make(`${base}/issues`, { title: 'Grinds' });
    const note = await make(`${base}/issues/${issue.iid}/notes`, { body: 'Slowly' });
    const milestone = await make(`${base}/milestones`, { title: 'Flour' });
    const snippet = await make('/snippets', { title: 'Notes', content: 'one', file_name: 'notes.txt' });
    const environment = await make(`${base}/environments`, { name: 'barn' });
    await service.call('POST', `${base}/environments/${environment.id}/stop`, { token: ada.token });
    return [
      [`${base}/issues/${issue.iid}/notes/${note.id}`, note],
      [`${base}/issues/${issue.iid}`, issue],
      [`${base}/milestones/${milestone.id}`, milestone],
      [`/snippets/${snippet.id}`, snippet],
      [`${base}/environments/${environment.id}`, environment],
      [base, project],
    ];
  };

  it('is refused for what changed later, and done for what did not', async () => {
    for (const [path, { updated_at }] of await things()) {
      expect([path, await remove(path, dayBefore(updated_at))]).toEqual([
        path,
        { status: 412, body: { message: '412 Precondition Failed' } },
      ]);
      const seen = (await service.call<Changed>('GET', path, { token: ada.token })).body.updated_at;
      // A date of HTTP has no milliseconds.
      const { status } = await remove(path, new Date(seen).toUTCString());
      expect([path, status]).toEqual([path, path === `/projects/${project.id}` ? 202 : 204]);
    }
  });

  it('holds a group to when it changed itself, and not what is in it', async () => {
    const { id } = await make('/groups', { name: 'Mills', path: 'mills' });
    const path = `/groups/${id}`;
    const made = service.clock.now();
    service.clock.advance(ANOTHER_DAY);
    await make('/groups', { name: 'Water', path: 'water', parent_id: id });
    expect((await remove(path, dayBefore(made.toISOString()))).status).toBe(412);
    await service.call('PUT', path, { token: ada.token, json: { description: 'By the river' } });
    expect((await remove(path, made.toUTCString())).status).toBe(412);
    const other = await make('/groups', { name: 'Barns', path: 'barns' });
    const seen = service.clock.now();
    service.clock.advance(ANOTHER_DAY);
    await make('/groups', { name: 'Hay', path: 'hay', parent_id: other.id });
    expect((await remove(`/groups/${other.id}`, seen.toUTCString())).status).toBe(202);
  });

  it('is done where the date is none', async () => {
    const { id } = await make('/snippets', { title: 'Notes', content: 'one', file_name: 'notes.txt' });
    expect((await remove(`/snippets/${id}`, 'yesterday')).status).toBe(204);
  });

  it('tells nobody who may not remove a thing whether it changed', async () => {
    const { id, updated_at } = await make('/projects', { name: 'hidden' });
    for (const since of [dayBefore(updated_at), updated_at])
      expect(await remove(`/projects/${id}`, since, stranger)).toEqual({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
  });
});
