import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

interface SnippetBody {
  readonly id: number;
  readonly title: string;
  readonly file_name: string;
  readonly files: readonly { readonly path: string; readonly raw_url: string }[];
}

const VISIBILITIES = ['private', 'internal', 'public'] as const;

describeEachDatabase('snippets', (openTestDatabase) => {
  let service: TestService;
  const people: Record<string, TestUser | undefined> = {};
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    for (const name of ['ada', 'grace', 'gus', 'rex', 'rita', 'mia'])
      people[name] = await service.addUser(name, { scopes: ['api'] });
    people['root'] = await service.addUser('root', { admin: true });
  });

  afterAll(() => service.close());

  const call = <Body = SnippetBody>(who: string, method: string, path: string, json?: object) => {
    const token = people[who]?.token;
    return service.call<Body>(method, path, {
      ...(token === undefined ? {} : { token }),
      ...(json === undefined ? {} : { json }),
    });
  };

  const ONE_FILE = { title: 'Notes', content: 'one\n', file_name: 'notes.txt' };
  const add = async (who: string, path = '/snippets', fields: object = {}) => {
    const { status, body } = await call(who, 'POST', path, { ...ONE_FILE, visibility: 'public', ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  };
  const raw = async (who: string, path: string) => (await call<string>(who, 'GET', path)).body;
  const idsOf = async (who: string, path: string) => {
    const joined = path.includes('?') ? `${path}&per_page=100` : `${path}?per_page=100`;
    return (await call<SnippetBody[]>(who, 'GET', joined)).body.map(({ id }) => id);
  };

  /** A project of ada, with a guest, two reporters and a maintainer. */
  const addProject = async (visibility: string) => {
    const { body } = await call<{ id: number }>('ada', 'POST', '/projects', {
      name: `mill-${(serial += 1)}`,
      visibility,
    });
    for (const [name, level] of [
      ['gus', 10],
      ['rex', 20],
      ['rita', 20],
      ['mia', 40],
    ] as const)
      await call('ada', 'POST', `/projects/${body.id}/members`, { user_id: people[name]?.id, access_level: level });
    return `/projects/${body.id}/snippets`;
  };

  describe('of a person', () => {
    it('are made with everything that clients decode, and without `expires_at`', async () => {
      const { status, body } = await call('ada', 'POST', '/snippets', ONE_FILE);
      expect(status).toBe(201);
      const web = `${service.url}/-/snippets/${body.id}`;
      expect(body).toEqual({
        id: expect.any(Number),
        title: 'Notes',
        description: null,
        visibility: 'internal',
        author: expect.objectContaining({ username: 'ada' }),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        project_id: null,
        web_url: web,
        raw_url: `${web}/raw`,
        ssh_url_to_repo: null,
        http_url_to_repo: null,
        file_name: 'notes.txt',
        files: [{ path: 'notes.txt', raw_url: `${web}/raw/main/notes.txt` }],
      });
      expect((await call('ada', 'GET', `/snippets/${body.id}`)).body).toEqual(body);
    });

    it('have several files, each of which is read by its path', async () => {
      const files = [
        { file_path: 'src/a b.c', content: 'int a;\n' },
        { file_path: 'b.txt', content: 'ünï' },
      ];
      const { body } = await call('ada', 'POST', '/snippets', { title: 'Two', files });
      expect(body.files.map(({ path }) => path)).toEqual(['src/a b.c', 'b.txt']);
      const path = `/snippets/${body.id}`;
      expect(await raw('ada', `${path}/raw`)).toBe('int a;\n');
      for (const ref of ['main', 'HEAD']) expect(await raw('ada', `${path}/files/${ref}/b.txt/raw`)).toBe('ünï');
      const answer = await call<string>('ada', 'GET', `${path}/files/main/src%2Fa%20b.c/raw`);
      expect(answer.body).toBe('int a;\n');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(answer.headers.get('content-disposition')).toBe('inline; filename="a b.c"');
      for (const [address, noun] of [
        ['files/main/none/raw', 'File'],
        ['files/other/b.txt/raw', 'Reference'],
      ])
        expect(await call('ada', 'GET', `${path}/${address}`)).toMatchObject({
          status: 404,
          body: { message: `404 ${noun} Not Found` },
        });
    });

    it('are listed by their author, and the public ones by everybody who is signed in', async () => {
      const [own, open] = [await add('ada', '/snippets', { visibility: 'private' }), await add('ada')];
      expect((await idsOf('ada', '/snippets')).slice(0, 2)).toEqual([open.id, own.id]);
      expect(await idsOf('grace', '/snippets')).toEqual([]);
      const listed = await idsOf('grace', '/snippets/public');
      expect([listed.includes(open.id), listed.includes(own.id)]).toEqual([true, false]);
      for (const path of ['/snippets', '/snippets/public', '/snippets/all'])
        expect((await call('nobody', 'GET', path)).status).toBe(401);
    });

    it('are narrowed down by when they were made', async () => {
      const { id } = await add('grace');
      service.clock.advance(60_000);
      const after = service.clock.now().toISOString();
      const later = await add('grace');
      expect(await idsOf('grace', `/snippets?created_after=${after}`)).toEqual([later.id]);
      expect(await idsOf('grace', `/snippets?created_before=${after}`)).toContain(id);
    });

    it('go with the person', async () => {
      const hedy = await service.addUser(`hedy-${(serial += 1)}`);
      people['hedy'] = hedy;
      const { id } = await add('hedy');
      expect((await call('root', 'DELETE', `/users/${hedy.id}`)).status).toBe(204);
      expect((await call('ada', 'GET', `/snippets/${id}`)).status).toBe(404);
    });
  });

  describe('are changed', () => {
    it('by their fields, each alone; an empty change is refused', async () => {
      const { id } = await add('ada', '/snippets', { description: 'About' });
      const path = `/snippets/${id}`;
      expect((await call('ada', 'PUT', path, { title: 'Other' })).body).toMatchObject({
        title: 'Other',
        description: 'About',
        file_name: 'notes.txt',
      });
      expect((await call('ada', 'PUT', path, { visibility: 'private', description: null })).body).toMatchObject({
        visibility: 'private',
        description: null,
      });
      const refused = await call('ada', 'PUT', path, {});
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          error:
            'content, description, files, file_name, title, visibility are missing, at least one parameter must be provided',
        },
      ]);
    });

    it('by a file name or a content while they have one file', async () => {
      const { id } = await add('ada');
      const path = `/snippets/${id}`;
      expect((await call('ada', 'PUT', path, { file_name: 'b.txt' })).body.files).toMatchObject([{ path: 'b.txt' }]);
      expect(await raw('ada', `${path}/raw`)).toBe('one\n');
      await call('ada', 'PUT', path, { content: 'two\n' });
      expect(await raw('ada', `${path}/raw`)).toBe('two\n');
      await call('ada', 'PUT', path, { files: [{ action: 'create', file_path: 'c.txt', content: 'three\n' }] });
      expect(await call('ada', 'PUT', path, { content: 'four\n' })).toMatchObject({
        status: 400,
        body: { message: { error: 'To update Snippets with multiple files, you must use the `files` parameter' } },
      });
    });

    it('file by file: create, update, move and delete, where two may change places', async () => {
      const { id } = await add('ada', '/snippets', {
        content: undefined,
        files: [
          { file_path: 'a', content: 'A' },
          { file_path: 'b', content: 'B' },
          { file_path: 'c', content: 'C' },
        ],
      });
      const path = `/snippets/${id}`;
      const { status, body } = await call('ada', 'PUT', path, {
        files: [
          { action: 'move', previous_path: 'a', file_path: 'tmp' },
          { action: 'move', previous_path: 'b', file_path: 'a' },
          { action: 'move', previous_path: 'tmp', file_path: 'b', content: 'A2' },
          { action: 'delete', file_path: 'c' },
          { action: 'create', file_path: 'd', content: 'D' },
        ],
      });
      expect([status, body.files.map((file) => file.path)]).toEqual([200, ['b', 'a', 'd']]);
      for (const [name, content] of [
        ['a', 'B'],
        ['b', 'A2'],
        ['d', 'D'],
      ])
        expect(await raw('ada', `${path}/files/main/${name}/raw`)).toBe(content);
    });

    it.each([
      ['a file twice', [{ action: 'create', file_path: 'notes.txt', content: '' }], /have "notes.txt" already/],
      ['a file that is not there', [{ action: 'update', file_path: 'none', content: '' }], /don't have "none"/],
      ['the last file away', [{ action: 'delete', file_path: 'notes.txt' }], /can't be empty/],
      ['a path out of it', [{ action: 'create', file_path: '../up', content: '' }], /invalid path/],
      ['a path from the root', [{ action: 'create', file_path: '/etc', content: '' }], /invalid path/],
      [
        'more files than may be',
        Array.from({ length: 10 }, (_, index) => ({ action: 'create', file_path: `f${index}`, content: '' })),
        /too many/,
      ],
    ])('but not by %s: nothing of it is done', async (_, files, error) => {
      const { id } = await add('ada');
      const answer = await call('ada', 'PUT', `/snippets/${id}`, { title: 'Changed', files });
      expect([answer.status, answer.body]).toEqual([400, { message: { error: expect.stringMatching(error) } }]);
      expect((await call('ada', 'GET', `/snippets/${id}`)).body).toMatchObject({
        title: 'Notes',
        files: [{ path: 'notes.txt' }],
      });
    });

    it('at once without losing a file', async () => {
      const { id } = await add('ada');
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          call('ada', 'PUT', `/snippets/${id}`, {
            files: [{ action: 'create', file_path: `f${index}`, content: String(index) }],
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
      expect((await call('ada', 'GET', `/snippets/${id}`)).body.files).toHaveLength(10);
    });
  });

  describe('are refused', () => {
    it.each([
      [{ title: 'T' }, { error: 'files, content are missing, exactly one parameter must be provided' }],
      [{ title: 'T', content: 'a', files: [] }, { error: 'files, content are mutually exclusive' }],
      [{ content: 'a' }, { error: 'title is missing' }],
      [{ title: ' ', content: 'a' }, { message: { error: "Title can't be blank" } }],
      [
        { title: 'a'.repeat(256), content: 'a' },
        { message: { error: 'Title is too long (maximum is 255 characters)' } },
      ],
      [{ title: 'T', files: [] }, { message: { error: "Files can't be empty" } }],
      [{ title: 'T', files: [{ file_path: 'a' }] }, { error: 'files[0][content] is missing' }],
      [{ title: 'T', files: ['a'] }, { error: 'files[0] is invalid' }],
      [{ title: 'T', files: [{ file_path: 'a', content: '\u0000' }] }, { error: 'files[0][content] is invalid' }],
      [{ title: 'T', content: 'a', visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
    ])('%#: with what is wrong', async (sent, refusal) => {
      const { status, body } = await call('ada', 'POST', '/snippets', sent);
      expect([status, body]).toEqual([400, expect.objectContaining(refusal)]);
    });

    it('beyond a megabyte in all', async () => {
      const { id } = await add('ada', '/snippets', { content: 'ü'.repeat(300_000) });
      const files = [{ action: 'create', file_path: 'b', content: 'a'.repeat(500_000) }];
      expect(await call('ada', 'PUT', `/snippets/${id}`, { files })).toMatchObject({
        status: 400,
        body: { message: { error: 'Files are too large (maximum is 1048576 bytes in all)' } },
      });
    });

    it('in a project without a visibility', async () => {
      const path = await addProject('public');
      expect(await call('ada', 'POST', path, ONE_FILE)).toMatchObject({
        status: 400,
        body: { error: 'visibility is missing' },
      });
    });
  });

  describe('who may', () => {
    const READERS = ['nobody', 'grace', 'gus', 'rex', 'rita', 'mia', 'ada', 'root'];

    it.each([
      ['private', ['rex', 'root']],
      ['internal', READERS.filter((name) => name !== 'nobody')],
      ['public', READERS],
    ] as const)('read one of a person that is %s', async (visibility, allowed) => {
      const { id } = await add('rex', '/snippets', { visibility });
      for (const who of READERS)
        for (const path of ['', '/raw', '/files/main/notes.txt/raw']) {
          const { status } = await call(who, 'GET', `/snippets/${id}${path}`);
          expect([who, path, status]).toEqual([who, path, (allowed as readonly string[]).includes(who) ? 200 : 404]);
        }
    });

    it('change one of a person: the author and administrators', async () => {
      const { id } = await add('rex');
      const hidden = await add('rex', '/snippets', { visibility: 'private' });
      for (const [who, open, closed] of [
        ['nobody', 401, 401],
        ['grace', 403, 404],
        ['ada', 403, 404],
        ['root', 200, 200],
        ['rex', 200, 200],
      ] as const) {
        expect([who, (await call(who, 'PUT', `/snippets/${id}`, { title: 'T' })).status]).toEqual([who, open]);
        expect([who, (await call(who, 'PUT', `/snippets/${hidden.id}`, { title: 'T' })).status]).toEqual([who, closed]);
        if (open !== 200) expect([who, (await call(who, 'DELETE', `/snippets/${id}`)).status]).toEqual([who, open]);
      }
      expect((await call('rex', 'DELETE', `/snippets/${id}`)).status).toBe(204);
      expect((await call('root', 'DELETE', `/snippets/${hidden.id}`)).status).toBe(204);
      expect((await call('rex', 'GET', `/snippets/${id}`)).body).toEqual({ message: '404 Snippet Not Found' });
    });

    it('read those of projects: members all, others what is open in a project that they see; lists say the same', async () => {
      const member = ['gus', 'rex', 'rita', 'mia', 'ada', 'root'];
      for (const project of VISIBILITIES) {
        const path = await addProject(project);
        for (const visibility of VISIBILITIES) {
          const { id } = await add('rex', path, { visibility });
          for (const who of READERS) {
            const stranger = who === 'nobody' ? project === 'public' && visibility === 'public' : undefined;
            const signedIn = project !== 'private' && visibility !== 'private';
            const allowed = member.includes(who) || (stranger ?? signedIn);
            const told = `${who} of ${visibility} in ${project}`;
            for (const address of ['', '/raw'])
              expect([told, (await call(who, 'GET', `${path}/${id}${address}`)).status]).toEqual([
                told,
                allowed ? 200 : 404,
              ]);
            if (who === 'nobody' && project !== 'public') continue;
            const seesProject = project !== 'private' || member.includes(who);
            if (seesProject) expect([told, (await idsOf(who, path)).includes(id)]).toEqual([told, allowed]);
            if (who !== 'nobody')
              expect([told, (await idsOf(who, '/snippets/all')).includes(id)]).toEqual([told, allowed]);
          }
        }
      }
    });

    it('make one in a project: reporters and above', async () => {
      const path = await addProject('public');
      for (const [who, status] of [
        ['nobody', 401],
        ['grace', 403],
        ['gus', 403],
        ['rex', 201],
        ['mia', 201],
        ['root', 201],
      ] as const)
        expect([who, (await call(who, 'POST', path, { ...ONE_FILE, visibility: 'public' })).status]).toEqual([
          who,
          status,
        ]);
    });

    it('change one of a project: its author, and maintainers', async () => {
      const path = await addProject('public');
      const { id } = await add('rex', path);
      for (const [who, status] of [
        ['nobody', 401],
        ['grace', 403],
        ['gus', 403],
        ['rita', 403],
        ['rex', 200],
        ['mia', 200],
        ['root', 200],
      ] as const)
        expect([who, (await call(who, 'PUT', `${path}/${id}`, { title: who })).status]).toEqual([who, status]);
      expect((await call('rita', 'DELETE', `${path}/${id}`)).status).toBe(403);
      expect((await call('mia', 'DELETE', `${path}/${id}`)).status).toBe(204);
    });

    it('reach one by another address: nobody', async () => {
      const [path, other] = [await addProject('public'), await addProject('public')];
      const { id } = await add('ada', path);
      const own = await add('ada');
      for (const address of [`/snippets/${id}`, `${other}/${id}`, `${path}/${own.id}`, '/snippets/x', '/snippets/0'])
        expect([address, (await call('ada', 'GET', address)).status]).toEqual([address, 404]);
    });

    it('read what one was made with: administrators', async () => {
      const { id } = await add('ada');
      const path = `/snippets/${id}/user_agent_detail`;
      for (const [who, status] of [
        ['nobody', 401],
        ['ada', 403],
      ] as const)
        expect((await call(who, 'GET', path)).status).toBe(status);
      expect((await call('root', 'GET', path)).body).toEqual({
        user_agent: expect.any(String),
        ip_address: expect.stringContaining('127.0.0.1'),
        akismet_submitted: false,
      });
    });
  });

  it('of an archived project are read, and not changed', async () => {
    const path = await addProject('public');
    const { id } = await add('ada', path);
    await call('ada', 'POST', `${path.replace('/snippets', '')}/archive`);
    expect((await call('ada', 'GET', `${path}/${id}`)).status).toBe(200);
    expect((await call('ada', 'PUT', `${path}/${id}`, { title: 'T' })).status).toBe(403);
    expect((await call('ada', 'POST', path, { ...ONE_FILE, visibility: 'public' })).status).toBe(403);
  });

  it('go with their project', async () => {
    const path = await addProject('public');
    const ids: number[] = [];
    for (let count = 0; count < 25; count += 1) ids.push((await add('ada', path)).id);
    const kept = await add('ada');
    expect((await call('ada', 'DELETE', path.replace('/snippets', ''))).status).toBe(202);
    const { reader } = service.service.container.get(TOKENS.database);
    await until(
      async () => (await reader.query('snippets').whereNotNull('project_id').whereIn('id', ids)).length === 0,
    );
    expect((await call('ada', 'GET', `/snippets/${kept.id}`)).status).toBe(200);
  });
});
