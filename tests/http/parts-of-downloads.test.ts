import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { runnerOf } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { byToken, packagePath, sendPackage } from '../support/sent-packages.js';
import { describeWriting } from '../support/written-project.js';
import { zipOf } from '../support/zips.js';

type Headers = Readonly<Record<string, string>>;

interface Download {
  readonly address: string;
  readonly content: Buffer;
  readonly etag: string;
}

const etagOf = (content: Uint8Array): string => `"${createHash('sha256').update(content).digest('hex')}"`;

describeWriting('a download', (writing) => {
  const api = (path: string) => `${writing.service.url}/api/v4${path}`;
  const headers = () => byToken(writing.ada);

  /** Of public projects, so that pages are read without signing in. */
  const aPackage = async () => {
    const loom = await writing.newProject({ visibility: 'public' });
    const content = randomBytes(300_000);
    await sendPackage(writing.service, headers(), loom.id, content);
    const { body } = await loom.call<{ id: number }[]>('GET', '/packages');
    const files = await loom.call<{ id: number }[]>('GET', `/packages/${body[0]!.id}/package_files`);
    const page = `${writing.service.url}/${loom.project.path}/-/package_files/${files.body[0]!.id}/download`;
    return { content, etag: etagOf(content), address: api(packagePath(loom.id)), page };
  };
  const anArchive = async () => {
    const loom = await writing.newProject({ visibility: 'public' });
    const runner = await runnerOf(writing, loom);
    await loom.write('main', { '.gitlab-ci.yml': 'build: { script: make, artifacts: { paths: [out/] } }' });
    await pushesFollowed(writing.service);
    const job = await runner.takeNamed('build');
    const content = await zipOf({ 'out/a': randomBytes(1_000).toString('hex') });
    await runner.leave(job, content);
    await runner.end(job, { state: 'success' });
    const page = `${writing.service.url}/${loom.project.path}/-/jobs/${job.id}/artifacts/download`;
    return { content, etag: etagOf(content), address: api(`/projects/${loom.id}/jobs/${job.id}/artifacts`), page };
  };
  const anUpload = async () => {
    const loom = await writing.newProject({ visibility: 'public' });
    const [content, body] = [randomBytes(120_000), new FormData()];
    body.set('file', new Blob([content]), 'film.mp4');
    const sent = await fetch(api(`/projects/${loom.id}/uploads`), { method: 'POST', headers: headers(), body });
    const { full_path: path, id } = (await sent.json()) as { readonly full_path: string; readonly id: number };
    const etag = `"${/uploads\/([0-9a-f]{32})/.exec(path)?.[1]}"`;
    const page = `${writing.service.url}${path}`;
    return { content, etag, address: api(`/projects/${loom.id}/uploads/${id}`), page };
  };

  const fetched = async (address: string, asked: Headers, method = 'GET') => {
    const answer = await fetch(address, { method, headers: { ...headers(), ...asked } });
    return { status: answer.status, head: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const lines = (head: globalThis.Headers, ...names: readonly string[]) => names.map((name) => head.get(name));

  const parts = async ({ address, content, etag }: Download) => {
    const whole = await fetched(address, {});
    expect([whole.status, whole.bytes.equals(content)]).toEqual([200, true]);
    const size = content.length;
    expect(lines(whole.head, 'accept-ranges', 'etag', 'content-range')).toEqual(['bytes', etag, null]);
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      [`bytes=${size - 5}-`, size - 5, size - 1],
      ['bytes=-7', size - 7, size - 1],
    ] as const) {
      const part = await fetched(address, { Range: range, 'If-Range': etag });
      expect([part.status, part.bytes.equals(content.subarray(first, last + 1))]).toEqual([206, true]);
      const told = lines(part.head, 'content-range', 'content-length', 'accept-ranges', 'etag');
      expect(told).toEqual([`bytes ${first}-${last}/${size}`, String(last - first + 1), 'bytes', etag]);
      expect(lines(part.head, 'content-type', 'content-disposition', 'content-security-policy')).toEqual(
        lines(whole.head, 'content-type', 'content-disposition', 'content-security-policy'),
      );
    }
    // What is asked for without a body has no parts (RFC 9110 §14.2).
    for (const range of ['bytes=0-0', `bytes=${size}-`]) {
      const head = await fetched(address, { Range: range }, 'HEAD');
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      const told = lines(head.head, 'content-range', 'content-length', 'accept-ranges', 'etag');
      expect(told).toEqual([null, String(size), 'bytes', etag]);
    }
    for (const asked of [
      { Range: 'bytes=0-1,5-6' },
      { Range: 'bytes=9-1' },
      { Range: 'lines=0-1' },
      { Range: 'bytes=0-1', 'If-Range': '"another"' },
      { Range: 'bytes=0-1', 'If-Range': `W/${etag}` },
      { Range: 'bytes=0-1', 'If-Range': new Date().toUTCString() },
    ])
      expect(lines((await fetched(address, asked)).head, 'content-range', 'content-length')).toEqual([
        null,
        String(size),
      ]);
    const beyond = await fetched(address, { Range: `bytes=${size}-` });
    expect([beyond.status, ...lines(beyond.head, 'content-range')]).toEqual([416, `bytes */${size}`]);
  };

  describe.each([
    ['a file of a package', aPackage],
    ['the archive of a job', anArchive],
    ['an attached file', anUpload],
  ] as const)('of %s', (_what, made) => {
    it('goes on where it broke off, by the API and by its page', async () => {
      const { page, ...download } = await made();
      await parts(download);
      await parts({ ...download, address: page });
    });
  });

  it('tells who may not read it nothing of how large it is', async () => {
    const loom = await writing.newProject({ visibility: 'private' });
    await sendPackage(writing.service, headers(), loom.id, 'secret');
    const stranger = byToken(await writing.service.addUser(`stranger-${loom.id}`));
    const answer = await fetch(api(packagePath(loom.id)), { headers: { ...stranger, Range: 'bytes=9-' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([404, null]);
  });

  it('of an empty file has no part', async () => {
    const loom = await writing.newProject();
    await sendPackage(writing.service, headers(), loom.id, '');
    const answer = await fetched(api(packagePath(loom.id)), { Range: 'bytes=0-' });
    expect([answer.status, answer.head.get('content-range')]).toEqual([416, 'bytes */0']);
  });

  it('that whoever asks has already is not sent, not in part either', async () => {
    const { address, etag } = await aPackage();
    expect((await fetched(address, { 'If-None-Match': etag, Range: 'bytes=0-1' })).status).toBe(304);
  });
});
