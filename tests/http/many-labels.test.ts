import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const MOST = 100;
const HUNDREDS = 6;
/** So many names fit into one line. */
const IN_A_LINE = 24;
const TOO_MANY = { status: 400, body: { message: { labels: [`are at most ${MOST}`] } } };

interface Labelled {
  readonly iid: number;
  readonly labels: readonly string[];
}

const hundred = (n: number): readonly string[] => Array.from({ length: MOST }, (_, index) => `${n}a${index}`);

const actionsFor = (names: readonly string[]): string =>
  Array.from({ length: Math.ceil(names.length / IN_A_LINE) }, (_, line) =>
    ['/label', ...names.slice(line * IN_A_LINE, (line + 1) * IN_A_LINE).map((name) => `~${name}`)].join(' '),
  ).join('\n');

describeEachDatabase('issues and merge requests of a project with hundreds of labels', (openTestDatabase) => {
  let service: TestService;
  let owner: TestUser;
  let stranger: TestUser;
  let mill: WrittenProject;

  const call = <Body = Labelled>(method: string, path: string, json?: object, user = owner) =>
    mill.call<Body>(method, path, json, user);
  const open = async (fields: object = {}, user = owner) =>
    (await call('POST', '/issues', { title: 'Tangled', ...fields }, user)).body.iid;
  const labelsOf = async (path: string) => (await call('GET', path)).body.labels.length;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [owner, stranger] = [await service.addUser('owner', { password: PASSWORD }), await service.addUser('stranger')];
    mill = await WrittenProject.make(service, owner, { name: 'mill', visibility: 'public' });
    await mill.write('main', { 'README.md': '# Mill\n' });
    for (let n = 0; n < HUNDREDS; n += 1) await open({ labels: hundred(n).join(',') });
  });

  afterAll(() => service.close());

  it('have at most a hundred each, also where those come by and by', async () => {
    expect(await labelsOf('/issues/1')).toBe(MOST);
    expect(await call('PUT', '/issues/1', { add_labels: '1a0' })).toMatchObject(TOO_MANY);
    expect(await labelsOf('/issues/1')).toBe(MOST);
    expect(await call('PUT', '/issues/1', { add_labels: '1a0', remove_labels: '0a0' })).toMatchObject({ status: 200 });
    expect(await labelsOf('/issues/1')).toBe(MOST);

    await mill.write('more', { 'more.txt': 'more' }, { start_branch: 'main' });
    const wanted = { source_branch: 'more', target_branch: 'main', title: 'More', labels: hundred(0).join(',') };
    const { iid } = (await call('POST', '/merge_requests', wanted)).body;
    expect(await call('PUT', `/merge_requests/${iid}`, { add_labels: '1a0' })).toMatchObject(TOO_MANY);
    expect(await labelsOf(`/merge_requests/${iid}`)).toBe(MOST);
  });

  it('have no more of two who add some at once', async () => {
    const iid = await open({ labels: hundred(0).slice(1).join(',') });
    const answers = await Promise.all(
      ['1a0', '2a0'].map((name) => call('PUT', `/issues/${iid}`, { add_labels: name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await labelsOf(`/issues/${iid}`)).toBe(MOST);
  });

  it('get none of the labels of a text that names more, by whoever wrote it', async () => {
    const all = Array.from({ length: HUNDREDS }, (_, n) => hundred(n)).flat();
    const body = `Look\n${actionsFor(all)}`;
    const refused = await call('POST', '/issues', { title: 'All', description: body }, stranger);
    expect(refused).toMatchObject(TOO_MANY);
    const iid = await open({}, stranger);
    expect(await call('POST', `/issues/${iid}/notes`, { body }, stranger)).toMatchObject(TOO_MANY);
    expect(await labelsOf(`/issues/${iid}`)).toBe(0);
    expect((await call<readonly unknown[]>('GET', `/issues/${iid}/notes`)).body).toEqual([]);
    const few = actionsFor(hundred(0));
    expect(await call('POST', `/issues/${iid}/notes`, { body: few }, stranger)).toMatchObject({ status: 202 });
    expect(await labelsOf(`/issues/${iid}`)).toBe(MOST);
  });

  it('are refused more on their pages, too', async () => {
    const browser = new FormBrowser(service.url);
    await browser.signIn('owner');
    const address = `/${mill.project.path}/-/issues/1`;
    const said = await browser.submitAndRead(address, `${address}/notes`, { body: '/label ~3a3' });
    expect(said).toMatchObject({ status: 400, html: expect.stringContaining(`are at most ${MOST}`) });
  });

  it('take as many along as they have where they are cloned and moved', async () => {
    const to_project_id = (
      await service.call<{ id: number }>('POST', '/projects', {
        token: owner.token,
        json: { name: 'other' },
      })
    ).body.id;
    const clone = await call('POST', '/issues/2/clone', { to_project_id: mill.project.id });
    expect([clone.status, clone.body.labels.length]).toEqual([201, MOST]);
    expect(await call('POST', '/issues/2/move', { to_project_id })).toMatchObject({ status: 201 });
  });
});
