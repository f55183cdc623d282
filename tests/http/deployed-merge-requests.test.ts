import { beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const DAY_MS = 86_400_000;

describeWriting('lists of merge requests that were deployed', (writing) => {
  let loom: WrittenProject;
  let group: number;
  let heads: { readonly one: string; readonly two: string; readonly start: string };
  let began: Date;

  /** Notes what was deployed so far. */
  const followUp = () =>
    until(async () => {
      const { container, database } = writing.service.service;
      await container.get(REPOSITORY_TOKENS.codeWorks).runDue();
      return (await database.reader.query('code_works').first('id')) === undefined;
    });
  const merged = async (branch: string): Promise<string> => {
    await loom.write(branch, { [`${branch}.c`]: 'int a;\n' }, { start_branch: 'main' });
    const fields = { source_branch: branch, target_branch: 'main', title: branch };
    const { iid } = (await loom.call<{ iid: number }>('POST', '/merge_requests', fields)).body;
    const answer = await loom.call<{ merge_commit_sha: string }>('PUT', `/merge_requests/${iid}/merge`, {});
    expect(answer.status).toBe(200);
    return answer.body.merge_commit_sha;
  };
  const deploy = async (sha: string, environment: string, status = 'success') => {
    const json = { environment, sha, ref: 'main', tag: false, status };
    const { status: answered, body } = await loom.call<{ id: number }>('POST', '/deployments', json);
    expect(answered).toBe(201);
    await followUp();
    return body.id;
  };
  const titles = async (path: string, who: TestUser | null = writing.ada) => {
    const { status, body } = await writing.service.call<{ title: string }[]>(
      ...(['GET', path, who === null ? {} : { token: who.token }] as const),
    );
    expect([path, status]).toEqual([path, 200]);
    return body.map(({ title }) => title).sort();
  };
  const ofProject = (query: string, who?: TestUser | null) =>
    titles(`/projects/${loom.id}/merge_requests?${query}`, who);
  const day = (from: number) => new Date(began.getTime() + from * DAY_MS).toISOString();

  beforeAll(async () => {
    const json = { name: 'Looms', path: 'looms', visibility: 'public' };
    group = (await writing.service.call<{ id: number }>('POST', '/groups', { token: writing.ada.token, json })).body.id;
    loom = await writing.newProject({ visibility: 'public', namespace_id: group });
    const start = (await loom.write('main', { 'README.md': 'A loom' })).id;
    heads = { start, one: await merged('one'), two: await merged('two') };
    await loom.write('three', { 'three.c': 'int a;\n' }, { start_branch: 'main' });
    await loom.call('POST', '/merge_requests', { source_branch: 'three', target_branch: 'main', title: 'three' });
    began = writing.service.clock.now();
    await deploy(heads.start, 'production');
    await deploy(heads.two, 'staging');
    writing.service.clock.advance(2 * DAY_MS);
    await deploy(heads.one, 'production');
    await deploy(heads.two, 'production', 'failed');
  });

  it('are narrowed by environment and by when it was brought there, in a project, a group and everywhere', async () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      '': ['one', 'three', 'two'],
      'environment=production': ['one'],
      'environment=staging': ['one', 'two'],
      'environment=Staging': [],
      'environment=elsewhere': [],
      [`deployed_after=${day(1)}`]: ['one'],
      [`deployed_before=${day(1)}`]: ['one', 'two'],
      [`deployed_before=${day(1)}&environment=production`]: [],
      [`deployed_after=${day(1)}&environment=production&state=merged`]: ['one'],
      [`deployed_after=${day(3)}`]: [],
      [`deployed_before=${day(3).slice(0, 10)}&not[source_branch]=one`]: ['two'],
    };
    for (const [query, found] of Object.entries(expected)) {
      const lists = [
        await ofProject(query),
        await titles(`/groups/${group}/merge_requests?${query}`),
        await titles(`/merge_requests?scope=all&${query}`),
      ];
      expect([query, ...lists]).toEqual([query, found, found, found]);
    }
  });

  it('refuse what is no time', async () => {
    for (const query of ['deployed_after=yesterday', 'deployed_before=2026-13-01']) {
      const { status, body } = await loom.call('GET', `/merge_requests?${query}`);
      const [name] = query.split('=');
      expect([status, body]).toEqual([400, { error: `${name} is invalid` }]);
    }
  });

  it('follow a deployment that is put right, and one that is removed', async () => {
    const id = await deploy(heads.two, 'canary', 'running');
    expect(await ofProject('environment=canary')).toEqual([]);
    for (const [status, found] of [
      ['success', ['one', 'two']],
      ['failed', []],
      ['success', ['one', 'two']],
    ] as const) {
      expect((await loom.call('PUT', `/deployments/${id}`, { status })).status).toBe(200);
      await followUp();
      expect([status, await ofProject('environment=canary')]).toEqual([status, found]);
    }
    await deploy(heads.two, 'canary');
    expect((await loom.call('DELETE', `/deployments/${id}`)).status).toBe(204);
    expect(await ofProject('environment=canary')).toEqual([]);
  });

  describe('tell nothing of deployments', () => {
    it('to who may not know of them, though they see the merge requests', async () => {
      const reporter = await writing.service.addUser('reporter');
      const stranger = await writing.service.addUser('stranger');
      await loom.addMember(reporter, 20);
      expect((await loom.call('PUT', '', { builds_access_level: 'private' })).status).toBe(200);
      const query = 'environment=staging';
      const seen = [];
      for (const who of [writing.ada, reporter, stranger, null])
        seen.push(await ofProject(query, who), await titles(`/merge_requests?scope=all&${query}`, who));
      const all = ['one', 'two'];
      expect(seen).toEqual([all, all, all, all, [], [], [], []]);
      expect(await ofProject('state=merged', stranger)).toEqual(all);
      expect((await loom.call('PUT', '', { builds_access_level: 'enabled' })).status).toBe(200);
    });
  });
});
