import { mkdirSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { storeOf, WorkTree } from '../support/git-service.js';
import { git, temporaryFolder } from '../support/git.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface Statistics {
  readonly fetches: { readonly total: number; readonly days: readonly { count: number; date: string }[] };
}

describeWriting('a repository as a whole', (writing) => {
  let root: TestUser;

  beforeAll(async () => {
    root = await writing.service.addUser('root', { admin: true });
  });

  const useCases = () => writing.service.service.container.get(REPOSITORY_TOKENS.repositories);

  describe('housekeeping that is asked for', () => {
    const ask = (project: WrittenProject, json?: object) => project.call('POST', '/housekeeping', json);
    const keepHouse = () => useCases().housekeeping.execute(new AbortController().signal);
    const packsOf = async (project: WrittenProject): Promise<number> => {
      const folder = join(await storeOf(writing.service, project.id), 'objects/pack');
      return readdirSync(folder).filter((name) => name.endsWith('.pack')).length;
    };

    it('packs the repository anew before that is due', async () => {
      const project = await writing.newProject();
      await project.write('main', { a: 'a' });
      await project.write('main', { b: 'b' });
      await keepHouse();
      expect(await packsOf(project)).toBe(2);
      const { status, body } = await ask(project);
      expect([status, body]).toEqual([201, null]);
      await keepHouse();
      // What it has replaced stays for those who read it.
      writing.service.clock.advance(3 * HOUR_MS);
      await keepHouse();
      expect(await packsOf(project)).toBe(1);
    });

    it('is a 409 when somebody asked for it within the hour, and one of many at once is heard', async () => {
      const project = await writing.newProject();
      await project.write('main', { a: 'a' });
      const answers = await Promise.all(['eager', 'prune', 'eager', 'prune'].map((task) => ask(project, { task })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body).toEqual({
        message: 'Somebody already triggered housekeeping for this resource in the past 1 hour.',
      });
      await keepHouse();
      expect((await ask(project)).status).toBe(409);
      writing.service.clock.advance(HOUR_MS);
      expect((await ask(project)).status).toBe(201);
    });

    it('has nothing to do in a project without code', async () => {
      const project = await writing.newProject();
      expect([(await ask(project)).status, (await ask(project)).status]).toEqual([201, 201]);
    });

    it('knows two tasks', async () => {
      const project = await writing.newProject();
      expect((await ask(project, { task: 'gc' })).status).toBe(400);
    });
  });

  describe('a snapshot', () => {
    const extract = async ({ id }: { readonly id: number }): Promise<string> => {
      const response = await fetch(`${writing.service.url}/api/v4/projects/${id}/snapshot`, {
        headers: { 'PRIVATE-TOKEN': root.token },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
      const folder = join(temporaryFolder(), 'snapshot.git');
      mkdirSync(folder);
      await writeFile(`${folder}.tar`, Buffer.from(await response.arrayBuffer()));
      await promisify(execFile)('tar', ['-xf', `${folder}.tar`, '-C', folder]);
      return folder;
    };
    const refsIn = (folder: string) => git(['--git-dir', folder, 'for-each-ref', '--format=%(objectname) %(refname)']);

    it('is a bare repository that stands alone, with the branches and tags that are there', async () => {
      const project = await writing.newProject();
      await project.write('main', { a: 'a' });
      await project.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main', message: 'One' });
      await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      const folder = await extract(project);
      expect(await git(['--git-dir', folder, 'fsck', '--full', '--strict'])).toBe('');
      expect(await refsIn(folder)).toBe((await git(['ls-remote', '--refs', project.remote()])).replaceAll('\t', ' '));
      expect(await git(['--git-dir', folder, 'symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n');
      expect(await git(['--git-dir', folder, 'show', 'main:a'])).toBe('a');
    });

    it('of a fork has what it shares', async () => {
      const project = await writing.newProject();
      await project.write('main', { a: 'a' });
      const made = await project.call<{ id: number }>('POST', '/fork', { path: 'forked', name: 'Forked' });
      await until(async () => {
        await useCases().copyCode.runDue();
        const { body } = await writing.service.call<{ import_status: string }>('GET', `/projects/${made.body.id}`, {
          token: writing.ada.token,
        });
        return body.import_status === 'finished';
      });
      const folder = await extract(made.body);
      expect(await git(['--git-dir', folder, 'fsck', '--full', '--strict'])).toBe('');
      expect(await git(['--git-dir', folder, 'show', 'main:a'])).toBe('a');
    });

    it('of a project without code is an empty repository; wikis have none', async () => {
      const project = await writing.newProject();
      const folder = await extract(project);
      expect(await refsIn(folder)).toBe('');
      expect((await project.call('GET', '/snapshot?wiki=true', undefined, root)).status).toBe(404);
    });
  });

  it('says where it lies, once something was pushed', async () => {
    const project = await writing.newProject();
    const storage = () => project.call<Record<string, unknown>>('GET', '/storage', undefined, root);
    expect((await storage()).body).toMatchObject({
      project_id: project.id,
      disk_path: null,
      repository_storage: 'default',
    });
    await project.write('main', { a: 'a' });
    expect((await storage()).body['disk_path']).toMatch(/^@hashed\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}\.git$/);
  });

  describe('how often somebody fetched', () => {
    const told = async (project: WrittenProject): Promise<Statistics['fetches']> => {
      await useCases().fetchCounts.flush();
      return (await project.call<Statistics>('GET', '/statistics')).body.fetches;
    };
    const today = () => writing.service.clock.now().toISOString().slice(0, 10);

    it('is told by days: clones and fetches that bring something, and no look at what there is', async () => {
      const project = await writing.newProject();
      expect(await told(project)).toEqual({ total: 0, days: [] });
      await project.write('main', { a: 'a' });
      const tree = await WorkTree.init();
      for (const version of [0, 1, 2])
        await git(['-c', `protocol.version=${version}`, 'clone', '--quiet', project.remote(), temporaryFolder()]);
      await tree.git('pull', '--quiet', project.remote(), 'main');
      await tree.git('ls-remote', project.remote());
      await tree.git('pull', '--quiet', project.remote(), 'main');
      expect(await told(project)).toEqual({ total: 4, days: [{ count: 4, date: today() }] });
      await project.write('main', { b: 'b' });
      writing.service.clock.advance(DAY_MS);
      const yesterday = (await told(project)).days[0]!;
      await tree.git('pull', '--quiet', project.remote(), 'main');
      expect(await told(project)).toEqual({ total: 5, days: [{ count: 1, date: today() }, yesterday] });
    });

    it('adds up what nodes counted at once, and forgets what is older than thirty days', async () => {
      const project = await writing.newProject();
      const { fetchCounts } = useCases();
      for (let round = 0; round < 5; round += 1) {
        for (let count = 0; count < 3; count += 1) fetchCounts.note(project.id);
        await fetchCounts.flush();
      }
      expect((await told(project)).total).toBe(15);
      writing.service.clock.advance(30 * DAY_MS);
      expect((await told(project)).total).toBe(0);
      await fetchCounts.expire();
      const { database } = writing.service.service;
      expect(await database.reader.query('fetch_days').where({ project_id: project.id })).toEqual([]);
    });

    it('of a project that is gone is not kept', async () => {
      const { fetchCounts } = useCases();
      fetchCounts.note(999_999_999 as ProjectId);
      await expect(fetchCounts.flush()).resolves.toBeUndefined();
    });
  });

  it('is copied and located by administrators alone: others are told the same whether it is there or not', async () => {
    const project = await writing.newProject();
    for (const what of ['snapshot', 'storage'])
      for (const id of [project.id, 999_999_999]) {
        const ask = (token?: string) =>
          writing.service.call('GET', `/projects/${id}/${what}`, token === undefined ? {} : { token });
        for (const { token } of [writing.ada, writing.grace])
          expect(await ask(token)).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
        expect(await ask()).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
      }
  });
});
