import { expect, it } from '@jest/globals';
import { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const [GUEST, REPORTER] = [10, 20];

describeWriting('linked issues on the page of an issue', (writing) => {
  const pageOf = ({ project }: WrittenProject, iid = 1) => `/${project.path}/-/issues/${iid}`;
  const read = async (browser: FormBrowser, address: string) => (await browser.get(address)).text();
  const addIssue = async (loom: WrittenProject, title: string, more: object = {}) =>
    (await loom.call<{ iid: number }>('POST', '/issues', { title, ...more })).body.iid;
  const link = (browser: FormBrowser, loom: WrittenProject, fields: Readonly<Record<string, string>>) =>
    browser.submit(pageOf(loom), `${pageOf(loom)}/links`, fields);
  const linked = async (loom: WrittenProject) =>
    (await loom.call<{ iid: number; link_type: string; issue_link_id: number }[]>('GET', '/issues/1/links')).body;

  it('are named with what they are to it, linked by number, path or address, and unlinked', async () => {
    const [loom, other] = [await writing.newProject(), await writing.newProject()];
    for (const title of ['One', 'Two', 'Three']) await addIssue(loom, title);
    await addIssue(other, 'Far');
    const ada = await signedIn(writing.service, 'ada');
    const made = await link(ada, loom, { reference: ' #2 ', link_type: 'blocks' });
    expect([made.status, made.headers.get('location')]).toEqual([303, `${pageOf(loom)}#links`]);
    await link(ada, loom, { reference: `${writing.service.url}${pageOf(loom, 3)}`, link_type: 'is_blocked_by' });
    await link(ada, loom, { reference: `${other.project.path}#1`, link_type: 'nonsense' });
    expect((await linked(loom)).map(({ link_type }) => link_type)).toEqual(['blocks', 'is_blocked_by', 'relates_to']);
    const shown = await read(ada, pageOf(loom));
    for (const part of [
      `<a href="${pageOf(loom, 2)}"><strong class="name">Two</strong></a>`,
      `<a href="${pageOf(loom, 3)}"><strong class="name">Three</strong></a>`,
      `<a href="${pageOf(other)}"><strong class="name">Far</strong></a>`,
      'This issue blocks #2<',
      'This issue is blocked by #3<',
      `This issue relates to ${other.project.path}#1<`,
    ])
      expect(shown).toContain(part);
    expect(await read(ada, pageOf(loom, 2))).toContain('This issue is blocked by #1<');
    const id = (await linked(loom))[0]!.issue_link_id;
    const removed = await ada.submit(pageOf(loom), `${pageOf(loom)}/links/${id}/remove`, {});
    expect([removed.status, (await linked(loom)).length]).toEqual([303, 2]);
    expect((await ada.submit(pageOf(loom), `${pageOf(loom)}/links/${id}/remove`, {})).status).toBe(404);
    for (const again of ['links', `links/${id}/remove`])
      expect((await ada.get(`${pageOf(loom)}/${again}`)).status).toBe(303);
  });

  it('say what is wrong with one, and keep what was typed', async () => {
    const loom = await writing.newProject();
    for (const title of ['One', 'Two']) await addIssue(loom, title);
    const ada = await signedIn(writing.service, 'ada');
    await link(ada, loom, { reference: '#2', link_type: 'relates_to' });
    for (const [reference, problem, status] of [
      ['', 'is none: name it as', 400],
      ['two', 'is none: name it as', 400],
      ['#99', 'is none that you see and may link', 400],
      ['a/'.repeat(3_000), 'is none: name it as', 400],
      ['#1', 'can’t be linked to itself', 400],
      ['#2', 'already assigned', 409],
    ] as const) {
      const refused = await link(ada, loom, { reference, link_type: 'blocks' });
      const page = await refused.text();
      expect([reference, refused.status, page]).toEqual([reference, status, expect.stringContaining(problem)]);
      expect(page).toContain(`value="${reference}"`);
      expect(page).toContain('<option value="blocks" selected>');
    }
  });

  it('are shown to those who see both, and changed by those who may link both, who learn of no other', async () => {
    const loom = await writing.newProject({ visibility: 'public' });
    const hidden = await writing.newProject({ visibility: 'private' });
    await addIssue(loom, 'One');
    await addIssue(loom, 'Whispered', { confidential: true });
    await addIssue(hidden, 'Buried');
    const ada = await signedIn(writing.service, 'ada');
    for (const reference of ['#2', `${hidden.project.path}#1`]) await link(ada, loom, { reference });
    const visitor = new FormBrowser(writing.service.url);
    const grace = await signedIn(writing.service, 'grace');
    for (const [who, level] of [
      [visitor, undefined],
      [grace, undefined],
      [grace, GUEST],
      [grace, REPORTER],
    ] as const) {
      if (level === GUEST) await loom.addMember(writing.grace, level);
      if (level === REPORTER) await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: level });
      const page = await read(who, pageOf(loom));
      expect([level, page.includes('Whispered'), page.includes('Link an issue')]).toEqual([
        level,
        level === REPORTER,
        level === REPORTER,
      ]);
      expect(page).not.toContain('Buried');
      if (level === GUEST) {
        expect((await link(who, loom, { reference: '#2' })).status).toBe(403);
        const id = (await linked(loom))[0]!.issue_link_id;
        expect((await who.submit(pageOf(loom), `${pageOf(loom)}/links/${id}/remove`, {})).status).toBe(403);
      }
    }
    const buried = (await linked(loom))[1]!.issue_link_id;
    expect((await grace.submit(pageOf(loom), `${pageOf(loom)}/links/${buried}/remove`, {})).status).toBe(404);
    for (const reference of [`${hidden.project.path}#1`, `${hidden.project.path}#9`, 'no/where#1'])
      expect(await (await link(grace, loom, { reference })).text()).toContain('is none that you see and may link');
    expect(await linked(loom)).toHaveLength(2);
  });
});
