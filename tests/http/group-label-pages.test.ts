import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { LabelledGroups } from '../support/labelled-groups.js';
import { openMill } from '../support/open-mill.js';
import { TestService } from '../support/test-service.js';

describeAnyDatabase('pages of the labels of a group', (openTestDatabase) => {
  let service: TestService;
  let groups: LabelledGroups;
  let ada: FormBrowser;
  let guest: FormBrowser;
  let member: FormBrowser;
  let project: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    groups = new LabelledGroups(service, await service.addUser('ada', { password: PASSWORD }));
    ({ project, ada, guest, member } = await openMill(groups, 20));
  });

  afterAll(() => service.close());

  const GROUP = '/groups/works/mill/-/labels';
  const PROJECT = '/works/mill/engine/-/labels';

  /** Sends the form of a page to its own address, and reads the page that it leads to. */
  const send = (who: FormBrowser, page: string, values: Record<string, string>) =>
    who.submitAndRead(page, page, values);
  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  const statusOf = async (who: FormBrowser, page: string): Promise<number> => (await who.get(page)).status;
  const idOf = async (name: string) =>
    (await groups.labelsOf('/groups/works%2Fmill')).find((label) => label.name === name)?.id;

  it('make, edit and remove one, after asking, for reporters', async () => {
    expect(await read(ada, '/groups/works/mill/-/issues')).toContain(`href="${GROUP}"`);
    expect(await read(ada, GROUP)).toContain('There are no labels yet.');
    const made = await send(ada, `${GROUP}/new`, { title: 'gap', color: '#d9534f', description: 'Between beams' });
    expect([made.to, made.notice]).toEqual([GROUP, 'Label “gap” created.']);
    const twice = await send(ada, `${GROUP}/new`, { title: 'gap', color: '#000000' });
    expect([twice.status, twice.html.includes('Label already exists')]).toEqual([409, true]);
    const id = await idOf('gap');
    expect((await send(ada, `${GROUP}/${id}/edit`, { title: 'crack', color: '#d9534f' })).notice).toBe(
      'Label “crack” saved.',
    );
    expect(await read(ada, `${GROUP}/${id}/remove`)).toContain('in all projects, lose it, and stay.');
    expect((await send(ada, `${GROUP}/${id}/remove`, {})).notice).toBe('Label “crack” removed.');
    for (const page of ['new', `${id}/edit`])
      expect([page, await statusOf(guest, `${GROUP}/${page}`)]).toEqual([page, 403]);
    expect(await read(guest, GROUP)).not.toContain(`${GROUP}/new`);
    expect(await statusOf(member, GROUP)).toBe(404);
  });

  it('say how many issues are open that have it, as far as the reader sees them, and lead to them', async () => {
    await groups.label('/groups/works%2Fmill', 'leak');
    await groups.issue(project, 'leak');
    await groups.issue(project, 'leak', { confidential: true });
    const link = `href="/groups/works/mill/-/issues?label=leak">`;
    expect(await read(ada, GROUP)).toContain(`${link}2 open issues<`);
    expect(await read(guest, GROUP)).toContain(`${link}1 open issue<`);
    expect(await read(ada, '/groups/works/mill/-/issues?label=leak')).toContain('/works/mill/engine/-/issues/1"');
    expect(await read(ada, '/groups/works/mill/-/issues')).toContain('<option value="leak">');
  });

  it('name the group of those above it, which are changed there alone, and so do the pages of projects', async () => {
    const { id } = await groups.label('/groups/works', 'odor');
    for (const [page, who] of [
      [GROUP, ada],
      [PROJECT, ada],
      [PROJECT, member],
    ] as const) {
      const html = await read(who, page);
      expect([page, html.includes('of the group Works')]).toEqual([page, true]);
      expect([page, html.includes(`${page}/${id}/edit`), html.includes(`${page}/${id}/remove`)]).toEqual([
        ...[page, false, false],
      ]);
      for (const form of ['edit', 'remove'])
        expect([page, form, await statusOf(who, `${page}/${id}/${form}`)]).toEqual([page, form, 404]);
      const subscription = `${page}/${id}/subscription`;
      for (const [subscribed, words] of [
        ['true', 'You follow the label “odor”.'],
        ['false', 'You no longer follow the label “odor”.'],
      ] as const) {
        const sent = await who.submit(page, subscription, { subscribed });
        expect([page, sent.headers.get('location')]).toEqual([page, page]);
        expect(await read(who, page)).toContain(words);
      }
    }
    expect(await read(ada, '/works/mill/engine/-/issues/new')).toContain('odor');
    expect(await read(ada, '/works/mill/engine/-/issues')).toContain('<option value="odor">');
  });

  it('make one of a label of a project, after asking, for who may manage those of both', async () => {
    const { id } = await groups.label(`/projects/${project}`, 'rust');
    const page = `${PROJECT}/${id}/promote`;
    expect(await read(ada, PROJECT)).toContain(`href="${page}"`);
    expect(await read(member, PROJECT)).not.toContain('/promote"');
    expect(await read(member, PROJECT)).toContain(`${PROJECT}/${id}/edit"`);
    expect([await statusOf(member, page), await statusOf(guest, page)]).toEqual([404, 403]);
    expect(await read(ada, page)).toContain('Make rust a label of the group Mill?');
    const promoted = await send(ada, page, {});
    expect([promoted.to, promoted.notice]).toEqual([PROJECT, 'Label “rust” is one of the group Mill now.']);
    expect(promoted.html).toContain('of the group Mill');
    expect(await statusOf(ada, page)).toBe(404);
    const own = await groups.project(undefined, { path: 'own', name: 'Own' });
    const label = await groups.label(`/projects/${own}`, 'rust');
    expect(await read(ada, '/ada/own/-/labels')).not.toContain('/promote"');
    expect(await statusOf(ada, `/ada/own/-/labels/${label.id}/promote`)).toBe(404);
  });

  it('and a list of a board is made of one', async () => {
    const board = await ada.get('/works/mill/engine/-/boards');
    const address = new URL(board.url).pathname;
    const html = await board.text();
    const [, lists = ''] = /action="([^"]*\/lists)/.exec(html) ?? [];
    const added = await ada.submit(address, lists, { new_list: 'odor' });
    expect([address, added.status]).toEqual([address, 303]);
    expect(await read(ada, added.headers.get('location') ?? '')).toContain('List “odor” added.');
  });
});
