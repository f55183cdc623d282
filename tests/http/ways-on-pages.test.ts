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
});
