import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { PACKAGE_TOKENS } from '../../src/infrastructure/composition/packages.tokens.js';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { runnerOf } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { byToken, fetchPackage, packagePath, sendPackage, type SentPackage } from '../support/sent-packages.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface ShownPackage {
  readonly id: number;
  readonly name: string;
  readonly version: string;
  readonly last_downloaded_at: string | null;
  readonly [field: string]: unknown;
}

const digestOf = (name: string, text: string): string => createHash(name).update(text).digest('hex');
const WHOLE = { query: '?select=package_file' };
const PARTS = 256;

describeWriting('generic packages', (writing) => {
  const send = (
    loom: WrittenProject,
    content: string | Uint8Array,
    of: SentPackage = {},
    user: TestUser = loom.owner,
  ) => sendPackage(writing.service, byToken(user), loom.id, content, of);
  const read = (loom: WrittenProject, of: SentPackage = {}, user: TestUser = loom.owner) =>
    fetchPackage(writing.service, byToken(user), loom.id, of);
  const listed = async (loom: WrittenProject, query = '') =>
    (await loom.call<ShownPackage[]>('GET', `/packages${query}`)).body;

  const folder = () => writing.service.service.container.get(TOKENS.config).artifactsDirectory;
  const pathOf = (key: string) => join(folder(), key.slice(0, 2), key);
  const keysOf = async ({ id }: WrittenProject) => {
    const rows = await writing.service.service.database.reader.query('package_files').where({ project_id: id });
    return rows.map(({ file_key: key }) => key);
  };
  /** Those that this process has open. */
  const openFiles = (): readonly string[] =>
    readdirSync('/proc/self/fd').flatMap((each) => {
      try {
        return readlinkSync(`/proc/self/fd/${each}`);
      } catch {
        return [];
      }
    });
  const filesThere = () =>
    readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;

  it('keep a file as it was sent, and tell of it with its checksums', async () => {
    const loom = await writing.newProject();
    const text = 'bytes\u0000of a file';
    const sent = await send(loom, text, WHOLE);
    expect(sent).toEqual({
      status: 201,
      body: {
        ...{ id: expect.any(Number), package_id: expect.any(Number), file_name: 'a.txt', size: text.length },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
        ...{
          file_sha256: digestOf('sha256', text),
          file_sha1: digestOf('sha1', text),
          file_md5: digestOf('md5', text),
          file: { url: expect.stringMatching(/\/api\/v4\/projects\/\d+\/packages\/generic\/tools\/1\.0\.0\/a\.txt$/) },
        },
      },
    });
    const found = await read(loom);
    expect([found.status, found.text]).toEqual([200, text]);
    expect(Object.fromEntries(found.headers)).toMatchObject({
      ...{ 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.txt"' },
      ...{ 'content-length': String(text.length), 'x-content-type-options': 'nosniff' },
      ...{ etag: `"${digestOf('sha256', text)}"`, 'cache-control': 'private, no-cache' },
    });
    expect(await send(loom, 'other', { file: 'b.txt' })).toEqual({ status: 201, body: { message: '201 Created' } });
    const [shown, ...others] = await listed(loom);
    expect([shown, others]).toEqual([
      {
        ...{ id: sent.body['package_id'], name: 'tools', version: '1.0.0', package_type: 'generic', status: 'default' },
        ...{ created_at: expect.any(String), last_downloaded_at: expect.any(String), tags: [] },
        _links: { web_path: `/${loom.project.path}/-/packages/${shown?.id}` },
      },
      [],
    ]);
    expect((await loom.call('GET', `/packages/${shown?.id}`)).body).toEqual(shown);
    const files = await loom.call<{ file_name: string }[]>('GET', `/packages/${shown?.id}/package_files`);
    expect(files.body.map(({ file_name: name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect(files.headers.get('x-total')).toBe('2');
    expect(existsSync(pathOf((await keysOf(loom))[0]!))).toBe(true);
  });

  it('are not sent again to whoever has them', async () => {
    const loom = await writing.newProject();
    await send(loom, 'same');
    const headers = { ...byToken(loom.owner), 'If-None-Match': `"${digestOf('sha256', 'same')}"` };
    expect(await fetchPackage(writing.service, headers, loom.id)).toMatchObject({ status: 304, text: '' });
    expect((await listed(loom))[0]?.last_downloaded_at).toBeNull();
    await send(loom, 'another');
    expect(await fetchPackage(writing.service, headers, loom.id)).toMatchObject({ status: 200, text: 'another' });
  });

  it('leave no file open where the database goes away as it is downloaded', async () => {
    const loom = await writing.newProject();
    await send(loom, 'open');
    const [key = ''] = await keysOf(loom);
    const { packageReader } = writing.service.service.container.get(PACKAGE_TOKENS.packages);
    const gone = jest.spyOn(packageReader, 'find').mockRejectedValueOnce(new Error('It is gone.'));
    try {
      expect((await read(loom)).status).toBe(500);
    } finally {
      gone.mockRestore();
    }
    expect(openFiles()).not.toContain(pathOf(key));
    expect((await read(loom)).text).toBe('open');
  });

  it('keep every file of one name, and give the newest', async () => {
    const loom = await writing.newProject();
    const [one, two] = [await send(loom, 'one', WHOLE), await send(loom, 'two', WHOLE)];
    expect(one.body['package_id']).toBe(two.body['package_id']);
    expect((await read(loom)).text).toBe('two');
    await loom.call('DELETE', `/packages/${String(two.body['package_id'])}/package_files/${String(two.body['id'])}`);
    expect((await read(loom)).text).toBe('one');
  });

  it('take what a form has as its file, an empty file, and a file of other names than letters', async () => {
    const loom = await writing.newProject();
    const form = new FormData();
    form.set('file', new Blob(['from a form']), 'whatever.txt');
    const answer = await fetch(`${writing.service.url}/api/v4${packagePath(loom.id, { file: 'form.txt' })}`, {
      ...{ method: 'PUT', headers: byToken(loom.owner), body: form },
    });
    expect(answer.status).toBe(201);
    expect((await read(loom, { file: 'form.txt' })).text).toBe('from a form');
    expect((await send(loom, '', { file: 'empty' })).status).toBe(201);
    expect(await read(loom, { file: 'empty' })).toMatchObject({ status: 200, text: '' });
    const named = { file: 'Größe 100%+~@v1.tar.gz', name: 'a_b-C.d', version: '1.0.0-rc.1+build.7' };
    expect((await send(loom, 'x', named)).status).toBe(201);
    const found = await read(loom, named);
    expect(found.text).toBe('x');
    expect(found.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe");
  });

  it('refuse hostile names with 400 that says which, and nothing of them is kept', async () => {
    const loom = await writing.newProject();
    const before = filesThere();
    const messageOf = async (of: SentPackage) => {
      const { status, body } = await send(loom, 'x', of);
      return `${status} ${JSON.stringify(body)}`;
    };
    for (const name of ['a/b', 'a b', 'ä', 'x'.repeat(256), '%2e%2e', 'a\\b', 'a\u0001'])
      expect(await messageOf({ name })).toMatch(/^400 .*package_name/);
    for (const version of ['a/b', '1 0', '1.0\n', 'x'.repeat(256), '1:0'])
      expect(await messageOf({ version })).toMatch(/^400 .*package_version/);
    for (const file of ['../a', 'a/b', '../../../etc/passwd', 'a..b', '\\a', 'x'.repeat(256), 'a\u202eb', 'a\u0000'])
      expect(await messageOf({ file })).toMatch(/^400 .*file_name/);
    expect(await listed(loom)).toEqual([]);
    // What was begun is taken away once the answer is out.
    await until(() => Promise.resolve(filesThere() === before));
    // Ordinary clients make another address of these.
    for (const [address, what] of [
      ['../1/a', 'package_name'],
      ['%2e%2e/1/a', 'package_name'],
      ['a/../a', 'package_version'],
      ['a/1/..', 'file_name'],
      ['a/1/%2e', 'file_name'],
    ] as const) {
      const raw = await rawly(
        writing.service.url,
        `PUT /api/v4/projects/${loom.id}/packages/generic/${address} HTTP/1.1`,
        [`PRIVATE-TOKEN: ${loom.owner.token}`, 'Content-Length: 1', '', 'x'],
      );
      expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 400 [^]*${what} is invalid`));
    }
    const missing = await rawly(writing.service.url, `PUT /api/v4${packagePath(loom.id)} HTTP/1.1`, [
      ...[`PRIVATE-TOKEN: ${loom.owner.token}`, '', ''],
    ]);
    expect(missing).toMatch(/^HTTP\/1\.1 400 [^]*file is missing/);
  });

  it('leave nothing of what breaks off', async () => {
    const loom = await writing.newProject();
    const before = filesThere();
    const { lines } = writing.service.logger;
    const logged = lines.length;
    const { port, hostname } = new URL(writing.service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT /api/v4${packagePath(loom.id)} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${loom.owner.token}\r\nContent-Length: 100000\r\n\r\nbegun`,
    );
    await until(() => Promise.resolve(filesThere() > before));
    socket.destroy();
    await until(() => Promise.resolve(filesThere() === before));
    expect(await listed(loom)).toEqual([]);
    expect(lines.slice(logged).filter(({ message }) => message === 'request failed')).toEqual([]);
  });

  it('are listed by name, kind, status and version, ordered and paged; hidden ones where they are asked for', async () => {
    const loom = await writing.newProject();
    for (const [name, version] of [
      ['tools', '1'],
      ['Looms', '2'],
      ['tools', '2'],
    ] as const)
      await send(loom, 'x', { name, version });
    await send(loom, 'x', { name: 'secret', query: '?status=hidden' });
    const names = async (query = '') =>
      (await listed(loom, query)).map(({ name, version }) => `${name}@${version}`).join(' ');
    expect(await names()).toBe('tools@1 Looms@2 tools@2');
    expect(await names('?order_by=name&sort=asc')).toBe('Looms@2 tools@1 tools@2');
    expect(await names('?order_by=version&sort=desc')).toBe('tools@2 Looms@2 tools@1');
    expect(await names('?order_by=type&sort=desc')).toBe('tools@2 Looms@2 tools@1');
    expect(await names('?package_name=LOOM')).toBe('Looms@2');
    expect(await names('?package_name=%25')).toBe('');
    expect(await names('?package_version=1')).toBe('tools@1');
    expect(await names('?package_type=generic&per_page=1&page=2')).toBe('Looms@2');
    expect(await names('?package_type=npm')).toBe('');
    expect(await names('?status=hidden')).toBe('secret@1.0.0');
    expect((await read(loom, { name: 'secret' })).status).toBe(200);
    expect((await loom.call('GET', '/packages?order_by=size')).status).toBe(400);
    // Whoever says nothing leaves it as it is.
    await send(loom, 'x', { name: 'secret', file: 'more' });
    expect(await names('?status=hidden')).toBe('secret@1.0.0');
    await send(loom, 'x', { name: 'secret', file: 'more', query: '?status=default' });
    expect(await names('?status=hidden')).toBe('');
  });

  it('are removed with their files, one by one or whole', async () => {
    const loom = await writing.newProject();
    const one = await send(loom, 'one', WHOLE);
    await send(loom, 'two', { file: 'b.txt' });
    const [first, second] = (await keysOf(loom)).map(pathOf);
    const address = `/packages/${String(one.body['package_id'])}`;
    expect((await loom.call('DELETE', `${address}/package_files/${String(one.body['id'])}`)).status).toBe(204);
    expect([existsSync(first!), existsSync(second!)]).toEqual([false, true]);
    expect((await loom.call('DELETE', `${address}/package_files/${String(one.body['id'])}`)).status).toBe(404);
    expect((await read(loom)).status).toBe(404);
    expect((await loom.call('DELETE', address)).status).toBe(204);
    expect(existsSync(second!)).toBe(false);
    expect((await loom.call('DELETE', address)).status).toBe(404);
    expect((await read(loom, { file: 'b.txt' })).status).toBe(404);
    // Not by the number of another package.
    const [mine, other] = [await send(loom, 'x', WHOLE), await send(loom, 'x', { name: 'other', ...WHOLE })];
    const crossed = `/packages/${String(mine.body['package_id'])}/package_files/${String(other.body['id'])}`;
    expect((await loom.call('DELETE', crossed)).status).toBe(404);
  });

  it('of two that come at once both are kept, in one package', async () => {
    const loom = await writing.newProject();
    const sent = await Promise.all(Array.from({ length: 6 }, (_, count) => send(loom, `file ${count}`, WHOLE)));
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(new Set(sent.map(({ body }) => body['package_id'])).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body['id'])).size).toBe(6);
    const newest = sent.reduce((one, other) => (Number(one.body['id']) > Number(other.body['id']) ? one : other));
    expect(digestOf('sha256', (await read(loom)).text)).toBe(newest.body['file_sha256']);
  });

  it('that no row names are swept after an hour, beside those of jobs, and those that have one stay', async () => {
    const loom = await writing.newProject();
    await send(loom, 'kept');
    const { packages } = writing.service.service.container.get(PACKAGE_TOKENS.packages);
    const { artifacts } = writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
    const orphan = await packages.receive(bytesOf('left behind'), 1_000);
    const paths = [pathOf((await keysOf(loom))[0]!), pathOf(orphan.key)];
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const each of paths) utimesSync(each, longAgo, longAgo);
    for (let part = 0; part < PARTS; part += 16) await artifacts.cleanUp();
    expect(paths.map((each) => existsSync(each))).toEqual([true, false]);
  });

  it('are taken back where the project goes, or its owner is blocked, while they come', async () => {
    const { packages } = writing.service.service.container.get(PACKAGE_TOKENS.packages);
    const meanwhile = (happens: () => Promise<unknown>) => {
      const receive = packages.receive.bind(packages);
      return jest.spyOn(packages, 'receive').mockImplementationOnce(async (bytes, room) => {
        const file = await receive(bytes, room);
        await happens();
        return file;
      });
    };
    const goneOf = async (spy: ReturnType<typeof meanwhile>) => {
      const { key } = (await spy.mock.results[0]!.value) as { readonly key: string };
      spy.mockRestore();
      return !existsSync(pathOf(key));
    };
    const keeper = await writing.service.addUser('keeper');
    const admin = await writing.service.addUser('root', { admin: true });
    const loom = await writing.newProject();
    await loom.addMember(keeper, 30);
    const blocked = meanwhile(() => writing.service.call('POST', `/users/${keeper.id}/block`, { token: admin.token }));
    expect((await send(loom, 'x', {}, keeper)).status).toBe(403);
    expect(await goneOf(blocked)).toBe(true);
    const project = await writing.service.call<{ id: number }>('POST', '/projects', {
      ...{ token: writing.ada.token, json: { name: 'Going' } },
    });
    const removed = meanwhile(() =>
      writing.service.call('DELETE', `/projects/${project.body.id}`, { token: writing.ada.token }),
    );
    const sent = await sendPackage(writing.service, byToken(writing.ada), project.body.id, 'x');
    expect(sent.status).toBe(404);
    expect(await goneOf(removed)).toBe(true);
  });

  it('go with their project, and what their rows named is swept', async () => {
    const made = await writing.service.call<{ id: number }>('POST', '/projects', {
      ...{ token: writing.ada.token, json: { name: 'Gone' } },
    });
    await sendPackage(writing.service, byToken(writing.ada), made.body.id, 'x');
    const { database } = writing.service.service;
    const rows = () => database.reader.query('package_files').where({ project_id: made.body.id as never });
    const [row] = await rows();
    await writing.service.call('DELETE', `/projects/${made.body.id}`, { token: writing.ada.token });
    await until(async () => {
      await writing.service.service.container.get(TOKENS.jobRunner).runDue();
      return (await rows()).length === 0;
    });
    const path = pathOf(row!.file_key);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(path, longAgo, longAgo);
    const { artifacts } = writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
    for (let part = 0; part < PARTS; part += 16) await artifacts.cleanUp();
    expect(existsSync(path)).toBe(false);
  });

  describe('of a project', () => {
    /** What each may do: list, download, send, remove a file. */
    const may = async (loom: WrittenProject, headers: Readonly<Record<string, string>>) => {
      const { service } = writing;
      const sent = await send(loom, 'x', WHOLE);
      const call = async (method: string, path: string) =>
        (await service.call(method, `/projects/${loom.id}${path}`, { headers: { ...headers } })).status;
      const address = `/packages/${String(sent.body['package_id'])}`;
      return [
        await call('GET', '/packages'),
        await call('GET', address),
        await call('GET', `${address}/package_files`),
        (await fetchPackage(service, headers, loom.id)).status,
        (await sendPackage(service, headers, loom.id, 'y', { file: 'y' })).status,
        await call('DELETE', `${address}/package_files/${String(sent.body['id'])}`),
      ].join(' ');
    };

    it('that is private are read by Reporters, sent by Developers and removed by Maintainers', async () => {
      const loom = await writing.newProject({ visibility: 'private' });
      const who = async (name: string, level?: number) => {
        const user = await writing.service.addUser(`${name}-${loom.id}`);
        if (level !== undefined) await loom.addMember(user, level);
        return byToken(user);
      };
      expect(await may(loom, {})).toBe('404 404 404 404 401 401');
      expect(await may(loom, await who('stranger'))).toBe('404 404 404 404 404 404');
      expect(await may(loom, await who('guest', 10))).toBe('403 403 403 403 403 403');
      expect(await may(loom, await who('reporter', 20))).toBe('200 200 200 200 403 403');
      expect(await may(loom, await who('developer', 30))).toBe('200 200 200 200 201 403');
      expect(await may(loom, await who('maintainer', 40))).toBe('200 200 200 200 201 204');
    });

    it('that is public are read by everybody, unless its code is kept to members', async () => {
      const loom = await writing.newProject({ visibility: 'public' });
      const stranger = byToken(await writing.service.addUser(`passer-${loom.id}`));
      expect(await may(loom, {})).toBe('200 200 200 200 401 401');
      expect(await may(loom, stranger)).toBe('200 200 200 200 403 403');
      await loom.call('PUT', '', { repository_access_level: 'private' });
      expect(await may(loom, {})).toMatch(/^(40[134] ){5}40[134]$/);
      expect(await may(loom, stranger)).toBe('403 403 403 403 403 403');
    });

    it('that is archived are read, and neither sent nor removed', async () => {
      const loom = await writing.newProject();
      const sent = await send(loom, 'x', WHOLE);
      await loom.call('POST', '/archive');
      expect((await read(loom)).status).toBe(200);
      expect((await send(loom, 'y')).status).toBe(403);
      expect((await loom.call('DELETE', `/packages/${String(sent.body['package_id'])}`)).status).toBe(403);
      await loom.call('POST', '/unarchive');
    });

    it('are not for tokens that may only read, but to be read', async () => {
      const loom = await writing.newProject();
      await send(loom, 'x');
      const headers = { 'PRIVATE-TOKEN': await writing.service.addToken(loom.owner.id, ['read_api']) };
      expect((await sendPackage(writing.service, headers, loom.id, 'x')).status).toBe(403);
      expect((await fetchPackage(writing.service, headers, loom.id)).status).toBe(200);
      const none = { 'PRIVATE-TOKEN': await writing.service.addToken(loom.owner.id, ['read_user']) };
      expect((await fetchPackage(writing.service, none, loom.id)).status).toBe(403);
    });

    it('are sent and read by its jobs while they run, and not by those of others', async () => {
      const jobOf = async (loom: WrittenProject) => {
        const runner = await runnerOf(writing, loom);
        await loom.write('main', { '.gitlab-ci.yml': 'build: { script: make }' });
        await pushesFollowed(writing.service);
        const job = await runner.takeNamed('build');
        return { job, end: () => runner.end(job, { state: 'success' }), headers: { 'JOB-TOKEN': job.token } };
      };
      const loom = await writing.newProject({ visibility: 'private' });
      const { job, headers, end } = await jobOf(loom);
      const other = await jobOf(await writing.newProject({ visibility: 'private' }));
      expect(await may(loom, headers)).toBe('200 200 200 200 201 401');
      expect(await may(loom, other.headers)).toBe('404 404 404 404 404 401');
      const byParameter = { query: `?job_token=${job.token}` };
      expect((await sendPackage(writing.service, {}, loom.id, 'x', byParameter)).status).toBe(201);
      expect((await fetchPackage(writing.service, { 'JOB-TOKEN': 'nobody' }, loom.id)).status).toBe(401);
      await end();
      expect(await may(loom, headers)).toBe('401 401 401 401 401 401');
    });
  });

  describe('by a deploy token', () => {
    interface MadeToken {
      readonly id: number;
      readonly username: string;
      readonly token: string;
    }
    const make = async (place: string, scopes: readonly string[]) => {
      const made = await writing.service.call<MadeToken>('POST', `${place}/deploy_tokens`, {
        ...{ token: writing.ada.token, json: { name: 'fetcher', scopes } },
      });
      return made.body;
    };
    const basic = ({ username, token }: MadeToken, secret = token) => ({
      Authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
    });
    /** What each may do: list, download, send, remove a file. */
    const may = async (loom: WrittenProject, headers: Readonly<Record<string, string>>) => {
      const { service } = writing;
      const sent = await send(loom, 'x', WHOLE);
      const file = `/packages/${String(sent.body['package_id'])}/package_files/${String(sent.body['id'])}`;
      const call = async (method: string, path: string) =>
        (await service.call(method, `/projects/${loom.id}${path}`, { headers: { ...headers } })).status;
      return [
        await call('GET', '/packages'),
        (await fetchPackage(service, headers, loom.id)).status,
        (await sendPackage(service, headers, loom.id, 'y', { file: 'y' })).status,
        await call('DELETE', file),
      ].join(' ');
    };

    it.each([
      ['read_package_registry', '200 200 403 401'],
      ['write_package_registry', '200 200 201 401'],
      ['read_repository', '404 404 404 401'],
      ['read_registry', '404 404 404 401'],
    ])('are read and sent as its scopes say, in the header and by Basic: %s', async (scope, expected) => {
      const loom = await writing.newProject({ visibility: 'private' });
      const token = await make(`/projects/${loom.id}`, [scope]);
      expect(await may(loom, { 'Deploy-Token': token.token })).toBe(expected);
      expect(await may(loom, basic(token))).toBe(expected);
      expect((await writing.service.call('GET', `/projects/${loom.id}`, { headers: basic(token) })).status).toBe(404);
    });

    it('of another project are as those of nobody', async () => {
      const [loom, other] = [
        await writing.newProject({ visibility: 'private' }),
        await writing.newProject({ visibility: 'public' }),
      ];
      const token = await make(`/projects/${other.id}`, ['write_package_registry']);
      expect(await may(loom, { 'Deploy-Token': token.token })).toBe('404 404 404 401');
      const foreign = await make(`/projects/${loom.id}`, ['write_package_registry']);
      expect(await may(other, { 'Deploy-Token': foreign.token })).toBe('200 200 403 401');
    });

    it('of a group are those of every project below it', async () => {
      const made = await writing.service.call<{ id: number }>('POST', '/groups', {
        ...{ token: writing.ada.token, json: { name: 'Packers', path: 'packers' } },
      });
      const project = await writing.service.call<{ id: number }>('POST', '/projects', {
        ...{ token: writing.ada.token, json: { name: 'within', namespace_id: made.body.id } },
      });
      const { token } = await make(`/groups/${made.body.id}`, ['write_package_registry']);
      const headers = { 'Deploy-Token': token };
      expect((await sendPackage(writing.service, headers, project.body.id, 'x')).status).toBe(201);
      const outside = await writing.newProject({ visibility: 'private' });
      expect((await sendPackage(writing.service, headers, outside.id, 'x')).status).toBe(404);
    });

    it('that is no longer good are refused, and none is sent into an archived project', async () => {
      const loom = await writing.newProject({ visibility: 'private' });
      const place = `/projects/${loom.id}`;
      const token = await make(place, ['write_package_registry']);
      const [byHeader, byBasic] = [{ 'Deploy-Token': token.token }, basic(token)];
      await send(loom, 'x');
      expect((await fetchPackage(writing.service, basic(token, 'wrong'), loom.id)).status).toBe(404);
      await loom.call('POST', '/archive');
      expect((await fetchPackage(writing.service, byHeader, loom.id)).status).toBe(200);
      expect((await sendPackage(writing.service, byHeader, loom.id, 'x')).status).toBe(403);
      await loom.call('POST', '/unarchive');
      await writing.service.call('DELETE', `${place}/deploy_tokens/${token.id}`, { token: writing.ada.token });
      expect((await fetchPackage(writing.service, byHeader, loom.id)).status).toBe(401);
      expect((await sendPackage(writing.service, byHeader, loom.id, 'x')).status).toBe(401);
      expect((await fetchPackage(writing.service, byBasic, loom.id)).status).toBe(404);
      expect((await sendPackage(writing.service, byBasic, loom.id, 'x')).status).toBe(401);
    });

    it('that is revoked while a file comes leave nothing of it', async () => {
      const loom = await writing.newProject({ visibility: 'private' });
      const place = `/projects/${loom.id}`;
      const { id, token } = await make(place, ['write_package_registry']);
      const { packages } = writing.service.service.container.get(PACKAGE_TOKENS.packages);
      const receive = packages.receive.bind(packages);
      const before = filesThere();
      const spy = jest.spyOn(packages, 'receive').mockImplementationOnce(async (bytes, room) => {
        const file = await receive(bytes, room);
        await writing.service.call('DELETE', `${place}/deploy_tokens/${id}`, { token: writing.ada.token });
        return file;
      });
      expect((await sendPackage(writing.service, { 'Deploy-Token': token }, loom.id, 'x')).status).toBe(401);
      spy.mockRestore();
      expect(filesThere()).toBe(before);
    });

    it('of whoever is signed in, too, count for nothing: their own rights do', async () => {
      const loom = await writing.newProject({ visibility: 'private' });
      const { token } = await make(`/projects/${loom.id}`, ['write_package_registry']);
      const stranger = await writing.service.addUser(`beside-${loom.id}`);
      const headers = { ...byToken(stranger), 'Deploy-Token': token };
      expect((await sendPackage(writing.service, headers, loom.id, 'x')).status).toBe(404);
    });
  });

  describe('of a group', () => {
    it('are listed with their projects, as far as whoever asks may read them', async () => {
      const group = await writing.service.call<{ id: number }>('POST', '/groups', {
        ...{ token: writing.ada.token, json: { name: 'Mill', path: 'mill', visibility: 'public' } },
      });
      for (const visibility of ['public', 'private'])
        await sendPackage(
          writing.service,
          byToken(writing.ada),
          (await writing.newProject({ visibility, namespace_id: group.body.id })).id,
          'x',
          { name: visibility },
        );
      const names = async (token?: string) => {
        const answer = await writing.service.call<ShownPackage[]>(
          'GET',
          `/groups/${group.body.id}/packages?order_by=name`,
          token === undefined ? {} : { token },
        );
        return answer.body.map(({ name, project_path: path }) => [name, typeof path]);
      };
      expect(await names(writing.ada.token)).toEqual([
        ['private', 'string'],
        ['public', 'string'],
      ]);
      expect(await names(writing.grace.token)).toEqual([['public', 'string']]);
      expect(await names()).toEqual([['public', 'string']]);
    });
  });
});

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** What is answered to a request that no ordinary client sends. */
const rawly = (url: string, first: string, rest: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write([first, 'Host: x', 'Connection: close', ...rest].join('\r\n'));
  });
