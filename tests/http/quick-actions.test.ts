import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly [field: string]: unknown;
}

interface Done {
  readonly commands_changes: Readonly<Record<string, unknown>>;
  readonly summary: readonly string[];
}

const PEOPLE = { owner: 50, developer: 30, reporter: 20, guest: 10, stranger: 0 } as const;
type Role = keyof typeof PEOPLE;

describeEachDatabase('quick actions', (openTestDatabase) => {
  let service: TestService;
  let people: Readonly<Record<Role, TestUser>>;
  let loom: WrittenProject;
  let serial = 0;

  const call = <Body = IssueBody>(method: string, path: string, json?: object, user: TestUser = people.owner) =>
    loom.call<Body>(method, path, json, user);
  const open = async (fields: object = {}, user: TestUser = people.owner) => {
    const answer = await call('POST', '/issues', { title: 'Tangled', ...fields }, user);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
    return answer.body;
  };
  const say = <Body = Done>(iid: number, body: string, user: TestUser = people.owner) =>
    call<Body>('POST', `/issues/${iid}/notes`, { body }, user);
  const issue = async (iid: number) => (await call('GET', `/issues/${iid}`)).body;
  const notesOf = async (iid: number, kind = 'issues') => {
    const { body } = await call<readonly { body: string; system: boolean }[]>('GET', `/${kind}/${iid}/notes?sort=asc`);
    return body.map((note) => `${note.system ? '* ' : ''}${note.body}`);
  };
  const openMergeRequest = async (fields: object = {}, user: TestUser = people.owner) => {
    const branch = `branch-${(serial += 1)}`;
    await loom.write(branch, { [`${branch}.txt`]: branch }, { start_branch: 'main' });
    const json = { source_branch: branch, target_branch: 'main', title: `Add ${branch}`, ...fields };
    const answer = await call('POST', '/merge_requests', json, user);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
    return answer.body;
  };
  const sayThere = <Body = Done>(iid: number, body: string, user: TestUser = people.owner) =>
    call<Body>('POST', `/merge_requests/${iid}/notes`, { body }, user);
  const mergeRequest = async (iid: number) => (await call('GET', `/merge_requests/${iid}`)).body;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const named = await Promise.all(
      Object.keys(PEOPLE).map(
        async (role) => [role, await service.addUser(role, role === 'owner' ? { password: PASSWORD } : {})] as const,
      ),
    );
    people = Object.fromEntries(named) as Record<Role, TestUser>;
    loom = await WrittenProject.make(service, people.owner, { name: 'loom', visibility: 'public' });
    for (const role of ['developer', 'reporter', 'guest'] as const) await loom.addMember(people[role], PEOPLE[role]);
    await loom.write('main', { 'README.md': '# Loom\n' });
    for (const name of ['bug', 'to do']) await call('POST', '/labels', { name, color: '#FF0000' });
    await call('POST', '/milestones', { title: 'Next year' });
  });

  afterAll(() => service.close());

  describe('in comments on issues', () => {
    it('are taken out of the text and done with it', async () => {
      const { iid } = await open();
      const answer = await say<{ body: string }>(iid, 'Enough.\n/close\n/label ~bug ~"to do"\n/assign me');
      expect(answer).toMatchObject({ status: 201, body: { body: 'Enough.' } });
      expect(await issue(iid)).toMatchObject({
        state: 'closed',
        labels: ['bug', 'to do'],
        assignees: [{ username: 'owner' }],
      });
      expect(await notesOf(iid)).toEqual(['Enough.']);
    });

    it('alone leave no note, and answer 202 with what was done', async () => {
      const { iid } = await open();
      const answer = await say(
        iid,
        '/milestone %"Next year"\n/due 2026-12-24\n/estimate 1h 30m\n/spend 30m\n/title Untangled\n/lock\n/award :thumbsup:\n/todo\n/subscribe',
      );
      expect(answer).toMatchObject({
        status: 202,
        body: {
          commands_changes: { due_date: '2026-12-24', title: 'Untangled', discussion_locked: true, todo_event: 'add' },
          summary: [
            'Set the milestone to %"Next year".',
            'Set the due date to 2026-12-24.',
            'Set the time estimate to 1h 30m.',
            'Added 30m of time spent.',
            'Changed the title to “Untangled”.',
            'Locked the discussion.',
            'Gave :thumbsup:.',
            'Added a to-do.',
            'Subscribed.',
          ],
        },
      });
      expect(await issue(iid)).toMatchObject({
        title: 'Untangled',
        milestone: { title: 'Next year' },
        due_date: '2026-12-24',
        discussion_locked: true,
        time_stats: { time_estimate: 5_400, total_time_spent: 1_800 },
        upvotes: 1,
      });
      expect(await notesOf(iid)).toEqual([
        '* locked the discussion in this issue',
        '* changed time estimate to 1h 30m',
        '* added 30m of time spent',
      ]);
      await say(
        iid,
        '/remove_milestone\n/remove_due_date\n/remove_estimate\n/remove_time_spent\n/unlock\n/unsubscribe\n/done',
      );
      expect(await issue(iid)).toMatchObject({
        milestone: null,
        due_date: null,
        discussion_locked: false,
        subscribed: false,
        time_stats: { time_estimate: 0, total_time_spent: 0 },
      });
    });

    it('follow each other', async () => {
      const { iid } = await open();
      await say(iid, '/assign @developer @reporter\n/unassign @reporter\n/label ~bug\n/relabel ~"to do"');
      expect(await issue(iid)).toMatchObject({ assignees: [{ username: 'developer' }], labels: ['to do'] });
      await say(iid, '/reassign @guest\n/unlabel');
      expect(await issue(iid)).toMatchObject({ assignees: [{ username: 'guest' }], labels: [] });
      await say(iid, '/unassign');
      expect(await issue(iid)).toMatchObject({ assignees: [] });
    });

    it('tell what could not be done, and do the rest', async () => {
      const { iid } = await open();
      const answer = await say(
        iid,
        '/assign @nobody\n/label ~none\n/milestone %none\n/due soon\n/approve\n/reopen\n/close',
      );
      expect(answer).toMatchObject({
        status: 202,
        body: {
          commands_changes: { state_event: 'close' },
          summary: [
            'Could not apply /assign: nobody here is called @nobody.',
            'Could not apply /label: there is no label ~"none".',
            'Could not apply /milestone: there is no such milestone: name one, as in %1.0.',
            'Could not apply /due: name a day, as in 2026-12-24, tomorrow or in 2 weeks.',
            'Could not apply /approve: issues don’t know it.',
            'Could not apply /reopen: this issue is open.',
            'Closed this issue.',
          ],
        },
      });
      expect(await say(iid, '/close')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('Could not apply /close: this issue is closed.') },
      });
    });

    it('are bounded, and too many do nothing at all', async () => {
      const { iid } = await open();
      expect(await say(iid, `${'/todo\n'.repeat(30)}/close`)).toMatchObject({
        status: 400,
        body: { message: '400 Bad request - Note {:note=>["has too many quick actions (maximum is 30)"]}' },
      });
      expect(await issue(iid)).toMatchObject({ state: 'opened' });
    });

    it('stay text in code, quotes and previews', async () => {
      const { iid } = await open();
      const body = '```\n/close\n```\n> /close';
      expect(await say<{ body: string }>(iid, body)).toMatchObject({ status: 201, body: { body } });
      expect(await issue(iid)).toMatchObject({ state: 'opened' });
      const json = { text: '/close', project: loom.project.path, gfm: true };
      const { body: shown } = await service.call<{ html: string }>('POST', '/markdown', {
        token: people.owner.token,
        json,
      });
      expect(shown.html).toContain('/close');
    });

    it('work in discussions, and in a comment that is changed', async () => {
      const { iid } = await open();
      const begun = await call<{ id: string; notes: { id: number }[] }>('POST', `/issues/${iid}/discussions`, {
        body: 'Why?\n/label ~bug',
      });
      expect(begun).toMatchObject({ status: 201, body: { notes: [{ body: 'Why?' }] } });
      const thread = `/issues/${iid}/discussions/${begun.body.id}/notes`;
      expect(await call('POST', thread, { body: '/close' })).toMatchObject({ status: 202 });
      const note = `/issues/${iid}/notes/${begun.body.notes[0]!.id}`;
      expect(await call('PUT', note, { body: 'Why not?\n/reopen' })).toMatchObject({ body: { body: 'Why not?' } });
      expect(await issue(iid)).toMatchObject({ state: 'opened', labels: ['bug'] });
      expect(await call('PUT', note, { body: '/close' })).toMatchObject({ status: 400 });
      expect(await issue(iid)).toMatchObject({ state: 'opened' });
    });

    it('that make an issue confidential hide what is said beside them', async () => {
      const { iid } = await open();
      await say(iid, 'The password is swordfish.\n/confidential');
      expect(await issue(iid)).toMatchObject({ confidential: true });
      const { body } = await service.call<readonly { note?: { body: string } }[]>(
        'GET',
        `/projects/${loom.id}/events?per_page=100`,
        { token: people.stranger.token },
      );
      expect(JSON.stringify(body)).not.toContain('swordfish');
    });

    it('link issues and close duplicates, where whoever asks may link both', async () => {
      const [one, other] = [await open(), await open()];
      expect(await say(one.iid, `/relate #${other.iid}`, people.guest)).toMatchObject({ status: 400 });
      expect(await say(one.iid, `/relate #${one.iid}`)).toMatchObject({ status: 400 });
      expect(await say(one.iid, `/relate #${other.iid}`, people.reporter)).toMatchObject({ status: 202 });
      const links = await call<readonly IssueBody[]>('GET', `/issues/${one.iid}/links`);
      expect(links.body).toEqual([expect.objectContaining({ iid: other.iid, link_type: 'relates_to' })]);
      expect(await say(one.iid, `/duplicate ${loom.project.path}#${other.iid}`)).toMatchObject({
        status: 202,
        body: { summary: [`Closed this issue as a duplicate of #${other.iid}.`] },
      });
      expect(await issue(one.iid)).toMatchObject({ state: 'closed' });
      expect(await notesOf(other.iid)).toEqual([`* marked #${one.iid} as a duplicate of this issue`]);
      const secret = await service.call<{ id: number }>('POST', '/projects', {
        token: people.guest.token,
        json: { name: 'secret', visibility: 'private' },
      });
      await service.call('POST', `/projects/${secret.body.id}/issues`, {
        token: people.guest.token,
        json: { title: 'Hidden' },
      });
      const hidden = await say(other.iid, '/relate guest/secret#1', people.owner);
      const absent = await say(other.iid, '/relate guest/none#1', people.owner);
      expect(hidden).toMatchObject({ status: 400 });
      expect(hidden.body).toEqual(absent.body);
    });
  });

  describe('that name an issue of a project that not everybody sees', () => {
    it('close as a duplicate without a word of that project', async () => {
      const twin = async (visibility: string) => {
        const project = await WrittenProject.make(service, people.owner, { name: `twin-${visibility}`, visibility });
        await project.call('POST', '/issues', { title: 'The same' });
        return project.project.path;
      };
      const notesAfter = async (path: string) => {
        const { iid } = await open();
        expect(await say(iid, `/duplicate ${path}#1`)).toMatchObject({
          status: 202,
          body: { summary: [`Closed this issue as a duplicate of ${path}#1.`] },
        });
        return notesOf(iid);
      };
      const hidden = ['* marked this issue as a duplicate of an issue of another project'];
      expect(await notesAfter(await twin('private'))).toEqual(hidden);
      expect(await notesAfter(await twin('internal'))).toEqual(hidden);
      const path = await twin('public');
      expect(await notesAfter(path)).toEqual([`* marked this issue as a duplicate of ${path}#1`]);
    });
  });

  describe('in descriptions', () => {
    it('of issues are taken out and done before anybody hears of it', async () => {
      const description =
        'It hurts.\n/confidential\n/label ~bug\n/assign @developer\n/estimate 1h\n/milestone %"Next year"';
      const { iid } = await open({ description });
      expect(await issue(iid)).toMatchObject({
        description: 'It hurts.',
        confidential: true,
        labels: ['bug'],
        assignees: [{ username: 'developer' }],
        milestone: { title: 'Next year' },
        time_stats: { time_estimate: 3_600 },
      });
      const seen = await call('GET', `/issues/${iid}`, undefined, people.stranger);
      expect(seen.status).toBe(404);
      const changed = await call('PUT', `/issues/${iid}`, { description: 'Better.\n/close', labels: 'bug' });
      expect(changed.body).toMatchObject({ description: 'Better.', state: 'closed', labels: ['bug'] });
    });

    it('of merge requests are taken out and done', async () => {
      const { iid } = await openMergeRequest({ description: 'So.\n/draft\n/label ~bug\n/assign @developer\n/merge' });
      const shown = await mergeRequest(iid);
      expect(shown).toMatchObject({
        description: 'So.',
        state: 'opened',
        draft: true,
        labels: ['bug'],
        assignees: [{ username: 'developer' }],
      });
      await call('PUT', `/merge_requests/${iid}`, { description: 'So!\n/ready\n/unlabel' });
      expect(await mergeRequest(iid)).toMatchObject({ description: 'So!', draft: false, labels: [] });
    });
  });

  describe('in comments on merge requests', () => {
    it('close, reopen, approve and merge', async () => {
      const { iid } = await openMergeRequest({}, people.developer);
      expect(await sayThere(iid, '/close')).toMatchObject({ status: 202 });
      expect(await sayThere(iid, '/approve')).toMatchObject({ status: 400 });
      expect(await sayThere(iid, '/reopen\n/draft')).toMatchObject({ status: 202 });
      expect(await sayThere(iid, '/approve', people.developer)).toMatchObject({ status: 400 });
      expect(await sayThere(iid, '/approve')).toMatchObject({
        status: 202,
        body: { commands_changes: { approve: true }, summary: ['Approved this merge request.'] },
      });
      expect(await sayThere(iid, '/merge')).toMatchObject({ status: 400 });
      expect(await sayThere(iid, '/merge', people.developer)).toMatchObject({ status: 400 });
      expect(await sayThere(iid, 'Good.\n/unapprove\n/ready\n/merge')).toMatchObject({ status: 201 });
      expect(await mergeRequest(iid)).toMatchObject({ state: 'merged', draft: false });
      expect(await sayThere(iid, '/close')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('this merge request is merged.') },
      });
    });

    it('rebase the source branch', async () => {
      const { iid, source_branch } = await openMergeRequest();
      await loom.write('main', { [`beside-${iid}.txt`]: 'x' });
      expect(await sayThere(iid, '/rebase', people.reporter)).toMatchObject({
        status: 400,
        body: { message: '400 Bad request - Could not apply /rebase: you don’t have permission.' },
      });
      expect(await sayThere(iid, '/rebase')).toMatchObject({
        status: 202,
        body: { summary: ['Rebased the source branch.'] },
      });
      const commits = await call<readonly { parent_ids: string[] }[]>(
        'GET',
        `/repository/commits?ref_name=${String(source_branch)}`,
      );
      expect(commits.body[0]!.parent_ids).toEqual([await loom.head('main')]);
    });

    it('don’t open a second one for the same branches', async () => {
      const first = await openMergeRequest();
      await sayThere(first.iid, '/close');
      const json = { source_branch: first['source_branch'], target_branch: 'main', title: 'Again' };
      await call('POST', '/merge_requests', json);
      expect(await sayThere(first.iid, '/reopen')).toMatchObject({ status: 400 });
    });
  });

  describe('are for whoever may do the same by REST', () => {
    // Of an issue and a merge request that the owner opened, in a public project.
    const FREE: readonly Role[] = ['owner', 'developer', 'reporter', 'guest', 'stranger'];
    const REPORTERS: readonly Role[] = ['owner', 'developer', 'reporter'];
    const DEVELOPERS: readonly Role[] = ['owner', 'developer'];

    it.each<[string, readonly Role[]]>([
      ['/close', REPORTERS],
      ['/assign me', REPORTERS],
      ['/label ~bug', REPORTERS],
      ['/milestone %"Next year"', REPORTERS],
      ['/due tomorrow', REPORTERS],
      ['/title Other', REPORTERS],
      ['/confidential', REPORTERS],
      ['/lock', REPORTERS],
      ['/estimate 1h', REPORTERS],
      ['/spend 1h', REPORTERS],
      ['/todo', FREE],
      ['/subscribe', FREE],
      ['/award :tada:', FREE],
    ])('%s on an issue', async (body, allowed) => {
      for (const role of FREE) {
        const { iid } = await open();
        const { status } = await say(iid, body, people[role]);
        expect([role, status]).toEqual([role, allowed.includes(role) ? 202 : 400]);
      }
    });

    it.each<[string, readonly Role[]]>([
      ['/close', DEVELOPERS],
      ['/assign me', DEVELOPERS],
      ['/label ~bug', DEVELOPERS],
      ['/draft', DEVELOPERS],
      ['/lock', DEVELOPERS],
      ['/approve', ['developer']],
      ['/merge', ['owner']],
      ['/estimate 1h', REPORTERS],
      ['/todo', FREE],
    ])('%s on a merge request', async (body, allowed) => {
      for (const role of FREE) {
        const { iid } = await openMergeRequest();
        const { status } = await sayThere(iid, body, people[role]);
        expect([role, status]).toEqual([role, allowed.includes(role) ? 202 : 400]);
      }
    });

    it('keeps an author below reporter from locking, and from lifting confidentiality’s guard', async () => {
      const { iid } = await open({}, people.guest);
      expect(await say(iid, '/lock', people.guest)).toMatchObject({ status: 400 });
      expect(await call('PUT', `/issues/${iid}`, { discussion_locked: true }, people.guest)).toMatchObject({
        status: 403,
      });
      expect(await say(iid, '/close', people.guest)).toMatchObject({ status: 202 });
      await say(iid, '/lock');
      expect(await say(iid, '/reopen', people.stranger)).toMatchObject({ status: 403 });
      expect(await issue(iid)).toMatchObject({ state: 'closed' });
    });
  });

  it('of many at once lose nothing', async () => {
    const { iid } = await open();
    const bodies = ['/label ~bug', '/label ~"to do"', '/assign @developer', '/assign @guest', '/spend 1h', '/spend 2h'];
    const answers = await Promise.all(bodies.map((body) => say(iid, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 202));
    const { labels, assignees, time_stats } = await issue(iid);
    expect({ labels, time_stats }).toMatchObject({
      labels: ['bug', 'to do'],
      time_stats: { total_time_spent: 10_800 },
    });
    expect((assignees as { username: string }[]).map(({ username }) => username).sort()).toEqual([
      'developer',
      'guest',
    ]);
  });

  it('are told on the next page', async () => {
    const { iid } = await open();
    const browser = new FormBrowser(service.url);
    await browser.signIn('owner');
    const address = `/${loom.project.path}/-/issues/${iid}`;
    await browser.submit(address, `${address}/notes`, { body: 'Done.\n/close\n/milestone %none' });
    const page = await (await browser.get(address)).text();
    expect(page).toContain('Comment added. Closed this issue.');
    const refused = await browser.submit(address, `${address}/notes`, { body: '/close' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Could not apply /close: this issue is closed.'),
    ]);
  });
});
