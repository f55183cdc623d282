import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { openMill } from '../support/open-mill.js';
import { PlannedGroups } from '../support/planned-groups.js';
import { TestService } from '../support/test-service.js';

describeAnyDatabase('pages of the milestones of a group', (openTestDatabase) => {
  let service: TestService;
  let groups: PlannedGroups;
  let ada: FormBrowser;
  let guest: FormBrowser;
  let member: FormBrowser;
  let project: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    groups = new PlannedGroups(service, await service.addUser('ada', { password: PASSWORD }));
    ({ project, ada, guest, member } = await openMill(groups, 30));
  });

  afterAll(() => service.close());

  const GROUP = '/groups/works/mill/-/milestones';
  const PROJECT = '/works/mill/engine/-/milestones';

  /** Sends the form of a page to its own address, and reads the page that it leads to. */
  const send = (who: FormBrowser, page: string, values: Record<string, string>) =>
    who.submitAndRead(page, page, values);
  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  const statusOf = async (who: FormBrowser, page: string): Promise<number> => (await who.get(page)).status;

  it('make, edit, close and remove one, after asking, for developers', async () => {
    expect(await read(ada, '/groups/works/mill/-/issues')).toContain(`href="${GROUP}"`);
    expect(await read(ada, GROUP)).toContain('No milestone is open.');
    const made = await send(ada, `${GROUP}/new`, {
      title: 'Steam',
      description: 'All **of** it',
      due_date: '2026-12-24',
    });
    expect([made.to, made.notice]).toEqual([`${GROUP}/1`, 'Milestone “Steam” created.']);
    expect(made.html).toContain('<strong>of</strong>');
    const twice = await send(ada, `${GROUP}/new`, { title: 'Steam' });
    expect([twice.status, twice.html.includes('has already been taken')]).toEqual([400, true]);
    expect((await send(ada, `${GROUP}/1/edit`, { title: 'Power' })).notice).toBe('Milestone “Power” saved.');
    const closed = await ada.submit(`${GROUP}/1`, `${GROUP}/1/state`, { state_event: 'close' });
    expect(closed.headers.get('location')).toBe(`${GROUP}/1`);
    expect(await read(ada, `${GROUP}?state=closed`)).toContain('>Power</a></strong>');
    expect(await read(ada, `${GROUP}/1/remove`)).toContain('of all projects stay, and are planned for nothing.');
    expect((await send(ada, `${GROUP}/1/remove`, {})).notice).toBe('Milestone “Power” removed.');
    const { iid } = await groups.milestone('/groups/works%2Fmill', 'Kept');
    for (const page of ['new', `${iid}/edit`, `${iid}/remove`])
      expect([page, await statusOf(guest, `${GROUP}/${page}`)]).toEqual([page, 403]);
    expect(await read(guest, GROUP)).not.toContain(`${GROUP}/new`);
    expect(await read(guest, `${GROUP}/${iid}`)).not.toContain('/edit"');
    expect([await statusOf(member, GROUP), await statusOf(member, `${GROUP}/${iid}`)]).toEqual([404, 404]);
  });

  it('show its issues of all projects and how far they are, as the reader sees them', async () => {
    const milestone = await groups.milestone('/groups/works%2Fmill', 'Wheels');
    const other = await groups.project(undefined);
    await groups.call('PUT', `/projects/${other}/transfer`, { namespace: 'works/mill' });
    await groups.planned(project, { title: 'Round', milestone_id: milestone.id });
    await groups.planned(other, { title: 'Secret', milestone_id: milestone.id, confidential: true });
    const page = `${GROUP}/${milestone.iid}`;
    const seen = await read(ada, page);
    for (const words of ['Round', 'Secret', '/works/mill/engine/-/issues/', '0 of 2'])
      expect([words, seen.includes(words)]).toEqual([words, true]);
    const less = await read(guest, page);
    expect([less.includes('Round'), less.includes('Secret')]).toEqual([true, false]);
    expect(seen).toContain('href="/groups/works/mill/-/issues?state=all&amp;milestone=Wheels"');
    expect(await read(ada, '/groups/works/mill/-/issues?milestone=Wheels')).toContain('Round');
    expect(await read(ada, '/groups/works/mill/-/issues')).toContain('<option value="Wheels">');
  });

  it('lead from those above to the page of their group, and so do the pages of projects', async () => {
    const milestone = await groups.milestone('/groups/works', 'Whole');
    const href = 'href="/groups/works/-/milestones/1"';
    for (const page of [GROUP, PROJECT]) {
      const html = await read(ada, page);
      expect([page, html.includes(href), html.includes('of the group works')]).toEqual([page, true, true]);
    }
    const { iid } = await groups.planned(project, { milestone_id: milestone.id, title: 'Part' });
    const issue = `/works/mill/engine/-/issues/${iid}`;
    expect((await read(ada, issue)).split(href)).toHaveLength(3);
    expect(await read(ada, `${issue}/edit`)).toContain(`<option value="${milestone.id}" selected>Whole</option>`);
    expect(await read(member, '/works/mill/engine/-/issues/new')).toContain('>Whole</option>');
  });

  it('are no links for a member of a project who sees no group above it', async () => {
    const milestone = await groups.milestone('/groups/works', 'Above');
    const planned = { milestone_id: milestone.id, description: 'Until %Above' };
    const { iid } = await groups.planned(project, planned);
    for (const page of [PROJECT, `/works/mill/engine/-/issues/${iid}`]) {
      const [shown, html] = [await read(ada, page), await read(member, page)];
      const href = `href="/groups/works/-/milestones/${milestone.iid}"`;
      expect([page, shown.includes(href), html.includes('Above'), html.includes(href)]).toEqual([
        page,
        true,
        true,
        false,
      ]);
    }
  });

  it('make one of a milestone of a project, after asking, and its address leads there', async () => {
    const { iid } = await groups.milestone(`/projects/${project}`, 'Rust');
    const page = `${PROJECT}/${iid}/promote`;
    expect(await read(ada, `${PROJECT}/${iid}`)).toContain(`href="${page}"`);
    const shown = await read(member, `${PROJECT}/${iid}`);
    expect([shown.includes('/promote"'), shown.includes('/edit"')]).toEqual([false, true]);
    expect([await statusOf(member, page), await statusOf(guest, page)]).toEqual([404, 403]);
    expect(await read(ada, page)).toContain('Make Rust a milestone of the group Mill?');
    const promoted = await send(ada, page, {});
    expect([promoted.to, promoted.notice]).toEqual([PROJECT, 'Milestone “Rust” is one of the group Mill now.']);
    expect(promoted.html).toContain('of the group works/mill');
    const gone = await ada.get(`${PROJECT}/${iid}`);
    expect(new URL(gone.url).pathname + (gone.headers.get('location') ?? '')).toMatch(
      /\/groups\/works\/mill\/-\/milestones\/\d+$/,
    );
    for (const form of ['promote', 'edit', 'remove'])
      expect([form, await statusOf(ada, `${PROJECT}/${iid}/${form}`)]).toEqual([form, 404]);
  });

  it('are linked where a text of a project names one by a title of one word', async () => {
    const { iid } = await groups.milestone('/groups/works', 'v2.0');
    const own = await groups.milestone(`/projects/${project}`, 'solo');
    const issue = await groups.planned(project, { description: `After %v2.0. Or %solo, or %${own.iid}, or %none` });
    const html = await read(ada, `/works/mill/engine/-/issues/${issue.iid}`);
    expect(html).toContain(`href="/groups/works/-/milestones/${iid}">%v2.0</a>`);
    expect(html).toContain(`href="${PROJECT}/${own.iid}">%solo</a>`);
    expect(html).toContain(`href="${PROJECT}/${own.iid}">%${own.iid}</a>`);
    expect(html).toContain('%none');
    expect(html).not.toContain('%none</a>');
  });
});
