import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Found {
  readonly id: number;
  readonly title?: string;
  readonly path?: string;
}

withGit('search', () => {
  describeEachDatabase('search', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let gus: TestUser;
    let root: TestUser;
    let group: number;
    let inner: number;
    let open: number;
    let hidden: number;

    const call = async <Body = { id: number; iid: number }>(
      method: string,
      path: string,
      who?: TestUser,
      json?: object,
    ) =>
      service.call<Body>(method, path, {
        ...(who === undefined ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });
    const make = async (path: string, json: object) => (await call('POST', path, ada, json)).body;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      [ada, grace, gus] = [await service.addUser('ada'), await service.addUser('grace'), await service.addUser('gus')];
      root = await service.addUser('root', { admin: true });
      group = (await make('/groups', { name: 'Works', path: 'works', visibility: 'public' })).id;
      inner = (await make('/groups', { name: 'Inner', path: 'inner', parent_id: group, visibility: 'private' })).id;
      open = await fill({ name: 'Needle open', path: 'open', namespace_id: group, visibility: 'public' });
      hidden = await fill({ name: 'Needle hidden', path: 'hidden', namespace_id: inner, visibility: 'private' });
      await call('POST', `/projects/${hidden}/members`, ada, { user_id: gus.id, access_level: 10 });
      for (const visibility of ['private', 'public'])
        await make('/snippets', { title: `Needle ${visibility}`, content: 'a', visibility });
    });

    afterAll(() => service.close());

    const fill = async (fields: object): Promise<number> => {
      const { id } = await make('/projects', fields);
      const issue = await make(`/projects/${id}/issues`, { title: 'A NEEDLE here' });
      const secret = await make(`/projects/${id}/issues`, { title: 'Secret needle', confidential: true });
      await make(`/projects/${id}/issues`, { title: 'Hay' });
      await make(`/projects/${id}/milestones`, { title: '1.0', description: 'the needle' });
      await make(`/projects/${id}/issues/${issue.iid}/notes`, { body: 'A Needle 100%_sure' });
      await make(`/projects/${id}/issues/${secret.iid}/notes`, { body: 'secret needle' });
      await make(`/projects/${id}/snippets`, { title: 'Needle of project', content: 'a', visibility: 'private' });
      await make(`/projects/${id}/repository/commits`, {
        branch: 'main',
        commit_message: 'Add the Needle.*',
        actions: [
          { action: 'create', file_path: 'src/a.test.c', content: 'int a;\nint needle;\nint NEEDLE_2;\n' },
          { action: 'create', file_path: 'hay', content: 'hay\n' },
        ],
      });
      await make(`/projects/${id}/repository/commits`, {
        branch: 'topic',
        start_branch: 'main',
        commit_message: 'Only on topic: needle',
        actions: [{ action: 'create', file_path: 'topic', content: 'needle\n' }],
      });
      const merge = await make(`/projects/${id}/merge_requests`, {
        title: 'Thread the needle',
        source_branch: 'topic',
        target_branch: 'main',
      });
      await make(`/projects/${id}/merge_requests/${merge.iid}/discussions`, { body: 'Sharpen the needle' });
      return id;
    };

    const find = async (place: string, scope: string, who?: TestUser, more = 'search=needle') =>
      (await call<Found[]>('GET', `${place}/search?scope=${scope}&${more}`, who)).body;
    const titles = async (...asked: Parameters<typeof find>) => (await find(...asked)).map(({ title }) => title);

    it('needs a token, a scope and something to look for', async () => {
      for (const place of ['', `/groups/${group}`, `/projects/${open}`])
        expect((await call('GET', `${place}/search?scope=issues&search=needle`)).status).toBe(401);
      for (const [query, error] of [
        ['scope=issues', 'search is missing'],
        ['search=a', 'scope is missing'],
        ['scope=wikis&search=a', 'scope does not have a valid value'],
        ['scope=issues&search=', 'search is empty'],
        [`scope=issues&search=${'a'.repeat(256)}`, 'search is invalid'],
        ['scope=blobs&search=a', 'Scope not supported without Elasticsearch!'],
        ['scope=wiki_blobs&search=a', 'Scope not supported without Elasticsearch!'],
        ['scope=notes&search=a', 'Scope not supported without Elasticsearch!'],
      ])
        expect(await call('GET', `/search?${query}`, ada)).toMatchObject({ status: 400, body: { error } });
    });

    it('finds projects by name, everywhere or within a group', async () => {
      const idsIn = async (place: string, who: TestUser): Promise<number[]> =>
        (await find(place, 'projects', who)).map(({ id }) => id).sort();
      expect(await idsIn('', ada)).toEqual([open, hidden].sort());
      expect(await idsIn('', grace)).toEqual([open]);
      expect(await idsIn(`/groups/${group}`, ada)).toEqual([open, hidden].sort());
      expect(await idsIn(`/groups/${group}`, grace)).toEqual([open]);
      expect(await idsIn(`/groups/${inner}`, ada)).toEqual([hidden]);
    });

    const PLACES: readonly [words: string, place: () => string, projects: number][] = [
      ['everywhere', () => '', 2],
      ['in a group', () => `/groups/${group}`, 2],
      ['in a project', () => `/projects/${hidden}`, 1],
    ];
    describe.each(PLACES)('%s', (_, place, projects) => {
      it('finds issues, and confidential ones for who may see them', async () => {
        const seen = (confidential: boolean): string[] =>
          Array.from({ length: projects }, () =>
            confidential ? ['Secret needle', 'A NEEDLE here'] : ['A NEEDLE here'],
          ).flat();
        for (const who of [ada, root]) expect((await titles(place(), 'issues', who)).sort()).toEqual(seen(true).sort());
        expect(await titles(place(), 'issues', gus)).toEqual(seen(false));
        expect(await titles(place(), 'issues', ada, 'search=needle&confidential=false')).toEqual(seen(false));
        expect(await titles(place(), 'issues', ada, 'search=needle&state=closed')).toEqual([]);
      });

      it('finds merge requests for who may read them', async () => {
        const all = Array.from({ length: projects }, () => 'Thread the needle');
        expect(await titles(place(), 'merge_requests', ada)).toEqual(all);
        // A guest of a private project reads none of its, and is told so where they look in that one alone.
        const asked = await call<Found[] | object>('GET', `${place()}/search?scope=merge_requests&search=needle`, gus);
        const found = all.slice(1).map((title) => ({ title }));
        expect(asked).toMatchObject(projects === 1 ? { status: 403 } : { status: 200, body: found });
        expect(await titles(place(), 'merge_requests', ada, 'search=needle&state=merged')).toEqual([]);
        expect(await titles(place(), 'issues', ada, 'search=needle&state=merged')).toEqual([]);
      });

      it('finds milestones by their description', async () => {
        expect(await titles(place(), 'milestones', ada)).toEqual(Array.from({ length: projects }, () => '1.0'));
        expect(await titles(place(), 'milestones', gus)).toHaveLength(projects);
      });
    });

    it('shows strangers nothing of what is hidden', async () => {
      expect(await titles('', 'issues', grace)).toEqual(['A NEEDLE here']);
      expect(await titles(`/groups/${group}`, 'issues', grace)).toEqual(['A NEEDLE here']);
      expect(await titles('', 'milestones', grace)).toEqual(['1.0']);
      for (const place of [`/projects/${hidden}`, `/groups/${inner}`])
        for (const scope of ['issues', 'milestones', 'users', 'blobs'])
          expect((await call('GET', `${place}/search?scope=${scope}&search=needle`, grace)).status).toBe(404);
    });

    it('finds titles of snippets that the caller sees', async () => {
      expect((await titles('', 'snippet_titles', ada)).sort()).toEqual([
        'Needle of project',
        'Needle of project',
        'Needle private',
        'Needle public',
      ]);
      expect(await titles('', 'snippet_titles', gus)).toEqual(['Needle public', 'Needle of project']);
      expect(await titles('', 'snippet_titles', grace)).toEqual(['Needle public']);
    });

    it('finds users everywhere, and members of a place', async () => {
      const names = async (place: string, who: TestUser, text: string) =>
        (await call<{ username: string }[]>('GET', `${place}/search?scope=users&search=${text}`, who)).body.map(
          ({ username }) => username,
        );
      expect(await names('', ada, 'Example')).toEqual(['root', 'gus', 'grace', 'ada']);
      expect(await names(`/projects/${hidden}`, ada, 'gus')).toEqual(['gus']);
      expect(await names(`/projects/${open}`, ada, 'gus')).toEqual([]);
      expect(await names(`/groups/${group}`, grace, 'ada')).toEqual(['ada']);
    });

    it('finds comments of a project, without those on what is confidential, and takes wildcards as they are', async () => {
      const bodies = async (who: TestUser, text: string) =>
        (await call<{ body: string }[]>('GET', `/projects/${hidden}/search?scope=notes&search=${text}`, who)).body.map(
          ({ body }) => body,
        );
      expect(await bodies(ada, 'NEEDLE')).toEqual(['Sharpen the needle', 'secret needle', 'A Needle 100%_sure']);
      // Guests of a private project do not read its code, nor what is said of it.
      expect(await bodies(gus, 'needle')).toEqual(['A Needle 100%_sure']);
      expect(await bodies(ada, '100%25_s')).toEqual(['A Needle 100%_sure']);
      expect(await bodies(ada, '1__%25')).toEqual([]);
      const path = `/projects/${open}/search?scope=notes&search=needle`;
      expect((await call<object[]>('GET', path, grace)).body).toMatchObject([
        {
          body: 'Sharpen the needle',
          noteable_type: 'MergeRequest',
          noteable_iid: 1,
          resolvable: true,
          resolved: false,
        },
        { body: 'A Needle 100%_sure', noteable_type: 'Issue', noteable_iid: 1, resolvable: false },
      ]);
      const notes = `/projects/${open}/merge_requests/1/notes`;
      const [first] = (await call<object[]>('GET', notes, grace)).body;
      expect((await call<object[]>('GET', path, grace)).body[0]).toEqual(first);
    });

    it('finds nothing in wikis, which there are not', async () => {
      expect(await find(`/projects/${open}`, 'wiki_blobs', grace)).toEqual([]);
    });

    it('finds commits by their message as it stands, of a version', async () => {
      const place = `/projects/${open}`;
      expect(await titles(place, 'commits', grace)).toEqual(['Add the Needle.*']);
      expect(await titles(place, 'commits', grace, 'search=needle.*')).toEqual(['Add the Needle.*']);
      expect(await titles(place, 'commits', grace, 'search=nee.le')).toEqual([]);
      expect(await titles(place, 'commits', grace, 'search=needle&ref=topic')).toEqual([
        'Only on topic: needle',
        'Add the Needle.*',
      ]);
      expect((await call('GET', `${place}/search?scope=commits&search=a&ref=none`, grace)).status).toBe(404);
    });

    it('finds lines of files of a version, page by page', async () => {
      const place = `/projects/${open}`;
      expect(await find(place, 'blobs', grace, 'search=needle&per_page=1')).toEqual([
        {
          basename: 'src/a.test',
          data: 'int needle;\n',
          path: 'src/a.test.c',
          filename: 'src/a.test.c',
          id: null,
          ref: 'main',
          startline: 2,
          project_id: open,
        },
      ]);
      expect((await find(place, 'blobs', grace, 'search=needle&per_page=1&page=2'))[0]).toMatchObject({ startline: 3 });
      expect((await find(place, 'blobs', grace, 'search=needle&ref=topic')).map(({ path }) => path)).toContain('topic');
      expect(await find(place, 'blobs', grace, 'search=--help')).toEqual([]);
      const { headers } = await call('GET', `${place}/search?scope=blobs&search=needle`, grace);
      expect(headers.get('x-total')).toBe('2');
    });

    it('lets nobody search code that they may not read: guests of a private project', async () => {
      for (const scope of ['commits', 'blobs']) {
        const path = `/projects/${hidden}/search?scope=${scope}&search=needle`;
        expect([(await call('GET', path, gus)).status, (await call('GET', path, ada)).status]).toEqual([403, 200]);
      }
    });

    it('finds nothing in the code of a project without any', async () => {
      const { id } = await make('/projects', { name: 'Empty' });
      for (const scope of ['commits', 'blobs']) expect(await find(`/projects/${id}`, scope, ada)).toEqual([]);
    });
  });
});
