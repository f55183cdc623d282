import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import {
  MAX_FILE_BYTES,
  MAX_PROJECT_BYTES,
  MAX_PROJECT_FILES,
  MAX_VISITOR_BYTES,
  MAX_VISITOR_FILES,
} from '../../src/domain/uploads/upload.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

interface Attached {
  readonly id: number;
  readonly alt: string;
  readonly url: string;
  readonly full_path: string;
  readonly markdown: string;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const VISIBILITIES = ['private', 'internal', 'public'] as const;
const NO_FILE = `/uploads/${'0'.repeat(32)}/a.txt`;

describeEachDatabase('files that are attached', (openTestDatabase) => {
  let service: TestService;
  const people: Record<string, TestUser> = {};
  const browsers: Record<string, FormBrowser> = {};
  const projects: Record<string, number> = {};

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    for (const name of ['owner', 'maintainer', 'developer', 'guest', 'stranger']) {
      people[name] = await service.addUser(name, { password: PASSWORD });
      browsers[name] = new FormBrowser(service.url);
      await browsers[name].signIn(name);
    }
    browsers['nobody'] = new FormBrowser(service.url);
    for (const visibility of VISIBILITIES) projects[visibility] = await addProject(visibility, visibility);
  });
  afterAll(() => service.close());

  const call = async <Body = unknown>(who: string, method: string, path: string, json?: object) =>
    service.call<Body>(method, path, {
      ...(who === 'nobody' ? {} : { token: people[who]!.token }),
      ...(json === undefined ? {} : { json }),
    });

  const addProject = async (path: string, visibility: string): Promise<number> => {
    const { body } = await call<{ id: number }>('owner', 'POST', '/projects', { name: path, path, visibility });
    for (const [name, level] of Object.entries({ guest: 10, developer: 30, maintainer: 40 }))
      await call('owner', 'POST', `/projects/${body.id}/members`, { user_id: people[name]!.id, access_level: level });
    return body.id;
  };

  const send = async (
    who: string,
    project: number | string,
    name: string,
    content: Uint8Array | string,
    field = 'file',
  ) => {
    const body = new FormData();
    body.set(field, new Blob([content as Uint8Array<ArrayBuffer>]), name);
    const headers: Record<string, string> = who === 'nobody' ? {} : { 'PRIVATE-TOKEN': people[who]!.token };
    const url = `${service.url}/api/v4/projects/${encodeURIComponent(project)}/uploads`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as Attached & Record<string, unknown> };
  };
  const attach = async (project: number, name: string, content: Uint8Array | string): Promise<Attached> => {
    const { status, body } = await send('owner', project, name, content);
    expect([name, status]).toEqual([name, 201]);
    return body;
  };
  const read = (who: string, path: string, init: RequestInit = {}) => browsers[who]!.send(path, init);
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  it('are told of as clients expect it', async () => {
    const text = await attach(projects['public']!, 'plan [1].txt', 'a plan');
    const secret = text.url.split('/')[2] ?? '';
    expect(secret).toMatch(/^[0-9a-f]{32}$/);
    const url = `/uploads/${secret}/plan%20%5B1%5D.txt`;
    expect(text).toEqual({
      id: expect.any(Number),
      alt: 'plan [1].txt',
      url,
      full_path: `/owner/public${url}`,
      markdown: `[plan \\[1\\].txt](${url})`,
    });
    expect((await attach(projects['public']!, 'text.txt', PNG)).markdown).toMatch(/^!\[text\.txt]\(/);
    for (const name of ['picture.svg', 'picture.png'])
      expect((await attach(projects['public']!, name, '<svg xmlns="http://www.w3.org/2000/svg"/>')).markdown).toMatch(
        /^\[/,
      );
  });

  it.each([0, 1, 49_152, 49_153, 1_000_003, MAX_FILE_BYTES])('come back byte for byte: %d', async (size) => {
    const content = randomBytes(size);
    const { full_path: path, url } = await attach(projects['private']!, 'a.bin', content);
    const answer = await read('guest', path);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)]);
    expect((await bytesOf(answer)).equals(content)).toBe(true);
    const api = `${service.url}/api/v4/projects/${projects['private']}${url}`;
    const byToken = await fetch(api, { headers: { 'PRIVATE-TOKEN': people['guest']!.token } });
    expect((await bytesOf(byToken)).equals(content)).toBe(true);
  });

  it('that are larger than 10 MiB are refused, and nothing of them is kept', async () => {
    const id = await addProject('too-large', 'private');
    for (const more of [1, 100_000]) {
      const { status, body } = await send('owner', id, 'a.bin', Buffer.alloc(MAX_FILE_BYTES + more));
      expect([status, body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    }
    expect((await call('owner', 'GET', `/projects/${id}/uploads`)).body).toEqual([]);
  });

  it('are refused once those of their project have 1 GiB, and are let in where one was taken away', async () => {
    const id = await addProject('full', 'private');
    const first = await attach(id, 'a.bin', 'abc');
    // Only its row says so.
    const row = service.service.database.schema('uploads').where({ id: first.id });
    await row.update({ size: MAX_PROJECT_BYTES - 2 });
    expect((await send('owner', id, 'b.bin', 'ab')).status).toBe(201);
    const { status, body } = await send('owner', id, 'c.bin', 'a');
    expect([status, body['message']]).toEqual([400, expect.stringContaining('1 GiB at most')]);
    expect((await call('owner', 'DELETE', `/projects/${id}/uploads/${first.id}`)).status).toBe(204);
    expect((await send('owner', id, 'c.bin', 'a')).status).toBe(201);
  });

  it('of somebody who is no member are refused once theirs have 100 MiB or are 1,000, and those of members are not', async () => {
    const id = await addProject('visited', 'public');
    const { body: first } = await send('stranger', id, 'a.bin', 'abc');
    const { schema } = service.service.database;
    const row = schema('uploads').where({ id: first.id });
    await row.clone().update({ size: MAX_VISITOR_BYTES - 2 });
    expect((await send('stranger', id, 'b.bin', 'ab')).status).toBe(201);
    const { status, body } = await send('stranger', id, 'c.bin', 'a');
    expect([status, body['message']]).toEqual([400, expect.stringContaining('no member')]);
    expect((await send('guest', id, 'c.bin', 'a')).status).toBe(201);
    await row.clone().update({ size: 3 });
    const [{ author_id: author }] = (await row.clone().select('author_id')) as [{ author_id: UserId }];
    const made = { project_id: id as ProjectId, author_id: author, file_name: 'a', size: 0 };
    const rows = Array.from({ length: MAX_VISITOR_FILES - 3 }, () => ({
      ...made,
      created_at: new Date(0).toISOString(),
      secret: randomBytes(16).toString('hex'),
    }));
    for (let from = 0; from < rows.length; from += 250) await schema('uploads').insert(rows.slice(from, from + 250));
    expect((await send('stranger', id, 'd.bin', '')).status).toBe(201);
    expect((await send('stranger', id, 'e.bin', '')).status).toBe(400);
    expect((await send('guest', id, 'e.bin', '')).status).toBe(201);
  });

  it('are refused once their project has 50,000, however small they are', async () => {
    const id = await addProject('many', 'private');
    const { schema } = service.service.database;
    const row = {
      project_id: id as ProjectId,
      author_id: null,
      file_name: 'a',
      size: 0,
      created_at: new Date(0).toISOString(),
    };
    for (let from = 0; from < MAX_PROJECT_FILES - 1; from += 500) {
      const count = Math.min(500, MAX_PROJECT_FILES - 1 - from);
      const rows = Array.from({ length: count }, () => ({ ...row, secret: randomBytes(16).toString('hex') }));
      await schema('uploads').insert(rows);
    }
    expect((await send('owner', id, 'a.bin', '')).status).toBe(201);
    const { status, body } = await send('owner', id, 'b.bin', '');
    expect([status, body['message']]).toEqual([400, expect.stringContaining('at most 50,000 files')]);
  });

  it.each([
    ['within a file', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nabc'],
    ['within the headers of a file', '--x\r\nContent-Disposition: form-data; name="file"; filena'],
    ['after a file', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nabc\r\n--x\r\n'],
  ])('are refused in a form that ends %s, and the service goes on', async (_words, body) => {
    const id = projects['private']!;
    const before = (await call<readonly Attached[]>('owner', 'GET', `/projects/${id}/uploads`)).body;
    const headers = { 'PRIVATE-TOKEN': people['owner']!.token, 'Content-Type': 'multipart/form-data; boundary=x' };
    const answer = await fetch(`${service.url}/api/v4/projects/${id}/uploads`, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'message body does not match declared format' },
    ]);
    expect((await call('owner', 'GET', `/projects/${id}/uploads`)).body).toEqual(before);
  });

  it('are no request without a file in its field', async () => {
    const refused = { error: 'file is missing' };
    const other = await send('owner', projects['private']!, 'a.txt', 'a', 'other');
    expect([other.status, other.body]).toEqual([400, refused]);
    const none = await call('owner', 'POST', `/projects/${projects['private']}/uploads`);
    expect([none.status, none.body]).toEqual([400, refused]);
    expect((await call('owner', 'POST', `/projects/${projects['private']}/uploads`, { file: 'a' })).status).toBe(415);
  });

  it.each([
    ['../../a.txt', 'a.txt'],
    ['C:\\a.txt', 'a.txt'],
    ['Größe 100%.txt', 'Größe 100%.txt'],
    ['a?b#c&d.txt', 'a?b#c&d.txt'],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ['cod.\u202etxt', 'cod._txt'],
    ["it's.txt", 'it_s.txt'],
    ['%2e%2e', '%2e%2e'],
  ])('called %j are called %j, and are found so', async (sent, kept) => {
    const { alt, full_path: path } = await attach(projects['public']!, sent, sent);
    expect(alt).toBe(kept);
    const answer = await read('nobody', path);
    expect([answer.status, await answer.text()]).toEqual([200, sent]);
    const name = /filename\*=UTF-8''(.*)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    if (name !== undefined) expect(decodeURIComponent(name)).toBe(kept);
  });

  it.each(VISIBILITIES)('of a %s project are attached and read by those who may see it', async (visibility) => {
    const id = projects[visibility]!;
    const { full_path: path, url } = await attach(id, 'a.txt', 'a');
    const sees = {
      nobody: visibility === 'public',
      stranger: visibility !== 'private',
      ...{ guest: true, developer: true, maintainer: true, owner: true },
    };
    for (const [who, may] of Object.entries(sees)) {
      expect([who, (await read(who, path)).status]).toEqual([who, may ? 200 : 404]);
      expect([who, (await call(who, 'GET', `/projects/${id}${url}`)).status]).toEqual([who, may ? 200 : 404]);
      const attached = (await send(who, id, 'a.txt', 'a')).status;
      expect([who, attached]).toEqual([who, who === 'nobody' ? 401 : may ? 201 : 404]);
    }
  });

  it('of a project that somebody may not see look like none, and like no project', async () => {
    const { full_path: path } = await attach(projects['private']!, 'a.txt', 'a');
    const pageOf = async (address: string) => {
      const answer = await read('stranger', address);
      const names = [...answer.headers].map(([name]) => name);
      const text = (await answer.text()).replaceAll(address, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
      return { status: answer.status, names, text };
    };
    const hidden = await pageOf(path);
    expect(hidden.status).toBe(404);
    expect(await pageOf(`/owner/private${NO_FILE}`)).toEqual(hidden);
    expect(await pageOf(`/owner/none${NO_FILE}`)).toEqual(hidden);
  });

  it('are found by project, secret and name together alone', async () => {
    const { full_path: path, url } = await attach(projects['public']!, 'a.txt', 'a');
    const secret = url.split('/')[2] ?? '';
    for (const other of [
      `/owner/internal${url}`,
      `/owner/public/uploads/${secret}/b.txt`,
      `/owner/public/uploads/${secret}/`,
      `/owner/public/uploads/${secret.toUpperCase()}/a.txt`,
      `/owner/public/uploads/${'f'.repeat(32)}/a.txt`,
      `/owner/public/uploads/${secret.slice(1)}/a.txt`,
      `${path}/b`,
      path.replace('a.txt', 'a%00.txt'),
      `/${projects['public']}${url}`,
      url,
    ])
      expect([other, (await read('owner', other)).status]).toEqual([other, 404]);
    expect((await read('owner', path.replace('a.txt', '%ff'))).status).toBe(400);
  });

  describe('in a browser', () => {
    it('run nothing, load nothing and are no page, whatever they say they are', async () => {
      const page = '<!doctype html><script>alert(1)</script>';
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
      for (const [name, content] of [
        ['a.html', page],
        ['a.png', page],
        ['a.svg', svg],
        ['a.txt', 'text'],
        ['a.pdf', '%PDF-1.4'],
        ['a.js', 'alert(1)'],
      ] as const) {
        const { headers } = await read('nobody', (await attach(projects['public']!, name, content)).full_path);
        expect(headers.get('content-type')).toBe('application/octet-stream');
        expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      }
    });

    it.each([
      ['image/png', PNG],
      ['image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
      ['image/gif', Buffer.from('GIF89a......')],
      ['image/webp', Buffer.from('RIFF....WEBPVP8 ')],
    ])('are shown where their bytes are those of %s', async (type, content) => {
      const { headers } = await read('nobody', (await attach(projects['public']!, 'a.html', content)).full_path);
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        type,
        'inline; filename="a.html"',
      ]);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('are kept by the browser alone, which must ask whether they are the same', async () => {
      const { full_path: path } = await attach(projects['private']!, 'a.txt', 'abc');
      const first = await read('guest', path);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      const ask = { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } };
      const again = await read('guest', path, ask);
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await read('stranger', path, ask)).status).toBe(404);
      const head = await read('guest', path, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3', '']);
    });

    it('are led to by texts of their project, and a picture is shown', async () => {
      const [text, picture] = [
        await attach(projects['private']!, 'a.txt', 'a'),
        await attach(projects['private']!, 'b c.png', PNG),
      ];
      const description = `${text.markdown} ${picture.markdown}`;
      const { body } = await call<{ iid: number }>('guest', 'POST', `/projects/${projects['private']}/issues`, {
        ...{ title: 'Attached', description },
      });
      const html = await (await read('guest', `/owner/private/-/issues/${body.iid}`)).text();
      expect(html).toContain(`<a href="${text.full_path}">a.txt</a>`);
      expect(html).toContain(`<img src="${picture.full_path}" alt="b c.png" loading="lazy">`);
      const made = await call<{ html: string }>('guest', 'POST', '/markdown', {
        ...{ text: picture.markdown, gfm: true, project: 'owner/private' },
      });
      expect(made.body.html).toContain(`src="${picture.full_path}"`);
    });
  });

  it.each(['<mailto:eve@example.com>.txt', '<!-- a.txt', '&lt;b&gt;.txt', '<b title=a.txt', 'a](b).txt'])(
    'are led to whatever they are called: %s',
    async (name) => {
      const { markdown, full_path: path, alt } = await attach(projects['public']!, name, 'a');
      expect(alt).toBe(name);
      const text = { text: `${markdown} > --> more`, gfm: true, project: 'owner/public' };
      const { html } = (await call<{ html: string }>('owner', 'POST', '/markdown', text)).body;
      const shown = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(html).toContain(`<a href="${path}">${shown}</a> &gt; --&gt; more`);
    },
  );

  it('are led to by the texts of an issue that moved to another project', async () => {
    const [from, to] = [await addProject('from', 'public'), await addProject('to', 'public')];
    const { markdown, full_path: path } = await attach(from, 'a.png', PNG);
    const issue = { title: 'Moves', description: markdown };
    const { body } = await call<{ iid: number }>('owner', 'POST', `/projects/${from}/issues`, issue);
    const notes = `/projects/${from}/issues/${body.iid}/notes`;
    await call('owner', 'POST', notes, { body: `See ${markdown}` });
    const move = `/projects/${from}/issues/${body.iid}/move`;
    const moved = await call<{ iid: number; description: string }>('owner', 'POST', move, { to_project_id: to });
    expect(moved.body.description).toBe(`![a.png](${path})`);
    const html = await (await read('nobody', `/owner/to/-/issues/${moved.body.iid}`)).text();
    expect(html.split(`<img src="${path}"`)).toHaveLength(3);
  });

  it('are redirected to where their project is renamed, for who may read it', async () => {
    const id = await addProject('former', 'private');
    const { full_path: path, url } = await attach(id, 'a b.txt', 'a');
    await call('owner', 'PUT', `/projects/${id}`, { path: 'renamed' });
    const answer = await read('guest', path);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/owner/renamed${url}`]);
    expect(await (await read('guest', `/owner/renamed${url}`)).text()).toBe('a');
    expect((await read('stranger', path)).status).toBe(404);
  });

  describe('are managed by maintainers, who', () => {
    it('see which there are, and how large they are in all', async () => {
      const id = await addProject('listed', 'internal');
      const [one, two] = [await attach(id, 'a.txt', 'abc'), (await send('guest', id, 'b.txt', 'defgh')).body];
      const { body } = await call('maintainer', 'GET', `/projects/${id}/uploads`);
      const at = expect.stringMatching(/^\d{4}-.*Z$/);
      const byOwner = { id: people['owner']!.id, name: 'owner Example', username: 'owner' };
      const byGuest = { id: people['guest']!.id, name: 'guest Example', username: 'guest' };
      expect(body).toEqual([
        { id: two.id, size: 5, filename: 'b.txt', created_at: at, uploaded_by: byGuest },
        { id: one.id, size: 3, filename: 'a.txt', created_at: at, uploaded_by: byOwner },
      ]);
      const project = await call('maintainer', 'GET', `/projects/${id}?statistics=true`);
      expect(project.body).toMatchObject({ statistics: { uploads_size: 8, storage_size: 8 } });
      const byNumber = await call('maintainer', 'GET', `/projects/${id}/uploads/${one.id}`);
      expect([byNumber.status, byNumber.body]).toEqual([200, 'abc']);
    });

    it('take them away, by number and by address', async () => {
      const id = await addProject('leaky', 'public');
      const [one, two] = [await attach(id, 'a.txt', 'abc'), await attach(id, 'b c.txt', 'def')];
      for (const [path, { full_path: address }] of [
        [`/projects/${id}/uploads/${one.id}`, one],
        [`/projects/${id}${two.url}`, two],
      ] as const) {
        for (const [who, status] of Object.entries({ nobody: 401, stranger: 403, guest: 403, developer: 403 }))
          expect([who, (await call(who, 'DELETE', path)).status]).toEqual([who, status]);
        expect((await read('nobody', address)).status).toBe(200);
        expect((await call('maintainer', 'DELETE', path)).status).toBe(204);
        expect((await read('owner', address)).status).toBe(404);
        const again = await call('maintainer', 'DELETE', path);
        expect([again.status, again.body]).toEqual([404, { message: '404 Upload Not Found' }]);
      }
    });

    it('reach those of their own project alone', async () => {
      const { id, url } = await attach(projects['private']!, 'a.txt', 'a');
      for (const path of [`/uploads/${id}`, url, '/uploads/0', '/uploads/a', '/uploads/99999999999999999999'])
        for (const method of ['GET', 'DELETE']) {
          const { status } = await call('maintainer', method, `/projects/${projects['public']}${path}`);
          expect([method, path, status]).toEqual([method, path, 404]);
        }
    });

    it('are told from everybody else', async () => {
      for (const visibility of VISIBILITIES) {
        const { id } = await attach(projects[visibility]!, 'a.txt', 'a');
        const hidden = visibility === 'private' ? 404 : 403;
        for (const path of ['', `/${id}`])
          for (const [who, status] of Object.entries({ stranger: hidden, guest: 403, developer: 403, maintainer: 200 }))
            expect([who, (await call(who, 'GET', `/projects/${projects[visibility]}/uploads${path}`)).status]).toEqual([
              who,
              status,
            ]);
      }
    });
  });

  it('stay as they are in an archived project, but for those that are taken away', async () => {
    const id = await addProject('archived', 'public');
    const { full_path: path, id: uploadId } = await attach(id, 'a.txt', 'a');
    await call('owner', 'POST', `/projects/${id}/archive`);
    expect((await send('owner', id, 'b.txt', 'b')).status).toBe(403);
    expect((await read('nobody', path)).status).toBe(200);
    expect((await call('owner', 'DELETE', `/projects/${id}/uploads/${uploadId}`)).status).toBe(204);
  });

  it('go with their project', async () => {
    const id = await addProject('removed', 'private');
    await attach(id, 'a.txt', 'a');
    await call('owner', 'DELETE', `/projects/${id}`);
    const left = () => service.service.database.schema('uploads').where('project_id', id).pluck('id');
    await until(async () => (await left()).length === 0);
  });
});
