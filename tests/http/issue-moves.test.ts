import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly message?: unknown;
  readonly [field: string]: unknown;
}

describeEachDatabase('issues that are moved and cloned', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let stranger: TestUser;
  let from: number;
  let to: number;
  let secret: number;

  const call = <Body = IssueBody>(method: string, path: string, json?: object, user: TestUser = ada) =>
    service.call<Body>(method, path, { token: user.token, ...(json === undefined ? {} : { json }) });
  const newProject = async (name: string, visibility: string, user = ada) =>
    (await call<{ id: number }>('POST', '/projects', { name, visibility }, user)).body.id;
  const open = async (fields: object = {}, project = from) =>
    (await call('POST', `/projects/${project}/issues`, { title: 'Tangled', ...fields })).body;
  const issue = async (project: number, iid: number) => (await call('GET', `/projects/${project}/issues/${iid}`)).body;
  const notesOf = async (project: number, iid: number) => {
    const path = `/projects/${project}/issues/${iid}/notes?sort=asc`;
    const { body } = await call<readonly { id: number; body: string; author: { username: string } }[]>('GET', path);
    return body.map((note) => [note.author.username, note.body]);
  };
  const move = (iid: number, target: number | string, user = ada) =>
    call('POST', `/projects/${from}/issues/${iid}/move`, { to_project_id: target }, user);
  const clone = (iid: number, json: object, user = ada) =>
    call('POST', `/projects/${from}/issues/${iid}/clone`, json, user);

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    [grace, stranger] = [await service.addUser('grace'), await service.addUser('stranger')];
    [from, to, secret] = [
      await newProject('from', 'public'),
      await newProject('to', 'public'),
      await newProject('secret', 'private'),
    ];
    for (const project of [from, to])
      await call('POST', `/projects/${project}/members`, { user_id: grace.id, access_level: 20 });
    for (const name of ['bug', 'idea']) await call('POST', `/projects/${from}/labels`, { name, color: '#FF0000' });
    await call('POST', `/projects/${to}/labels`, { name: 'bug', color: '#00FF00' });
  });

  afterAll(() => service.close());

  it('take along what was said of them, and leave the old one closed', async () => {
    const milestone = await call('POST', `/projects/${from}/milestones`, { title: 'First' });
    const there = await call('POST', `/projects/${to}/milestones`, { title: 'First' });
    const fields = { labels: 'bug,idea', milestone_id: milestone.body.id, assignee_ids: [grace.id] };
    const before = await open({ ...fields, description: 'Words', due_date: '2026-12-24', confidential: true });
    const path = `/projects/${from}/issues/${before.iid}`;
    const said = await call<{ id: string; notes: { id: number }[] }>('POST', `${path}/discussions`, { body: 'Why?' });
    await call('POST', `${path}/discussions/${said.body.id}/notes`, { body: 'Because.' }, grace);
    await call('POST', `${path}/notes`, { body: 'Alone.' });
    await call('POST', `${path}/notes/${said.body.notes[0]!.id}/award_emoji`, { name: 'tada' }, grace);
    await call('POST', `${path}/award_emoji`, { name: 'thumbsup' });
    await call('POST', `${path}/time_estimate`, { duration: '1h' });
    const other = await open();
    await call('POST', `${path}/links`, { target_project_id: from, target_issue_iid: other.iid });

    const answer = await move(before.iid, 'ada/to', grace);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        project_id: to,
        title: 'Tangled',
        description: 'Words',
        state: 'opened',
        confidential: true,
        due_date: '2026-12-24',
        created_at: before['created_at'],
        author: { username: 'ada' },
        assignees: [{ username: 'grace' }],
        labels: ['bug'],
        milestone: { id: there.body.id },
        upvotes: 1,
        time_stats: { time_estimate: 3_600 },
        moved_to_id: null,
      },
    });
    const after = `/projects/${to}/issues/${answer.body.iid}`;
    expect(await notesOf(to, answer.body.iid)).toEqual([
      ['ada', 'Why?'],
      ['grace', 'Because.'],
      ['ada', 'Alone.'],
      ['ada', 'changed time estimate to 1h'],
      ['grace', 'moved from another project'],
    ]);
    const threads = await call<readonly { individual_note: boolean; notes: { id: number; body: string }[] }[]>(
      'GET',
      `${after}/discussions`,
    );
    expect(threads.body[0]).toMatchObject({ individual_note: false, notes: [{ body: 'Why?' }, { body: 'Because.' }] });
    const awards = await call('GET', `${after}/notes/${threads.body[0]!.notes[0]!.id}/award_emoji`);
    expect(awards.body).toEqual([expect.objectContaining({ name: 'tada' })]);
    expect((await call('GET', `${after}/links`)).body).toEqual([expect.objectContaining({ iid: other.iid })]);
    expect(await issue(from, before.iid)).toMatchObject({ state: 'closed', moved_to_id: answer.body.id });
    expect((await notesOf(from, before.iid)).slice(0, 3)).toEqual([
      ['ada', 'Why?'],
      ['grace', 'Because.'],
      ['ada', 'Alone.'],
    ]);
    expect(await call('GET', after, undefined, stranger)).toMatchObject({ status: 404 });
  });

  it('say where the other one is to nobody who doesn’t see it', async () => {
    const hidden = await open();
    const moved = await move(hidden.iid, secret);
    expect(await notesOf(from, hidden.iid)).toEqual([['ada', 'moved to another project']]);
    expect(await notesOf(secret, moved.body.iid)).toEqual([['ada', `moved from ada/from#${hidden.iid}`]]);
    const shown = await open();
    const { body } = await move(shown.iid, to);
    expect(await notesOf(from, shown.iid)).toEqual([['ada', `moved to ada/to#${body.iid}`]]);
  });

  it('go on naming what their texts named, by the path of the project that they came from, as far as it is known there', async () => {
    const words = 'Like #3, !4, ada/to#5 and a#6.\n\n    #7\n\n`#8` (#9)';
    const before = await open({ description: words });
    await call('POST', `/projects/${from}/issues/${before.iid}/notes`, { body: 'See #3' });
    const { body } = await move(before.iid, secret);
    expect(await issue(secret, body.iid)).toMatchObject({
      description: 'Like ada/from#3, ada/from!4, ada/to#5 and a#6.\n\n    #7\n\n`#8` (ada/from#9)',
    });
    expect((await notesOf(secret, body.iid))[0]).toEqual(['ada', 'See ada/from#3']);
    expect(await issue(from, before.iid)).toMatchObject({ description: words });
    const hidden = await call<{ iid: number }>('POST', `/projects/${secret}/issues`, { title: 'x', description: '#3' });
    const out = await call<{ iid: number }>('POST', `/projects/${secret}/issues/${hidden.body.iid}/move`, {
      to_project_id: from,
    });
    expect(await issue(from, out.body.iid)).toMatchObject({ description: '#3' });
  });

  it('are told in the feed: closed here, opened there', async () => {
    const before = await open({ title: 'Told' });
    const { body } = await move(before.iid, to);
    const told = async (project: number) => {
      const path = `/projects/${project}/events?target_type=issue&per_page=1`;
      const events = await call<readonly { action_name: string; target_iid: number }[]>('GET', path);
      return events.body.map(({ action_name, target_iid }) => [action_name, target_iid]);
    };
    expect([await told(from), await told(to)]).toEqual([[['closed', before.iid]], [['opened', body.iid]]]);
  });

  it('are moved once, however many move them at once', async () => {
    const before = await open();
    const answers = await Promise.all([to, to, secret, to].map((target) => move(before.iid, target)));
    const moved = answers.filter(({ status }) => status === 201);
    expect([moved.length, answers.length]).toEqual([1, 4]);
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.message]).toEqual([400, 'Cannot move issue: it was moved already.']);
    expect(await issue(from, before.iid)).toMatchObject({ state: 'closed', moved_to_id: moved[0]!.body.id });
  });

  it('stay where they are without a right in both projects', async () => {
    const { iid } = await open();
    const denied = { status: 400, body: { message: 'Cannot move issue due to insufficient permissions!' } };
    const own = await newProject('own', 'private', stranger);
    expect(await move(iid, own, stranger)).toMatchObject(denied);
    expect(await move(iid, to, stranger)).toMatchObject(denied);
    const absent = { status: 404, body: { message: '404 Project Not Found' } };
    expect(await move(iid, secret, grace)).toMatchObject(absent);
    expect(await move(iid, 'ada/none', grace)).toMatchObject(absent);
    expect(await move(iid, from)).toMatchObject({
      status: 400,
      body: { message: 'Cannot move issue to project it originates from!' },
    });
    expect(await move(999, to)).toMatchObject({ status: 404, body: { message: '404 Issue Not Found' } });
    expect(await call('POST', `/projects/${from}/issues/${iid}/move`, {})).toMatchObject({ status: 400 });
    const hidden = await open({ confidential: true });
    expect(await move(hidden.iid, own, stranger)).toMatchObject({ status: 404 });
    const incident = await open({ issue_type: 'incident' });
    expect(await move(incident.iid, to)).toMatchObject({ status: 400 });
    expect(await issue(from, iid)).toMatchObject({ state: 'opened', moved_to_id: null });
  });

  // By the level in the project that the issue is in, and in the one that it goes to.
  it.each([
    [40, 40, 201],
    [20, 20, 201],
    [10, 20, 400],
    [20, 10, 400],
    [10, 10, 400],
    [0, 40, 400],
    [40, 0, 404],
  ])('are moved and cloned at levels %d and %d: %d', async (here, there, expected) => {
    const person = await service.addUser(`person-${here}-${there}`);
    const target = await newProject(`target-${here}-${there}`, 'private');
    const { iid } = await open();
    for (const [project, access_level] of [
      [from, here],
      [target, there],
    ] as const)
      if (access_level > 0) await call('POST', `/projects/${project}/members`, { user_id: person.id, access_level });
    const cloned = await clone(iid, { to_project_id: target }, person);
    expect([cloned.status, (await move(iid, target, person)).status]).toEqual([expected, expected]);
  });

  it('are cloned with their comments or without, in the same project too', async () => {
    const before = await open({ labels: 'bug', description: 'Words' });
    await call('POST', `/projects/${from}/issues/${before.iid}/notes`, { body: 'Said.' });
    await call('POST', `/projects/${from}/issues/${before.iid}/award_emoji`, { name: 'thumbsup' });
    const bare = await clone(before.iid, { to_project_id: from }, grace);
    expect(bare).toMatchObject({
      status: 201,
      body: { project_id: from, description: 'Words', labels: ['bug'], author: { username: 'grace' }, upvotes: 0 },
    });
    expect(await notesOf(from, bare.body.iid)).toEqual([['grace', `cloned from ada/from#${before.iid}`]]);
    const whole = await clone(before.iid, { to_project_id: to, with_notes: true });
    expect((await notesOf(to, whole.body.iid)).map(([, body]) => body)).toEqual([
      'Said.',
      `cloned to ada/from#${bare.body.iid}`,
      `cloned from ada/from#${before.iid}`,
    ]);
    expect(await issue(from, before.iid)).toMatchObject({ state: 'opened', moved_to_id: null });
  });

  it('are moved and cloned by forms', async () => {
    const browser = new FormBrowser(service.url);
    await browser.signIn('ada');
    const { iid } = await open({ title: 'By hand' });
    const address = `/ada/from/-/issues/${iid}`;
    expect(await (await browser.get(address)).text()).toContain(`href="${address}/move"`);
    const cloned = await browser.submit(`${address}/clone`, `${address}/clone`, {
      project: 'ada/from',
      with_notes: 'true',
    });
    expect([cloned.status, cloned.headers.get('location')]).toEqual([303, `/ada/from/-/issues/${iid + 1}`]);
    const nowhere = await browser.submit(`${address}/move`, `${address}/move`, { project: 'ada/none' });
    expect([nowhere.status, await nowhere.text()]).toEqual([400, expect.stringContaining('ada/none')]);
    const moved = await browser.submit(`${address}/move`, `${address}/move`, { project: 'ada/to' });
    expect([moved.status, moved.headers.get('location')]).toEqual([303, expect.stringContaining('/ada/to/-/issues/')]);
    const page = await (await browser.get(address)).text();
    expect([page.includes('moved</span>'), page.includes(`href="${address}/move"`)]).toEqual([true, false]);
    const there = moved.headers.get('location')!;
    expect(page).toContain(`It was moved to <a href="${there}">ada/to#${there.split('/').at(-1)}</a>`);
    expect(await (await browser.get(there)).text()).toContain(
      `moved here from <a href="${address}">ada/from#${iid}</a>`,
    );
    const { body: hidden } = await move(iid + 1, secret);
    const visitor = await (await new FormBrowser(service.url).get(`/ada/from/-/issues/${iid + 1}`)).text();
    expect([visitor.includes('moved</span>'), visitor.includes('moved to <a'), visitor.includes('ada/secret')]).toEqual(
      [true, false, false],
    );
    expect(await (await browser.get(`/ada/from/-/issues/${iid + 1}`)).text()).toContain(`/-/issues/${hidden.iid}">`);
  });
});
