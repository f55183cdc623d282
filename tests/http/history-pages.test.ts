import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BusyProject } from '../support/activity.js';
import { describeEachDatabase } from '../support/databases.js';
import type { FormBrowser } from '../support/form-browser.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { storyIn } from '../support/story-in.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

describeEachDatabase('the page of an issue', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    browser = await signedIn(service, 'ada');
  });
  afterAll(() => service.close());

  const read = async (page: string): Promise<string> => (await browser.get(page)).text();
  const later = () => service.clock.advance(1_000);

  it('tells between the comments which labels and milestones came and went, and when it was closed', async () => {
    const project = await BusyProject.create(service, ada, 'engine');
    const milestone = (await project.call('POST', '/milestones', { title: '1.0 <b>' })).body;
    const { iid } = (await project.call('POST', '/issues', { title: 'Leak', labels: 'bug' })).body;
    const change = async (json: object) => {
      later();
      await project.call('PUT', `/issues/${iid}`, json);
    };
    await change({ add_labels: 'urgent,backend', remove_labels: 'bug' });
    later();
    await project.call('POST', `/issues/${iid}/notes`, { body: 'I have seen it.' });
    await change({ milestone_id: milestone.id });
    await change({ state_event: 'close' });
    await change({ state_event: 'reopen' });
    const html = await read(`/ada/engine/-/issues/${iid}`);
    expect(storyIn(html)).toEqual([
      'ada Example added label bug',
      expect.stringMatching(/^ada Example added labels (urgent backend|backend urgent), removed label bug$/),
      'a comment',
      'ada Example set the milestone 1.0 &lt;b&gt;',
      'ada Example closed it',
      'ada Example reopened it',
    ]);
    expect(html).toContain(`href="/ada/engine/-/milestones/${milestone.iid}"`);
  });

  it('tells what the service wrote by itself in a line among the others, which nobody may edit or reply to', async () => {
    const project = await BusyProject.create(service, ada, 'clocks');
    const [{ iid }, other] = [
      (await project.call('POST', '/issues', { title: 'Leak' })).body,
      (await project.call('POST', '/issues', { title: 'Drip' })).body,
    ];
    await project.call('POST', `/issues/${iid}/add_spent_time?duration=1h`);
    later();
    await project.call('POST', `/issues/${iid}/notes`, { body: 'I have seen it.' });
    later();
    await project.call('POST', `/issues/${iid}/notes`, { body: `/duplicate #${other.iid}` });
    const html = await read(`/ada/clocks/-/issues/${iid}`);
    expect(storyIn(html)).toEqual([
      'ada Example added 1h of time spent',
      'a comment',
      `ada Example marked this issue as a duplicate of #${other.iid}`,
      'ada Example closed it',
    ]);
    expect(html).toMatch(new RegExp(`duplicate of <a [^>]*href="[^"]*/-/issues/${other.iid}"`));
    expect(html.match(/<article id="note_/g)).toHaveLength(1);
    expect(html.match(/<div class="change" id="note_\d+">/g)).toHaveLength(2);
    expect(html.match(/notes\/\d+\/edit/g)).toHaveLength(1);
  });

  it('tells who was assigned, what its title was, when it is due and whom it is hidden from', async () => {
    const project = await BusyProject.create(service, ada, 'pumps');
    const [root, grace, rita] = [
      await service.addUser('root', { admin: true }),
      await service.addUser('grace'),
      await service.addUser('rita'),
    ];
    await service.call('PUT', `/users/${grace.id}`, { token: root.token, json: { name: 'Grace <i>' } });
    for (const { id } of [grace, rita]) await project.call('POST', '/members', { user_id: id, access_level: 30 });
    const { iid } = (await project.call('POST', '/issues', { title: 'Leak <b>', assignee_ids: [grace.id] })).body;
    const change = async (json: object) => {
      later();
      expect((await project.call('PUT', `/issues/${iid}`, json)).status).toBe(200);
    };
    const planned = { assignee_ids: [grace.id, rita.id], title: 'Flood', due_date: '2026-12-24' };
    await change(planned);
    await change(planned);
    await change({ assignee_ids: [ada.id], confidential: true });
    await change({ due_date: '', confidential: false });
    later();
    await project.call('POST', `/issues/${iid}/notes`, { body: '/reassign @grace\n/title Drip' });
    const story = async () => storyIn(await read(`/ada/pumps/-/issues/${iid}`));
    const told = (name: string) => [
      `ada Example assigned ${name}`,
      'ada Example changed the title from “Leak &lt;b&gt;”, set the due date to 2026-12-24, assigned rita Example',
      `ada Example made it confidential, assigned themselves, unassigned ${name} and rita Example`,
      'ada Example cleared the due date, ended its confidentiality',
      `ada Example changed the title from “Flood”, assigned ${name}, unassigned themselves`,
    ];
    expect(await story()).toEqual(told('Grace &lt;i&gt;'));
    expect((await service.call('DELETE', `/users/${grace.id}`, { token: root.token })).status).toBe(204);
    await until(async () => (await story())[0] === told('somebody who is gone')[0]);
    expect(await story()).toEqual(told('somebody who is gone'));
  });

  it('names no label or milestone of the project that it was moved from', async () => {
    const [from, to] = [
      await BusyProject.create(service, ada, 'secret'),
      await BusyProject.create(service, ada, 'open'),
    ];
    const milestone = (await from.call('POST', '/milestones', { title: 'Takeover' })).body;
    const issue = { title: 'Leak', labels: 'codename', milestone_id: milestone.id };
    const { iid } = (await from.call('POST', '/issues', issue)).body;
    const moved = await from.call('POST', `/issues/${iid}/move`, { to_project_id: to.id });
    const story = storyIn(await read(`/ada/open/-/issues/${moved.body.iid}`)).join();
    expect([moved.status, story.includes('Takeover')]).toEqual([201, false]);
  });
});
