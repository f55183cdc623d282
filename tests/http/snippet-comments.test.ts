import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface NoteBody {
  readonly id: number;
  readonly body: string;
  readonly [field: string]: unknown;
}
interface DiscussionBody {
  readonly id: string;
  readonly notes: readonly NoteBody[];
}

const VISIBILITIES = ['private', 'internal', 'public'] as const;
const LEVELS = { owner: 40, guest: 10, stranger: 0 } as const;

describeEachDatabase('comments on snippets of projects', (openTestDatabase) => {
  let service: TestService;
  let people: Record<keyof typeof LEVELS, TestUser>;
  const projects: Record<string, number> = {};

  const call = <Body = NoteBody>(method: string, path: string, json?: object, user?: TestUser | null) =>
    service.call<Body>(method, path, {
      ...(user === null ? {} : { token: (user ?? people.owner).token }),
      ...(json === undefined ? {} : { json }),
    });
  const add = async (project: string, visibility: string) => {
    const json = { title: 'Recipe', visibility, content: 'Stir.', file_name: 'recipe.md' };
    const { body } = await call<{ id: number }>('POST', `/projects/${projects[project]}/snippets`, json);
    return { id: body.id, path: `/projects/${projects[project]}/snippets/${body.id}` };
  };
  const feed = async (user: TestUser) => {
    const path = `/projects/${projects['public']}/events?target_type=note&per_page=100`;
    return JSON.stringify((await call('GET', path, undefined, user)).body);
  };

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    people = {
      owner: await service.addUser('owner', { password: PASSWORD }),
      guest: await service.addUser('guest'),
      stranger: await service.addUser('stranger'),
    };
    for (const visibility of VISIBILITIES) {
      const json = { name: `${visibility} kitchen`, path: `${visibility}-kitchen`, visibility };
      projects[visibility] = (await call<{ id: number }>('POST', '/projects', json)).body.id;
      const member = { user_id: people.guest.id, access_level: LEVELS.guest };
      await call('POST', `/projects/${projects[visibility]}/members`, member);
    }
  });

  afterAll(() => service.close());

  it('are written, read, changed and removed, and are notes of the snippet', async () => {
    const { id, path } = await add('public', 'public');
    const said = await call('POST', `${path}/notes`, { body: 'More salt.\n/close' }, people.stranger);
    expect(said).toMatchObject({
      status: 201,
      body: { body: 'More salt.\n/close', noteable_type: 'Snippet', noteable_id: id, noteable_iid: null },
    });
    const note = `${path}/notes/${said.body.id}`;
    expect(await call('PUT', note, { body: 'Less.' }, people.guest)).toMatchObject({ status: 403 });
    expect(await call('PUT', note, { body: 'Less salt.' }, people.stranger)).toMatchObject({ status: 200 });
    expect((await call('GET', `${path}/notes`, undefined, null)).body).toEqual([
      expect.objectContaining({ body: 'Less salt.' }),
    ]);
    expect(await call('DELETE', note, undefined, people.stranger)).toMatchObject({ status: 204 });
    expect((await call('GET', `${path}/notes`)).body).toEqual([]);
  });

  it('become discussions, and are awarded like the snippet itself', async () => {
    const { id, path } = await add('public', 'public');
    const begun = await call<DiscussionBody>('POST', `${path}/discussions`, { body: 'Why salt?' });
    const answer = await call('POST', `${path}/discussions/${begun.body.id}/notes`, { body: 'Taste.' }, people.guest);
    expect(answer).toMatchObject({ status: 201, body: { type: 'DiscussionNote', noteable_id: id } });
    const time = '2019-03-01T08:00:00.000Z';
    const old = await call<DiscussionBody>('POST', `${path}/discussions`, { body: 'Before', created_at: time });
    expect(old.body).toMatchObject({ notes: [{ body: 'Before', created_at: time }] });
    const reply = await call('POST', `${path}/discussions/${old.body.id}/notes`, { body: 'Then', created_at: time });
    expect(reply.body).toMatchObject({ body: 'Then', created_at: time });
    const given = await call('POST', `${path}/award_emoji`, { name: 'thumbsup' }, people.stranger);
    expect(given).toMatchObject({ status: 201, body: { awardable_type: 'Snippet', awardable_id: id } });
    const noted = await call('POST', `${path}/notes/${answer.body.id}/award_emoji`, { name: 'tada' });
    expect(noted).toMatchObject({ status: 201, body: { awardable_type: 'Note', awardable_id: answer.body.id } });
    expect((await call('GET', `${path}/award_emoji`)).body).toEqual([expect.objectContaining({ name: 'thumbsup' })]);
    expect(await call('DELETE', `${path}/award_emoji/${given.body.id}`, undefined, people.guest)).toMatchObject({
      status: 401,
    });
  });

  // Who may read the comments on a snippet, by its visibility and that of its project, is who may read the snippet.
  it.each(VISIBILITIES.flatMap((project) => VISIBILITIES.map((visibility) => [project, visibility] as const)))(
    'in a %s project on a %s snippet are for whoever may read it',
    async (project, visibility) => {
      const { path } = await add(project, visibility);
      const said = await call('POST', `${path}/notes`, { body: 'Said.' });
      for (const user of [people.owner, people.guest, people.stranger, null]) {
        const { status } = await call('GET', path, undefined, user);
        expect([200, 404]).toContain(status);
        for (const below of ['notes', `notes/${said.body.id}`, 'discussions', 'award_emoji'])
          expect([below, (await call('GET', `${path}/${below}`, undefined, user)).status]).toEqual([below, status]);
        const comment = await call('POST', `${path}/notes`, { body: 'Me too.' }, user);
        expect(comment.status).toBe(user === null ? 401 : status === 200 ? 201 : 404);
      }
      const elsewhere = path.replace(
        /projects\/\d+/,
        `projects/${projects[project === 'public' ? 'internal' : 'public']}`,
      );
      expect((await call('GET', `${elsewhere}/notes`)).status).toBe(404);
    },
  );

  it('are in the feed of the project, those on private ones for reporters alone, also once one becomes private', async () => {
    const [open, hidden] = [await add('public', 'public'), await add('public', 'private')];
    await call('POST', `${open.path}/notes`, { body: 'Open words.' });
    await call('POST', `${hidden.path}/notes`, { body: 'Hidden words.' });
    const { body } = await call<readonly { action_name: string; note: NoteBody }[]>(
      'GET',
      `/projects/${projects['public']}/events?target_type=note&per_page=1`,
    );
    expect(body[0]).toMatchObject({
      action_name: 'commented on',
      note: { body: 'Hidden words.', noteable_type: 'Snippet', noteable_id: hidden.id },
    });
    const seen = await feed(people.stranger);
    expect([seen.includes('Open words.'), seen.includes('Hidden words.')]).toEqual([true, false]);
    await call('PUT', open.path, { visibility: 'private' });
    expect(await feed(people.stranger)).not.toContain('Open words.');
    await call('PUT', open.path, { visibility: 'public' });
    expect(await feed(people.stranger)).toContain('Open words.');
    await call('DELETE', open.path);
    expect((await call('GET', `${open.path}/notes`)).status).toBe(404);
  });

  it('are written, changed and removed on its page', async () => {
    const { id } = await add('public', 'public');
    const browser = new FormBrowser(service.url);
    await browser.signIn('owner');
    const address = `/owner/public-kitchen/-/snippets/${id}`;
    const sent = await browser.submit(address, `${address}/notes`, { body: '**More** salt.' });
    const to = sent.headers.get('location') ?? '';
    expect([sent.status, to]).toEqual([303, expect.stringMatching(new RegExp(`^${address}\\?note=(\\d+)#note_\\1$`))]);
    expect(await (await browser.get(address)).text()).toContain('<strong>More</strong> salt.');
    const note = `${address}/notes/${to.split('_').at(-1)}`;
    expect((await browser.submit(`${note}/edit`, `${note}/edit`, { body: 'Less.' })).status).toBe(303);
    expect((await browser.submit(`${note}/remove`, `${note}/remove`, {})).status).toBe(303);
    expect(await (await browser.get(address)).text()).toContain('None yet.');
    const blank = await browser.submit(address, `${address}/notes`, { body: ' ' });
    expect([blank.status, await blank.text()]).toEqual([400, expect.stringContaining('Recipe')]);
    expect((await browser.get(`${address}/notes`)).headers.get('location')).toBe(address);
  });
});
