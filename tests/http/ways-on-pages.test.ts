import { beforeAll, expect, it } from '@jest/globals';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const GUEST = 10;
const [LABEL, QUERY] = ['a & b?', 'label=a+%26+b%3F'];

describeWriting('ways from page to page', (writing) => {
  let loom: WrittenProject;
  let ada: FormBrowser;
  let guest: FormBrowser;
  let at: string;
  let tip: string;

  beforeAll(async () => {
    loom = await writing.newProject({ visibility: 'private' });
    at = `/${loom.project.path}/-`;
    ({ id: tip } = await loom.write('main', { 'src/a.txt': 'one\ntwo\n' }));
    await loom.write('work', { 'b.txt': 'b\n' }, { start_branch: 'main' });
    await loom.call('POST', '/labels', { name: LABEL, color: '#ff0000' });
    const { id } = (await loom.call<{ id: number }>('POST', '/milestones', { title: 'M & 1' })).body;
    const fields = { title: 'Leak', labels: [LABEL], milestone_id: id };
    await loom.call('POST', '/issues', fields);
    await loom.call('POST', '/merge_requests', { ...fields, source_branch: 'work', target_branch: 'main' });
    await loom.addMember(await writing.service.addUser('guest', { password: PASSWORD }), GUEST);
    ada = await signedIn(writing.service, 'ada');
    guest = await signedIn(writing.service, 'guest');
  });

  const read = async (path: string, who = ada) => (await who.get(path)).text();
  const open = async (path: string, who = ada) => (await who.get(path.replaceAll('&amp;', '&'))).status;

  it.each([
    ['issues/1', 'issues'],
    ['issues', 'issues'],
    ['merge_requests/1', 'merge_requests'],
    ['merge_requests', 'merge_requests'],
  ])('lead from a label on %s to what else has it', async (page, list) => {
    const way = `${at}/${list}?${QUERY}`;
    expect(await read(`${at}/${page}`)).toContain(`<a class="chip" href="${way}">`);
    expect(await read(way)).toContain(list === 'issues' ? '/-/issues/1"' : '/-/merge_requests/1"');
  });

  it('say of lists how many are in each state, narrowed as they are, unless a text is looked for', async () => {
    const counts = async (list: string) =>
      [...(await read(`${at}/${list}`)).matchAll(/(\w+) <small class="count">(\d+)<\/small>/g)].map(
        ([, state, count]) => `${state} ${count}`,
      );
    await loom.call('POST', '/issues', { title: 'Shut' });
    await loom.call('PUT', '/issues/2', { state_event: 'close' });
    expect(await counts('issues')).toEqual(['Open 1', 'Closed 1', 'All 2']);
    expect(await counts('issues?state=closed')).toEqual(['Open 1', 'Closed 1', 'All 2']);
    expect(await counts(`issues?${QUERY}`)).toEqual(['Open 1', 'Closed 0', 'All 1']);
    expect(await counts('merge_requests')).toEqual(['Open 1', 'Merged 0', 'Closed 0', 'All 1']);
    expect(await counts('merge_requests?target=other')).toEqual(['Open 0', 'Merged 0', 'Closed 0', 'All 0']);
    for (const list of ['issues?search=Leak', 'merge_requests?search=Leak', 'issues?author=nobody'])
      expect(await counts(list)).toEqual([]);
  });

  it('lead from an issue to what closes it and to a branch called after it, for who may have to do with code', async () => {
    await loom.call('PUT', '/merge_requests/1', { description: 'Closes #1' });
    const closedBy = `<a href="${at}/merge_requests/1">!1 <span class="name">Leak</span></a>`;
    const branch = `href="${at}/branches?name=1-leak"`;
    const page = await read(`${at}/issues/1`);
    expect(page).toContain(closedBy);
    expect(page).toContain(branch);
    expect(await read(`${at}/branches?name=1-leak`)).toMatch(
      /<details open>\s+<summary>New branch[\s\S]+<input name="name" value="1-leak"/,
    );
    const toGuest = await read(`${at}/issues/1`, guest);
    expect(toGuest).toContain('Leak');
    expect(toGuest).not.toContain(closedBy);
    expect(toGuest).not.toContain(branch);
  });

  it('lead from a milestone and a label to their merge requests, for who sees these', async () => {
    const ofMilestone = `${at}/merge_requests?state=all&amp;milestone=M+%26+1`;
    const ofLabel = `${at}/merge_requests?label=${encodeURIComponent(LABEL)}`;
    for (const [page, way] of [
      ['milestones/1', ofMilestone],
      ['labels', ofLabel],
    ] as const) {
      expect(await read(`${at}/${page}`)).toContain(`href="${way}"`);
      expect(await read(way.replaceAll('&amp;', '&'))).toContain('/-/merge_requests/1"');
      // A guest of a private project sees no code.
      expect([page, await read(`${at}/${page}`, guest)]).toEqual([page, expect.not.stringContaining(`href="${way}"`)]);
      expect(await open(way, guest)).toBeGreaterThanOrEqual(400);
    }
  });

  it('lead from a file of a branch to the file as it is now, for good, and say how many lines it has', async () => {
    const file = await read(`${at}/blob/main/src/a.txt`);
    expect(file).toContain(`<a href="${at}/blob/${tip}/src/a.txt">Permalink</a>`);
    expect(file).toContain(' · 2 lines');
    expect(await read(`${at}/blob/${tip}/src/a.txt`)).not.toContain('Permalink');
  });

  it('lead back to a project or group from a page that is not there, for who sees it, whatever is hidden there', async () => {
    const { id } = (
      await writing.service.call<{ id: number }>('POST', '/groups', {
        token: writing.ada.token,
        json: { name: 'Weavers', path: 'weavers', visibility: 'private' },
      })
    ).body;
    expect(id).toBeGreaterThan(0);
    const whispered = { title: 'Whispered', confidential: true };
    const { iid } = (await loom.call<{ iid: number }>('POST', '/issues', whispered)).body;
    for (const [address, back] of [
      [`${at}/project_members`, `/${loom.project.path}`],
      [`${at}/issues/99`, `/${loom.project.path}`],
      ['/groups/weavers/-/nowhere', '/groups/weavers'],
    ] as const) {
      const missing = await ada.get(address);
      expect([missing.status, await missing.text()]).toEqual([
        404,
        expect.stringContaining(`<a href="${back}">Back to `),
      ]);
    }
    const answers = async (who: FormBrowser, addresses: readonly string[]) =>
      Promise.all(
        addresses.map(async (address) =>
          (await read(address, who)).replace(/Request [\w-]+|return_to=[^"]+|[\w-]{43}/g, ''),
        ),
      );
    // To a guest a confidential issue is none.
    const [hidden, none] = await answers(guest, [`${at}/issues/${iid}`, `${at}/issues/99`]);
    expect(hidden!.replaceAll(`issues/${iid}`, '')).toBe(none!.replaceAll('issues/99', ''));
    await writing.service.addUser('stranger', { password: PASSWORD });
    const stranger = await signedIn(writing.service, 'stranger');
    for (const address of [`${at}/nowhere`, '/groups/weavers/-/nowhere', '/no/such/-/nowhere'])
      expect([address, await read(address, stranger)]).toEqual([address, expect.stringContaining('Back to the start')]);
  });

  it('lead through personal access tokens that work, the newest first, however many came before', async () => {
    const { service, ada: owner } = writing;
    const root = await service.addUser('root-of-ways', { admin: true });
    for (let count = 1; count <= 22; count += 1)
      await service.call('POST', `/users/${owner.id}/personal_access_tokens`, {
        token: root.token,
        json: { name: `Robot ${count}!`, scopes: ['read_api'] },
      });
    const first = await read('/profile/personal_access_tokens');
    expect(first).toContain('Robot 22!');
    expect(first).not.toContain('Robot 1!');
    const [, newest] = /personal_access_tokens\/(\d+)\/revoke/.exec(first)!;
    await ada.submit('/profile/personal_access_tokens', `/profile/personal_access_tokens/${newest}/revoke`, {});
    const page = await read('/profile/personal_access_tokens');
    expect(page.split('<h2>Your tokens')[1]).not.toContain('Robot 22!');
    expect(page).toContain('rel="next" href="?page=2"');
    expect(await read('/profile/personal_access_tokens?page=2')).toContain('Robot 1!');
  });
});
