import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { temporaryFolder } from '../support/git.js';
import { byToken, packagePath, sendPackage, type SentPackage } from '../support/sent-packages.js';
import { TestService, type TestUser } from '../support/test-service.js';

const OF_FILE = 900;
const OF_PROJECT = 1_000;
const NO_ROOM = { message: '413 There is no room: files of packages of a project have at most 1000 bytes together.' };
const FILE_TOO_LARGE = { message: '413 There is no room: a file of a package has at most 900 bytes.' };
/** Much more than is ever written of it. */
const HUGE = 1_000_000_000_000;

describeEachDatabase('room for files of packages', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  const folder = temporaryFolder();

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      ...{ artifactsDirectory: folder, packageFileLimitBytes: OF_FILE, packagesProjectLimitBytes: OF_PROJECT },
    });
    ada = await service.addUser('ada');
  });
  afterAll(() => service.close());

  const newProject = async (name: string): Promise<number> =>
    (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json: { name } })).body.id;
  const send = (projectId: number, size: number, of: SentPackage = {}) =>
    sendPackage(service, byToken(ada), projectId, Buffer.alloc(size), { query: '?select=package_file', ...of });
  const filesThere = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;

  it('is what one file and the project may have: what does not fit is refused with 413, and leaves nothing', async () => {
    const id = await newProject('One');
    expect(await send(id, OF_FILE + 1)).toEqual({ status: 413, body: FILE_TOO_LARGE });
    const first = await send(id, 700);
    expect(first.status).toBe(201);
    const before = filesThere();
    expect(await send(id, 301)).toEqual({ status: 413, body: NO_ROOM });
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(301)]), 'a');
    const sent = await fetch(`${service.url}/api/v4${packagePath(id)}`, {
      method: 'PUT',
      headers: byToken(ada),
      body: form,
    });
    expect([sent.status, await sent.json()]).toEqual([413, NO_ROOM]);
    expect(filesThere()).toBe(before);
    expect((await send(id, 300, { name: 'other' })).status).toBe(201);
    expect(await send(id, 0)).toEqual({ status: 413, body: NO_ROOM });
    const shown = await service.call('GET', `/projects/${id}?statistics=true`, { token: ada.token });
    expect(shown.body).toMatchObject({ packages_enabled: true, statistics: { packages_size: OF_PROJECT } });
    // Another project has its own, and what is removed makes room.
    expect((await send(await newProject('Two'), OF_FILE)).status).toBe(201);
    await service.call('DELETE', `/projects/${id}/packages/${String(first.body['package_id'])}`, { token: ada.token });
    expect((await send(id, 700)).status).toBe(201);
  });

  it('is for one of two that come at once where it is enough for one', async () => {
    const id = await newProject('Both');
    const before = filesThere();
    const both = await Promise.all([send(id, 600), send(id, 600)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 413]);
    expect(filesThere()).toBe(before + 1);
  });

  it('is all that is written of a file, however much more of it comes or is said to come', async () => {
    const id = await newProject('Huge');
    const before = filesThere();
    for (const length of [HUGE, undefined]) {
      const answer = await endless(service.url, packagePath(id), ada, length);
      expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*a file of a package has at most 900 bytes/);
    }
    expect(filesThere()).toBe(before);
  });

  it('is not told to whoever may not send files', async () => {
    const id = await newProject('Hidden');
    const stranger = await service.addUser('stranger');
    const sent = await sendPackage(service, byToken(stranger), id, Buffer.alloc(OF_FILE + 1));
    expect(sent.status).toBe(404);
    expect((await sendPackage(service, {}, id, Buffer.alloc(OF_FILE + 1))).status).toBe(401);
  });
});

/** The answer to a file that goes on for as long as it is taken. @param length that is said; undefined says none. */
const endless = (url: string, path: string, { token }: TestUser, length: number | undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    socket.write(`PUT /api/v4${path} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${token}\r\n${size}\r\n\r\n`);
    const zeros = Buffer.alloc(65_536);
    const piece = length === undefined ? Buffer.concat([Buffer.from('10000\r\n'), zeros, Buffer.from('\r\n')]) : zeros;
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (!text.includes('\r\n\r\n{')) return;
      socket.destroy();
      resolve(text);
    });
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    more();
  });
