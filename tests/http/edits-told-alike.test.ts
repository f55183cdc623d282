import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { storyIn } from '../support/story-in.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

/** How the same is changed on a page and by the API, and what is told of it between the comments. */
interface Change {
  /** Sent to a page below that of the subject. */
  readonly page: readonly [path: string, values: Readonly<Record<string, string>>];
  readonly api: readonly [method: string, path: string, json: Readonly<Record<string, unknown>>];
  readonly told: readonly string[];
}

/** What the forms hold of a subject: they send all of it. */
const FORM = { title: 'Leak', description: 'Old', confidential: 'false' };

describeWriting('what is told of an edit', (writing) => {
  let mill: WrittenProject;
  let browser: FormBrowser;
  let milestone: number;

  beforeAll(async () => {
    mill = await writing.newProject({ visibility: 'public' });
    await mill.write('main', { main: 'main' });
    for (const name of ['other', 'pages']) await mill.write(name, { [name]: name }, { start_branch: 'main' });
    milestone = (await mill.call<{ id: number }>('POST', '/milestones', { title: '1.0' })).body.id;
    await mill.call('POST', '/labels', { name: 'bug', color: '#112233' });
    browser = await signedIn(writing.service, 'ada');
  });

  const edit = (field: string, page: string, api: [name: string, value: unknown], ...told: string[]): Change => ({
    page: ['/edit', { ...FORM, [field]: page }],
    api: ['PUT', '', { [api[0]]: api[1] }],
    told,
  });
  const action = (text: string, api: Change['api'], ...told: string[]): Change => ({
    page: ['/notes', { body: text }],
    api,
    told,
  });
  const put = (json: Readonly<Record<string, unknown>>): Change['api'] => ['PUT', '', json];

  /** The changes that issues and merge requests have in common. */
  const shared = (noun: string): Readonly<Record<string, Change>> => ({
    title: edit('title', 'Drip', ['title', 'Drip'], 'changed the title from “Leak”'),
    description: edit('description', 'New', ['description', 'New'], 'changed the description'),
    labels: edit('labels', 'bug', ['labels', 'bug'], 'added label bug'),
    milestone: edit('milestone_id', String(milestone), ['milestone_id', milestone], 'set the milestone 1.0'),
    assignees: edit('assignee_ids', String(writing.ada.id), ['assignee_ids', [writing.ada.id]], 'assigned themselves'),
    lock: action('/lock', put({ discussion_locked: true }), `locked the discussion in this ${noun}`),
    'time spent': action('/spend 1h', ['POST', '/add_spent_time', { duration: '1h' }], 'added 1h of time spent'),
    estimate: action('/estimate 2h', ['POST', '/time_estimate', { duration: '2h' }], 'changed time estimate to 2h'),
    state: { page: ['/state', { state_event: 'close' }], api: put({ state_event: 'close' }), told: ['closed it'] },
    nothing: edit('title', 'Leak', ['title', 'Leak']),
  });
  const ofIssues = (): Readonly<Record<string, Change>> => ({
    ...shared('issue'),
    'due date': edit('due_date', '2027-01-02', ['due_date', '2027-01-02'], 'set the due date to 2027-01-02'),
    confidentiality: edit('confidential', 'true', ['confidential', true], 'made it confidential'),
  });
  const ofMergeRequests = (): Readonly<Record<string, Change>> => ({
    ...shared('merge request'),
    draft: edit('draft', 'true', ['title', 'Draft: Leak'], 'changed the title from “Leak”'),
    'target branch': edit('target_branch', 'other', ['target_branch', 'other'], 'changed the target branch from main'),
    reviewers: edit(
      'reviewer_ids',
      String(writing.ada.id),
      ['reviewer_ids', [writing.ada.id]],
      'asked for a review by themselves',
    ),
  });

  const storyOf = async (page: string) => storyIn(await (await browser.get(page)).text());

  /** Makes every change on a page and by the API, each of a subject of its own, and compares what is told. */
  const compare = async (changes: Readonly<Record<string, Change>>, kind: string, open: () => Promise<number>) => {
    for (const [name, { page, api, told }] of Object.entries(changes)) {
      const expected = told.map((words) => `ada Example ${words}`);
      for (const way of ['page', 'api'] as const) {
        const iid = await open();
        const address = `/${mill.project.path}/-/${kind}/${iid}`;
        writing.service.clock.advance(1_000);
        const [method, path, json] = api;
        const { status } =
          way === 'page'
            ? await browser.submit(page[0] === '/edit' ? `${address}/edit` : address, address + page[0], page[1])
            : await mill.call(method, `/${kind}/${iid}${path}`, json);
        expect([name, way, status < 400, await storyOf(address)]).toEqual([name, way, true, expected]);
        if (kind === 'merge_requests') await mill.call('DELETE', `/${kind}/${iid}`);
      }
    }
  };

  describe('is the same on a page and by the API', () => {
    it('for issues', async () => {
      await compare(ofIssues(), 'issues', async () => {
        const json = { title: 'Leak', description: 'Old' };
        return (await mill.call<{ iid: number }>('POST', '/issues', json)).body.iid;
      });
    });

    it('for merge requests', async () => {
      await compare(ofMergeRequests(), 'merge_requests', async () => {
        const json = { title: 'Leak', description: 'Old', source_branch: 'pages', target_branch: 'main' };
        return (await mill.call<{ iid: number }>('POST', '/merge_requests', json)).body.iid;
      });
    });
  });

  it('is a note of the system where the history of the API has no entry, once for each edit that changes something', async () => {
    const { iid } = (await mill.call<{ iid: number }>('POST', '/issues', { title: 'Leak', description: 'Old' })).body;
    const changes = [
      { description: 'New', discussion_locked: false },
      { description: 'New', discussion_locked: true },
      { discussion_locked: true, title: 'Drip' },
      { discussion_locked: false },
    ];
    for (const json of changes) {
      writing.service.clock.advance(1_000);
      expect((await mill.call('PUT', `/issues/${iid}`, json)).status).toBe(200);
    }
    const notes = await mill.call<{ body: string; system: boolean }[]>('GET', `/issues/${iid}/notes?sort=asc`);
    expect(notes.body.map(({ body, system }) => [body, system])).toEqual([
      ['changed the description', true],
      ['locked the discussion in this issue', true],
      ['unlocked the discussion in this issue', true],
    ]);
    const issue = await mill.call<{ user_notes_count: number }>('GET', `/issues/${iid}`);
    expect(issue.body.user_notes_count).toBe(0);
  });
});
