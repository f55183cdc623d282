import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, hiddenField } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface BoardBody {
  readonly id: number;
  readonly name: string;
  readonly lists: readonly { readonly id: number; readonly label: { readonly name: string } }[];
}
interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly state: string;
  readonly labels: readonly string[];
}

const NAMES = ['ada', 'reporter', 'guest', 'stranger'] as const;
type Name = (typeof NAMES)[number];

describeEachDatabase('pages of boards', (openTestDatabase) => {
  let service: TestService;
  let visitor: FormBrowser;
  const users = {} as Record<Name, TestUser>;
  const browsers = {} as Record<Name, FormBrowser>;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    visitor = new FormBrowser(service.url);
    for (const name of NAMES) {
      users[name] = await service.addUser(name);
      browsers[name] = await signedIn(service, name);
    }
  });

  afterAll(() => service.close());

  /** A project with a board that has the lists "todo" and "doing". */
  const addProject = async (visibility = 'private') => {
    const { body } = await service.call<{ id: number; path_with_namespace: string }>('POST', '/projects', {
      token: users.ada.token,
      json: { name: `mill-${(serial += 1)}`, visibility },
    });
    const call = async <Body>(method: string, path: string, json?: object): Promise<Body> => {
      const asked = { token: users.ada.token, ...(json !== undefined && { json }) };
      return (await service.call<Body>(method, `/projects/${body.id}${path}`, asked)).body;
    };
    await call('POST', '/members', { user_id: users.reporter.id, access_level: 20 });
    await call('POST', '/members', { user_id: users.guest.id, access_level: 10 });
    const readBoard = async () => (await call<readonly [BoardBody]>('GET', '/boards'))[0];
    const { id } = await readBoard();
    for (const name of ['todo', 'doing', 'later']) {
      const label = await call<{ id: number }>('POST', '/labels', { name, color: '#112233' });
      if (name !== 'later') await call('POST', `/boards/${id}/lists`, { label_id: label.id });
    }
    const [todo, doing] = (await readBoard()).lists;
    const all = `/${body.path_with_namespace}/-/boards`;
    const address = `${all}/${id}`;
    const addIssue = (title: string, fields: object = {}) => call<IssueBody>('POST', '/issues', { title, ...fields });
    const readIssue = (iid: number) => call<IssueBody>('GET', `/issues/${iid}`);
    const send = async (who: FormBrowser, to: string, values: Record<string, string>) => {
      const answer = await who.submit(address, `${address}${to}`, values);
      return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() };
    };
    const move = (iid: number, from: string | number, to: string | number, who = browsers.reporter) =>
      send(who, `/cards/${iid}`, { from: String(from), to: String(to) });
    const lists = { todo: todo!.id, doing: doing!.id };
    return { ...body, call, readBoard, readIssue, addIssue, all, address, send, move, ...lists };
  };

  const read = async (who: FormBrowser, address: string): Promise<string> => (await who.get(address)).text();

  /** What stands in each column: its count as it is told, and the titles of its cards. */
  const columnsOf = (html: string): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(
      html
        .split('<section aria-labelledby="column-')
        .slice(1)
        .map((part) => {
          const column = part.split('</section>')[0]!;
          const [, heading = ''] = /<h2[^>]*>(.*?)<small>/s.exec(column) ?? [];
          const [, count = ''] = /<small>(\d+\+?)/.exec(column) ?? [];
          const titles = [...column.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, title = '']) => title);
          return [heading.replaceAll(/<[^>]*>/g, '').trim(), [count, ...titles]];
        }),
    );

  it('show the open issues that have no list, those of each list, and the closed ones, with how many there are', async () => {
    const { addIssue, call, all, address } = await addProject();
    await addIssue('Free');
    await addIssue('Planned', { labels: 'todo,later', due_date: '2027-01-31', assignee_ids: [users.ada.id] });
    const { iid } = await addIssue('Done', { labels: 'doing' });
    await call('PUT', `/issues/${iid}`, { state_event: 'close' });
    const html = await read(browsers.guest, all);
    expect(columnsOf(html)).toEqual({
      Open: ['1', 'Free'],
      todo: ['1', 'Planned'],
      doing: ['0'],
      Closed: ['1', 'Done'],
    });
    for (const words of ['#2', 'later', 'due 2027-01-31', 'assigned to', 'aria-current="page"'])
      expect(html).toContain(words);
    expect(columnsOf(await read(browsers.guest, address))).toEqual(columnsOf(html));
  });

  it('show twenty cards of a column, and lead to the issue list that goes on, filtered alike', async () => {
    const { addIssue, address, path_with_namespace: path } = await addProject();
    for (let each = 0; each < 21; each += 1) await addIssue(`Pump ${each}`, { labels: 'todo,later' });
    await addIssue('Valve', { labels: 'todo' });
    const html = await read(browsers.guest, `${address}?search=pump&label=later`);
    expect(columnsOf(html)['todo']).toHaveLength(21);
    expect(columnsOf(html)['todo']?.[0]).toBe('21');
    const more = `/${path}/-/issues?state=opened&search=pump&label=later%2Ctodo`;
    expect(html).toContain(`href="${more.replaceAll('&', '&amp;')}"`);
    const list = await read(browsers.guest, `${more}&page=2`);
    expect([...list.matchAll(/<strong>Pump/g)]).toHaveLength(1);
    expect(columnsOf(await read(browsers.guest, `${address}?label=later&search=none`))).toEqual({
      Open: ['0'],
      todo: ['0'],
      doing: ['0'],
      Closed: ['0'],
    });
  });

  it('count and show no confidential issue to whoever may not see it', async () => {
    const { addIssue, address } = await addProject('public');
    await addIssue('Hush', { confidential: true, labels: 'todo' });
    for (const who of [browsers.guest, browsers.stranger, visitor])
      expect(columnsOf(await read(who, address))['todo']).toEqual(['0']);
    expect(columnsOf(await read(browsers.reporter, address))['todo']).toEqual(['1', 'Hush']);
  });

  it('move a card between lists, to the closed ones and back, as if the issue was changed by hand', async () => {
    const { addIssue, readIssue, call, move, address, todo, doing } = await addProject();
    const { iid } = await addIssue('Pump', { labels: 'todo,later' });
    const at = async () => {
      const { state, labels } = await readIssue(iid);
      return [state, ...labels];
    };
    expect(await move(iid, todo, doing)).toMatchObject({ status: 303, to: address });
    expect(await at()).toEqual(['opened', 'doing', 'later']);
    await move(iid, doing, 'closed');
    expect(await at()).toEqual(['closed', 'doing', 'later']);
    await move(iid, 'closed', todo);
    expect(await at()).toEqual(['opened', 'doing', 'later', 'todo']);
    await move(iid, todo, 'open');
    expect(await at()).toEqual(['opened', 'later']);
    type Event = { readonly action?: string; readonly state?: string; readonly label?: { readonly name: string } };
    const labelled = await call<readonly Event[]>('GET', `/issues/${iid}/resource_label_events`);
    const told = labelled.map(({ action, label }) => `${action} ${label?.name}`);
    expect(told).toEqual(expect.arrayContaining(['add doing', 'remove todo', 'remove doing']));
    const states = await call<readonly Event[]>('GET', `/issues/${iid}/resource_state_events`);
    expect(states.map(({ state }) => state)).toEqual(['closed', 'reopened']);
  });

  it('put a card between the two that it is dropped between, in its column and in another one', async () => {
    const { addIssue, address, send, todo, doing } = await addProject();
    const [one, two, three] = [
      await addIssue('One', { labels: 'todo' }),
      await addIssue('Two', { labels: 'todo' }),
      await addIssue('Three', { labels: 'doing' }),
    ];
    const drop = (
      iid: number,
      from: number,
      to: number,
      beside: { readonly above?: number; readonly below?: number },
    ) =>
      send(browsers.reporter, `/cards/${iid}`, {
        from: String(from),
        to: String(to),
        above: String(beside.above ?? ''),
        below: String(beside.below ?? ''),
      });
    const order = async () => columnsOf(await read(browsers.ada, address));
    expect(await drop(two.iid, todo, todo, { below: one.id })).toMatchObject({ status: 303, to: address });
    expect(await order()).toMatchObject({ todo: ['2', 'Two', 'One'], doing: ['1', 'Three'] });
    await drop(three.iid, doing, todo, { above: two.id, below: one.id });
    expect(await order()).toMatchObject({ todo: ['3', 'Two', 'Three', 'One'], doing: ['0'] });
    await drop(two.iid, todo, todo, { above: one.id });
    expect(await order()).toMatchObject({ todo: ['3', 'Three', 'One', 'Two'] });
  });

  it('move no card beside one of another project', async () => {
    const { addIssue, readIssue, send, todo, doing } = await addProject();
    const elsewhere = await (await addProject()).addIssue('Elsewhere');
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    const values = { from: String(todo), to: String(doing), below: String(elsewhere.id) };
    expect(await send(browsers.reporter, `/cards/${iid}`, values)).toMatchObject({ status: 400 });
    expect(await readIssue(iid)).toMatchObject({ labels: ['todo'] });
  });

  it('refuse a move of an issue that somebody has changed meanwhile, and show how it stands', async () => {
    const { addIssue, readIssue, call, move, todo, doing } = await addProject();
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    await call('PUT', `/issues/${iid}`, { labels: 'later' });
    const refused = await move(iid, todo, doing);
    expect([refused.status, refused.html.includes('Somebody else has moved it')]).toEqual([409, true]);
    expect(columnsOf(refused.html)['Open']).toEqual(['1', 'Pump']);
    await call('PUT', `/issues/${iid}`, { state_event: 'close' });
    expect((await move(iid, 'open', doing)).status).toBe(409);
    expect(await readIssue(iid)).toMatchObject({ state: 'closed', labels: ['later'] });
  });

  it('refuse a move to a list that is gone', async () => {
    const { addIssue, readIssue, send, move, todo, doing } = await addProject();
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    await send(browsers.reporter, `/lists/${doing}`, { change: 'remove' });
    const refused = await move(iid, todo, doing);
    expect([refused.status, refused.html.includes('no longer has the list')]).toEqual([409, true]);
    expect((await readIssue(iid)).labels).toEqual(['todo']);
  });

  it('let one of two moves happen that are made at once', async () => {
    const { addIssue, readIssue, move, todo, doing } = await addProject();
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    const [one, other] = await Promise.all([move(iid, todo, doing), move(iid, todo, 'closed', browsers.ada)]);
    expect([one.status, other.status].toSorted()).toEqual([303, 409]);
    const { state, labels } = await readIssue(iid);
    expect([state, ...labels]).toEqual(one.status === 303 ? ['opened', 'doing'] : ['closed', 'todo']);
  });

  it('add, move and remove lists', async () => {
    const { readBoard, send, address, todo } = await addProject();
    const names = async () => (await readBoard()).lists.map(({ label }) => label.name);
    const { reporter } = browsers;
    expect(await send(reporter, '/lists?search=x', { new_list: 'later' })).toMatchObject({
      status: 303,
      to: `${address}?search=x`,
    });
    expect(await names()).toEqual(['todo', 'doing', 'later']);
    for (const new_list of ['later', 'none', ''])
      expect([new_list, (await send(reporter, '/lists', { new_list })).status]).toEqual([new_list, 400]);
    await send(reporter, `/lists/${todo}`, { change: 'right' });
    expect(await names()).toEqual(['doing', 'todo', 'later']);
    await send(reporter, `/lists/${todo}`, { change: 'left' });
    expect(await names()).toEqual(['todo', 'doing', 'later']);
    await send(reporter, `/lists/${todo}`, { change: 'remove' });
    expect(await names()).toEqual(['doing', 'later']);
  });

  it('make, rename and remove boards, and ask before they remove one', async () => {
    const { call, all } = await addProject();
    const { reporter } = browsers;
    const made = await reporter.submit(`${all}/new`, `${all}/new`, { name: 'Release' });
    const address = made.headers.get('location') ?? '';
    expect(await read(reporter, address)).toContain('aria-label="Boards"');
    expect((await reporter.submit(`${address}/edit`, `${address}/edit`, { name: ' ' })).status).toBe(400);
    await reporter.submit(`${address}/edit`, `${address}/edit`, { name: 'Next' });
    expect((await call<readonly BoardBody[]>('GET', '/boards')).map(({ name }) => name)).toContain('Next');
    expect(await read(reporter, `${address}/remove`)).toContain('Remove the board Next?');
    expect((await reporter.submit(`${address}/remove`, `${address}/remove`, {})).headers.get('location')).toBe(all);
    expect((await reporter.get(address)).status).toBe(404);
  });

  it('offer no controls to whoever may not use them, and refuse what they send all the same', async () => {
    const { addIssue, readIssue, readBoard, address, all, todo, doing } = await addProject('public');
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    for (const who of [browsers.guest, browsers.stranger, visitor]) {
      const html = await read(who, address);
      for (const control of ['Move to…', 'Add list', 'New board', 'Rename this board', `${address}/lists`])
        expect([control, html.includes(control)]).toEqual([control, false]);
    }
    const sent = [`${address}/cards/${iid}`, `${address}/lists`, `${address}/lists/${todo}`, `${all}/new`];
    for (const who of [browsers.guest, browsers.stranger]) {
      const authenticity_token = hiddenField(await read(who, '/groups/-/new'), 'authenticity_token');
      for (const to of [...sent, `${address}/edit`, `${address}/remove`]) {
        const values = { from: String(todo), to: String(doing), new_list: 'later', change: 'remove', name: 'Mine' };
        expect([to, (await who.post(to, { ...values, authenticity_token })).status]).toEqual([to, 403]);
      }
    }
    expect((await readIssue(iid)).labels).toEqual(['todo']);
    expect(await readBoard()).toMatchObject({ name: 'Development', lists: [{ id: todo }, { id: doing }] });
  });

  it('say nothing of a private project to strangers and visitors, nor of another project’s boards', async () => {
    const { address, all } = await addProject();
    const other = await addProject();
    for (const page of [all, address, `${all}/new`, `${address}/edit`, `${address}/cards/1`])
      expect([page, (await browsers.stranger.get(page)).status]).toEqual([page, 404]);
    expect((await visitor.get(address)).status).toBe((await visitor.get('/none/none/-/boards/1')).status);
    expect((await browsers.ada.get(`${all}/${other.address.split('/').at(-1)}`)).status).toBe(404);
  });

  it('of an archived project are read only', async () => {
    const { addIssue, call, address, todo, doing } = await addProject();
    const { iid } = await addIssue('Pump', { labels: 'todo' });
    const authenticity_token = await browsers.ada.formToken(address);
    await call('POST', '/archive');
    const html = await read(browsers.ada, address);
    expect([html.includes('Pump'), html.includes('Move to…'), html.includes('Add list')]).toEqual([true, false, false]);
    const values = { from: String(todo), to: String(doing), authenticity_token };
    expect((await browsers.ada.post(`${address}/cards/${iid}`, values)).status).toBe(403);
  });
});
