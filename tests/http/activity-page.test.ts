import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BusyProject } from '../support/activity.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const COMMIT = 'c'.repeat(40);

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The text of what an expression finds in a page, without the marks in it. */
const texts = (html: string, expression: RegExp): string[] =>
  [...html.matchAll(expression)].map(([, inner = '']) =>
    unescaped(
      inner
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ),
  );

describeEachDatabase('the page of what a person did', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let project: BusyProject;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    project = await BusyProject.create(service, ada, 'engine', 'public');
  });

  afterAll(() => service.close());

  const visitor = () => new FormBrowser(service.url);
  const open = async (path: string, browser = visitor()) => {
    const response = await browser.get(path);
    const html = await response.text();
    return {
      status: response.status,
      html,
      // Avatars are no part of a sentence: who listens doesn't hear them.
      sentences: texts(
        (html.split('id="feed"')[1] ?? '').replaceAll(/<span[^>]* aria-hidden="true">[^<]*<\/span>/g, ''),
        /<li>([^]*?)<small>/g,
      ),
      older: /<a rel="next" href="([^"]+)">Older/.exec(html)?.[1],
    };
  };
  const ago = (days: number) => new Date(service.clock.now().getTime() - days * DAY_MS);
  const target = (
    type: 'issue' | 'milestone' | 'merge_request' | 'note' | 'project',
    title: string | null,
    { id, iid } = { id: 9, iid: 3 },
  ) => ({
    target: { type, id, iid, title },
  });
  const add = async (kind: 'issues' | 'milestones', title: string) => {
    const { body } = await service.call<{ id: number; iid: number }>('POST', `/projects/${project.id}/${kind}`, {
      token: ada.token,
      json: { title },
    });
    return body;
  };

  it('says each thing in a sentence, with a link to what it is about where that has a page', async () => {
    const doer = await service.addUser('doer');
    const push = {
      commitCount: 2,
      refType: 'branch',
      ref: 'main',
      commitFrom: null,
      commitTo: null,
      commitTitle: null,
    } as const;
    const pushed = (action: 'created' | 'removed' | 'pushed', commitCount = 2) =>
      ({ action: 'pushed', target: null, push: { ...push, action, commitCount } }) as const;
    const committed = (refType: 'branch' | 'tag') => {
      const { action, target: none, push: one } = pushed('pushed');
      return { action, target: none, push: { ...one, refType, commitTo: COMMIT, commitTitle: 'Tighten it' } } as const;
    };
    const leak = await add('issues', 'Leak');
    const release = await add('milestones', '1.0');
    const gone = { id: 999_999, iid: 3 };
    const comment = {
      noteableType: 'Issue',
      noteableId: leak.id,
      noteableIid: leak.iid,
      body: 'I <saw> it',
    } as const;
    const entries = [
      [{ action: 'created', ...target('issue', 'Leak', leak) }, 'opened issue Leak (#1) in ada/engine'],
      [{ action: 'reopened', ...target('issue', 'Leak', leak) }, 'reopened issue Leak (#1) in ada/engine'],
      [{ action: 'closed', ...target('milestone', '1.0', release) }, 'closed milestone 1.0 (%1) in ada/engine'],
      [{ action: 'destroyed', ...target('issue', 'Gone', gone) }, 'removed issue Gone (#3) in ada/engine'],
      [
        { action: 'commented', ...target('note', 'Leak'), comment },
        'commented on issue Leak (#1) in ada/engine I <saw> it',
      ],
      [{ action: 'merged', ...target('merge_request', 'Fix') }, 'merged merge request Fix (!3) in ada/engine'],
      [{ action: 'joined', ...target('project', null) }, 'joined ada/engine'],
      [{ action: 'left', ...target('project', null) }, 'left ada/engine'],
      [{ action: 'expired', ...target('project', null) }, 'reached the end of the membership of ada/engine'],
      [{ action: 'created', ...target('project', null) }, 'created ada/engine'],
      [pushed('pushed'), 'pushed 2 commits to branch main in ada/engine'],
      [pushed('pushed', 1), 'pushed 1 commit to branch main in ada/engine'],
      [pushed('created'), 'pushed new branch main in ada/engine'],
      [pushed('removed'), 'removed branch main in ada/engine'],
      [committed('branch'), 'pushed 2 commits to branch main: Tighten it in ada/engine'],
      [committed('tag'), 'pushed 2 commits to tag main in ada/engine'],
    ] as const;
    await project.record(...entries.map(([entry]) => ({ ...entry, authorId: doer.id })));
    const { sentences, html, status } = await open('/users/doer/activity');
    expect(status).toBe(200);
    expect(sentences).toEqual(entries.map(([, sentence]) => `doer Example ${sentence}`).reverse());
    const links = [...html.matchAll(/<a href="([^"]+)"><strong>([^<]+)/g)].map(([, href, text]) => `${text} ${href}`);
    const toNote: unknown = expect.stringMatching(/^Leak \(#1\) \/ada\/engine\/-\/issues\/1\?note=(\d+)#note_\1$/);
    expect(links).toEqual([
      `Tighten it /ada/engine/-/commit/${COMMIT}`,
      toNote,
      '1.0 (%1) /ada/engine/-/milestones/1',
      'Leak (#1) /ada/engine/-/issues/1',
      'Leak (#1) /ada/engine/-/issues/1',
    ]);
    expect(html).not.toContain('<saw>');
  });

  it('has its like for each group: what happened in its projects, as far as whoever looks sees them', async () => {
    const made = { token: ada.token, json: { name: 'Works', path: 'works', visibility: 'public' } };
    const { id } = (await service.call<{ id: number }>('POST', '/groups', made)).body;
    for (const [name, visibility] of [
      ['mill', 'public'],
      ['store', 'private'],
    ]) {
      const json = { name, visibility, namespace_id: id };
      await service.call('POST', '/projects', { token: ada.token, json });
      const issue = { token: ada.token, json: { title: `Oil the ${name}` } };
      await service.call('POST', `/projects/works%2F${name}/issues`, issue);
    }
    const page = '/groups/works/-/activity';
    const seenBy = async (browser: FormBrowser) => {
      const { html } = await open(page, browser);
      return ['Oil the mill', 'Oil the store'].filter((title) => html.includes(title));
    };
    expect(await seenBy(visitor())).toEqual(['Oil the mill']);
    expect(await seenBy(await signedIn(service, 'ada'))).toEqual(['Oil the mill', 'Oil the store']);
    expect((await open('/groups/works')).html).toContain(`href="${page}">Activity`);
    // A cursor of another list leads nowhere.
    expect((await open(`${page}?cursor=made-up`)).status).toBe(400);
  });

  it('tells of commits only who may read them, also where the project was open once', async () => {
    const guest = await service.addUser('guest', { password: PASSWORD });
    const closed = await BusyProject.create(service, ada, 'closed', 'public');
    await closed.addMember(guest, 'guest');
    const push = { action: 'pushed', refType: 'branch', ref: 'main', commitCount: 1, commitFrom: null } as const;
    await closed.record({
      action: 'pushed',
      target: null,
      push: { ...push, commitTo: COMMIT, commitTitle: 'Tighten it' },
      authorId: guest.id,
    });
    const page = '/users/guest/activity';
    expect((await open(page)).html).toContain(`/ada/closed/-/commit/${COMMIT}`);
    await closed.call('PUT', '', { visibility: 'private' });
    const { html, sentences } = await open(page, await signedIn(service, 'guest'));
    expect(sentences).toContain('guest Example joined ada/closed');
    expect(html).not.toContain(COMMIT);
  });

  it('names what was removed since without a link, also where it was commented on', async () => {
    const person = await service.addUser('remover');
    const place = await BusyProject.create(service, person, 'emptied', 'public');
    const call = async (method: string, path: string, json?: object) =>
      (
        await service.call<{ id: number; iid: number }>(method, `/projects/${place.id}${path}`, {
          token: person.token,
          ...(json === undefined ? {} : { json }),
        })
      ).body;
    const standing = await call('POST', '/issues', { title: 'Standing' });
    const going = await call('POST', '/issues', { title: 'Going' });
    const milestone = await call('POST', '/milestones', { title: 'Going too' });
    await call('POST', `/issues/${going.iid}/notes`, { body: 'Soon gone' });
    await call('DELETE', `/issues/${going.iid}`);
    await call('DELETE', `/milestones/${milestone.id}`);
    const { sentences, html } = await open('/users/remover/activity');
    expect(sentences.filter((sentence) => sentence.includes('Going')).length).toBeGreaterThanOrEqual(4);
    const links = [...html.matchAll(/<a href="(\/remover\/emptied\/-\/[^"]+)">/g)].map(([, href]) => href);
    expect(links).toEqual([`/remover/emptied/-/issues/${standing.iid}`]);
    for (const link of links) expect((await fetch(`${service.url}${link}`)).status).toBe(200);
  });

  it('shows everybody what is public, and each who is signed in what he may see besides', async () => {
    const doer = await service.addUser('insider');
    const hidden = await BusyProject.create(service, ada, 'hidden');
    const internal = await BusyProject.create(service, ada, 'internal', 'internal');
    const authorId = doer.id;
    await hidden.record({ authorId, ...target('issue', 'Private') });
    await internal.record({ authorId, ...target('issue', 'Internal') });
    await project.record({ authorId, ...target('issue', 'Public') });
    await service.addUser('outsider', { password: PASSWORD });
    const seen = async (browser?: FormBrowser) => {
      const { sentences, html } = await open('/users/insider/activity', browser);
      const days = texts(html, /<td class="shade-[1-4]"[^>]*>([^]*?)<\/td>/g);
      return [sentences.length, days];
    };
    const today = service.clock.now().toISOString().slice(0, 10);
    expect(await seen()).toEqual([1, [`${today}: 1`]]);
    expect(await seen(await signedIn(service, 'outsider'))).toEqual([2, [`${today}: 2`]]);
    expect(await seen(await signedIn(service, 'ada'))).toEqual([3, [`${today}: 3`]]);
  });

  it('counts each day of the last year in UTC, and shades it by how much was done', async () => {
    const doer = await service.addUser('steady');
    const midnight = new Date(`${ago(9).toISOString().slice(0, 10)}T00:00:00.000Z`);
    const at = (milliseconds: number) => new Date(midnight.getTime() + milliseconds);
    const entry = (createdAt: Date) => ({ authorId: doer.id, createdAt });
    await project.record(
      entry(at(-1)),
      ...Array.from({ length: 8 }, () => entry(at(0))),
      entry(at(DAY_MS - 1)),
      entry(at(DAY_MS)),
      entry(at(DAY_MS)),
      entry(at(DAY_MS)),
      entry(ago(500)),
    );
    const { html } = await open('/users/steady/activity');
    const day = (days: number) =>
      at(days * DAY_MS)
        .toISOString()
        .slice(0, 10);
    for (const [date, shade, count] of [
      [day(-1), 2, 1],
      [day(0), 4, 9],
      [day(1), 3, 3],
      [day(2), 0, 0],
    ] as const)
      expect(html).toContain(`<td class="shade-${shade}" title="${date}: ${count}">`);
    const opened = await open(`/users/steady/activity?day=${day(1)}`);
    expect([opened.status, opened.sentences.length]).toEqual([200, 3]);
    expect(opened.html).toContain(`What happened on ${day(1)}`);
    expect((await open(`/users/steady/activity?day=${day(2)}`)).sentences).toEqual([]);
    expect((await open('/users/steady/activity?day=2026-02-31')).sentences).toHaveLength(14);
    for (const oldest of ['0001-01-01', '9999-12-31'])
      expect((await open(`/users/steady/activity?day=${oldest}`)).status).toBe(200);
    expect(texts(html, /<p>([^<]*entr[^]*?)<\/p>/g)).toEqual([
      `13 entries on 3 days; the busiest was ${day(0)} with 9.`,
    ]);
    expect(texts(html, /<li>(<span class="shade-[^]*?)<\/li>/g)).toEqual(['none', '1', '2–3', '4–9']);
    expect(html.match(/<td class="shade-/g)?.length).toBeGreaterThanOrEqual(52 * 7 + 1);
    expect(html.match(/<td class="shade-/g)?.length).toBeLessThanOrEqual(53 * 7);
  });

  it('goes on within the day that is asked for', async () => {
    const doer = await service.addUser('busy');
    const noon = new Date(`${ago(3).toISOString().slice(0, 10)}T12:00:00.000Z`);
    const next = new Date(noon.getTime() + DAY_MS);
    const on = (createdAt: Date, count: number) =>
      Array.from({ length: count }, () => ({ authorId: doer.id, createdAt }));
    await project.record(...on(noon, 25), ...on(next, 1));
    const day = noon.toISOString().slice(0, 10);
    const first = await open(`/users/busy/activity?day=${day}`);
    expect(first.sentences).toHaveLength(20);
    const second = await open(`/users/busy/activity${unescaped(first.older ?? '')}`);
    expect([second.status, second.sentences.length, second.older]).toEqual([200, 5, undefined]);
    expect(second.html).toContain(`href="/users/busy/activity?day=${day}">Newest`);
  });

  it('goes on to what is older, and back to the newest', async () => {
    const doer = await service.addUser('diligent');
    const entries = Array.from({ length: 45 }, (_, index) => ({
      authorId: doer.id,
      createdAt: ago(45 - index),
      ...target('issue', `Step ${index}`, { id: 9, iid: index }),
    }));
    await project.record(...entries);
    const walked: string[] = [];
    let path: string | undefined = '/users/diligent/activity';
    for (let pages = 0; path !== undefined; pages += 1) {
      const page = await open(path);
      expect([page.status, page.html.includes('class="year"'), page.html.includes('>Newest<')]).toEqual([
        200,
        pages === 0,
        pages > 0,
      ]);
      walked.push(...page.sentences);
      path = page.older === undefined ? undefined : `/users/diligent/activity${page.older}`;
    }
    expect(walked).toEqual(
      Array.from(
        { length: 45 },
        (_, index) => `diligent Example closed issue Step ${44 - index} (#${44 - index}) in ada/engine`,
      ),
    );
  });

  it('takes no cursor that was made for another person, or for another reader, or by nobody', async () => {
    const { older = '' } = await open('/users/diligent/activity');
    const signed = await signedIn(service, 'ada');
    expect((await open(`/users/diligent/activity${older}`)).status).toBe(200);
    expect((await open(`/users/ada/activity${older}`)).status).toBe(400);
    expect((await open(`/users/diligent/activity${older}`, signed)).status).toBe(400);
    for (const bad of ['?cursor=', '?cursor=x', '?cursor[]=x', `${older}x`])
      expect([bad, (await open(`/users/diligent/activity${bad}`)).status]).toEqual([bad, 400]);
  });

  it('is there for who did nothing, and not for who does not exist', async () => {
    await service.addUser('idle');
    const { html, sentences } = await open('/users/idle/activity');
    expect(sentences).toEqual([]);
    expect(html).toContain('Nothing that you may see.');
    expect(html).toContain('No entries.');
    for (const name of ['nobody', '%00', 'ada%2Fengine'])
      expect([name, (await open(`/users/${name}/activity`)).status]).toEqual([name, 404]);
  });

  it('is linked from the page of the person, and discloses no address of e-mail', async () => {
    expect((await open('/ada')).html).toContain('href="/users/ada/activity"');
    expect((await open('/users/ada/activity')).html).not.toContain('@example.com');
  });
});
