import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const LIST = '/dashboard/todos';

describeAnyDatabase('the page of to-dos', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let person: FormBrowser;
  let project: number;

  const call = async <Body = { id: number; iid: number }>(path: string, json: object = {}, who = ada) => {
    const { status, body } = await service.call<Body>('POST', path, { token: who.token, json });
    expect([path, status]).toEqual([path, 201]);
    return body;
  };
  const open = async (fields: object) => {
    const { iid } = await call(`/projects/${project}/issues`, { title: 'T', ...fields });
    return { iid, path: `/projects/${project}/issues/${iid}`, page: `/ada/engine/-/issues/${iid}` };
  };
  const settle = async () => {
    await service.service.container.get(TOKENS.jobRunner).runDue();
    const { schema } = service.service.database;
    await until(async () => (await schema('jobs').where({ kind: 'tell_people' })).length === 0);
  };
  const idsOf = async ({ token }: TestUser) =>
    (await service.call<readonly { id: number }[]>('GET', '/todos', { token })).body.map(({ id }) => id);
  const read = async (path = LIST, who = person) => (await who.get(path)).text();
  const main = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
  /** Its entries without tags, in their order. */
  const entriesIn = (html: string) =>
    [...html.matchAll(/<li>\s+([\s\S]*?)<small>/g)].map(([, entry = '']) =>
      entry
        .replace(/<span class="avatar[^>]*>[^<]*<\/span>/g, '')
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const entries = async (query = '') => entriesIn(main(await read(LIST + query)));

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    // Who is asked depends on how things stand when people are told: when a test settles, and not before.
    await service.service.container.get(TOKENS.jobLoop).stop();
    ada = await service.addUser('ada', { password: PASSWORD });
    grace = await service.addUser('grace', { password: PASSWORD });
    ({ id: project } = await call('/projects', { name: 'Engine', path: 'engine', visibility: 'public' }));
    person = await signedIn(service, 'grace');
  });

  afterEach(async () => {
    await settle();
    for (const { token } of [ada, grace]) await service.call('POST', '/todos/mark_as_done', { token });
  });

  afterAll(() => service.close());

  it('says what belongs there, and is led to by the frame, on a phone, too', async () => {
    const html = await read();
    expect(main(html)).toContain('You have nothing to do.');
    expect(main(html)).not.toContain('Mark all as done');
    expect(html.match(/<a href="\/dashboard\/todos" aria-current="page">To-dos<\/a>/g)).toHaveLength(2);
    expect(main(await read(`${LIST}?state=done`))).toContain('Nothing is done yet.');
    const visitor = new FormBrowser(service.url);
    expect(await read('/explore/projects', visitor)).not.toContain(LIST);
    const sent = await visitor.get(LIST);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `/users/sign_in?return_to=${encodeURIComponent(LIST)}`,
    ]);
  });

  it('is told how long it is by the frame of every page', async () => {
    const numberIn = (html: string) =>
      [...html.matchAll(/<a href="\/dashboard\/todos"[^>]*>To-dos(?: <span class="badge">([^<]*)<\/span>)?<\/a>/g)].map(
        ([, number]) => number,
      );
    const number = async (path: string) => numberIn(await read(path));
    const { iid } = await open({ title: 'Leak', assignee_ids: [grace.id] });
    const secret = await open({ title: 'Smoke', assignee_ids: [grace.id] });
    await open({ title: 'For Ada alone', assignee_ids: [ada.id] });
    await settle();
    for (const path of [LIST, '/', `/ada/engine/-/issues/${iid}`, '/profile/account', '/no/such/page', '/ada/-/gone'])
      expect([path, await number(path)]).toEqual([path, ['2', '2']]);
    // What somebody may no longer read is not counted.
    await service.call('PUT', secret.path, { token: ada.token, json: { confidential: true, assignee_ids: [] } });
    expect(await number(LIST)).toEqual(['1', '1']);
    await service.call('POST', '/todos/mark_as_done', { token: grace.token });
    expect(await number(LIST)).toEqual([undefined, undefined]);
    expect(numberIn(await read('/explore/projects', new FormBrowser(service.url)))).toEqual([]);
  });

  it('is told as 99+ where it is longer', async () => {
    const { path } = await open({ title: 'Leak' });
    const text = Array.from({ length: 25 }, (_, count) => `@grace, again: ${count}.`);
    const number = async () => /To-dos <span class="badge">([^<]*)</.exec(await read())?.[1];
    for (let round = 0; round < 4; round += 1)
      await Promise.all(text.slice(round === 3 ? 1 : 0).map((body) => call(`${path}/notes`, { body })));
    await settle();
    expect(await number()).toBe('99');
    await call(`${path}/notes`, { body: '@grace, for the last time.' });
    await settle();
    expect(await number()).toBe('99+');
  });

  it('says who asks for what, and leads there; the newest first', async () => {
    const leak = await open({ title: '<i>Leak</i>', assignee_ids: [grace.id] });
    await settle();
    const note = await call(`${leak.path}/notes`, { body: `Do you know this, @grace? ${'x'.repeat(400)}` });
    const own = await open({ title: 'Later' });
    await call(`${own.path}/todo`, {}, grace);
    await settle();
    const html = main(await read());
    const [mentioned, marked, assigned, ...others] = entriesIn(html);
    expect(marked).toBe(`You put issue #${own.iid} “Later” on your list in ada/engine`);
    expect(assigned).toBe(`ada Example assigned you issue #${leak.iid} “&lt;i&gt;Leak&lt;/i&gt;” in ada/engine`);
    expect(mentioned).toMatch(/^ada Example mentioned you in issue #\d+ .* Do you know this, @grace\? x+…$/);
    expect(others).toEqual([]);
    for (const href of [leak.page, `${leak.page}?note=${note.id}#note_${note.id}`, own.page, '/ada', '/ada/engine'])
      expect(html).toContain(`<a href="${href}">`);
    expect(await read(leak.page)).toContain(`id="note_${note.id}"`);
  });

  it('is narrowed by what they are about and why, and keeps to that from page to page', async () => {
    const { path } = await open({ title: 'Leak', assignee_ids: [grace.id] });
    await settle();
    expect(await entries('?kind=issue&action=assigned')).toHaveLength(1);
    // What nobody offers narrows nothing.
    expect(await entries('?kind=epic&action=x&state=x')).toHaveLength(1);
    for (const query of ['?kind=merge_request', '?kind=commit', '?action=mentioned']) {
      const html = main(await read(LIST + query));
      expect([query, entriesIn(html), html.includes('None matches.')]).toEqual([query, [], true]);
    }
    for (let count = 0; count < 21; count += 1) await call(`${path}/notes`, { body: `@grace, again: ${count}.` });
    await settle();
    const query = '?action=directly_addressed';
    const html = main(await read(LIST + query));
    expect(entriesIn(html)).toHaveLength(20);
    const next = /<a rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await entries(next)).toHaveLength(1);
    // All means all: it isn't offered where only some are shown.
    expect([html.includes('Mark all as done'), (await read()).includes('Mark all as done')]).toEqual([false, true]);
  });

  it('marks one as done, says so, and comes back to the list that the form was on', async () => {
    const { iid } = await open({ title: 'Leak', assignee_ids: [grace.id] });
    await open({ title: 'Smoke', assignee_ids: [grace.id] });
    await settle();
    const [, id] = await idsOf(grace);
    const list = `${LIST}?state=pending&kind=issue`;
    const form = `${LIST}/${id}/done`;
    expect(main(await read(list))).toContain(`action="${form}"`);
    expect((await person.post(form, {})).status).toBe(403);
    expect(await entries()).toHaveLength(2);
    const answer = await person.submit(list, form, { return_to: list });
    const shown = `${list}&finished=${id}`;
    expect([answer.status, answer.headers.get('location')]).toEqual([303, shown]);
    const html = main(await read(shown));
    expect(html).toContain(`<p class="notice" role="status">Your to-do about issue #${iid} is done.</p>`);
    expect(entriesIn(html)).toEqual([expect.stringContaining('Smoke')]);
    const done = main(await read(`${LIST}?state=done`));
    expect(entriesIn(done)[0]).toContain('Leak');
    expect(done).not.toContain('/done"');
    // Once more, as from another window, and from nowhere that it leads back to.
    const again = await person.submit(LIST, form, { return_to: '//evil.example/' });
    expect([again.status, again.headers.get('location')]).toEqual([303, `${LIST}?finished=${id}`]);
    // Whoever signed in on the way, or reloads, has done nothing by it.
    for (const path of [form, `${LIST}/done`, `${LIST}/${id}/undo`]) {
      const { status, headers } = await person.get(path);
      expect([path, status, headers.get('location')]).toEqual([path, 303, LIST]);
    }
    expect(await entries()).toHaveLength(1);
  });

  it('puts back what was just marked as done, or stands among what is done, and nothing of others’', async () => {
    await open({ title: 'Leak', assignee_ids: [grace.id, ada.id] });
    await settle();
    const [id] = await idsOf(grace);
    for (const list of [`${LIST}?finished=${id}`, `${LIST}?state=done`]) {
      expect(main(await read(list))).not.toContain(`/${id}/undo"`);
      await person.submit(LIST, `${LIST}/${id}/done`, {});
      expect(main(await read(list))).toContain(`action="${LIST}/${id}/undo"`);
      const answer = await person.submit(list, `${LIST}/${id}/undo`, { return_to: list });
      expect(answer.headers.get('location')).toBe(list.replace(`?finished=${id}`, ''));
      expect(main(await read())).toMatch(/Your to-do about issue #\d+ is back on your list\./);
      expect(await idsOf(grace)).toEqual([id]);
    }
    const [other] = await idsOf(ada);
    await service.call('POST', `/todos/${other}/mark_as_done`, { token: ada.token });
    expect((await person.submit(LIST, `${LIST}/${other}/undo`, {})).status).toBe(404);
    expect(main(await read(`${LIST}?finished=${other}`))).not.toContain('/undo"');
    expect(await idsOf(ada)).toEqual([]);
  });

  it('puts nothing back twice where somebody was asked for the same again meanwhile', async () => {
    const { path } = await open({ title: 'Leak' });
    const { id } = await call(`${path}/todo`, {}, grace);
    await person.submit(LIST, `${LIST}/${id}/done`, {});
    const again = await call(`${path}/todo`, {}, grace);
    expect((await person.submit(LIST, `${LIST}/${id}/undo`, {})).status).toBe(303);
    expect(await idsOf(grace)).toEqual([again.id]);
  });

  it('marks all of one’s own as done, and nobody else’s', async () => {
    await open({ title: 'Leak', assignee_ids: [ada.id, grace.id] });
    await open({ title: 'Smoke', assignee_ids: [grace.id] });
    await settle();
    expect((await person.post(`${LIST}/done`, {})).status).toBe(403);
    const answer = await person.submit(LIST, `${LIST}/done`, {});
    expect([answer.status, answer.headers.get('location')]).toEqual([303, LIST]);
    const html = main(await read());
    expect(html).toContain('All your to-dos are done.');
    expect(html).toContain('You have nothing to do.');
    expect(await idsOf(ada)).toHaveLength(1);
  });

  it('has nothing of others’ to-dos: each is 404, and stays', async () => {
    await open({ title: 'For Ada alone', assignee_ids: [ada.id] });
    await settle();
    const [id] = await idsOf(ada);
    expect(await read()).not.toContain('For Ada alone');
    for (const other of [id, 0, 999_999, '99999999999999999999', 'x'])
      expect([other, (await person.submit(LIST, `${LIST}/${other}/done`, {})).status]).toEqual([other, 404]);
    expect(await idsOf(ada)).toEqual([id]);
  });

  it('tells nothing of what somebody may no longer read', async () => {
    const issue = await open({ title: 'Plans of the mill' });
    await call(`${issue.path}/todo`, {}, grace);
    const [id] = await idsOf(grace);
    expect(await read()).toContain('Plans of the mill');
    await service.call('PUT', issue.path, { token: ada.token, json: { confidential: true } });
    for (const query of ['', '?state=done', '?kind=issue'])
      expect([query, await read(LIST + query)]).toEqual([query, expect.not.stringContaining('Plans of the mill')]);
    const refused = await person.submit(LIST, `${LIST}/${id}/done`, {});
    expect([refused.status, await refused.text()]).toEqual([404, expect.not.stringContaining(`#${issue.iid}`)]);
    expect(await read()).not.toContain('Plans of the mill');
  });
});
