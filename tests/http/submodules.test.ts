import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { git, temporaryFolder } from '../support/git.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type ShownCommit, type WrittenProject } from '../support/written-project.js';

const OLD = 'a1'.repeat(20);
const NEW = 'b2'.repeat(20);
const PATH = 'lib/sub module';
const ZEROS = '0'.repeat(40);

describeWriting('submodules by the API', (writing) => {
  /** A project whose branch `main` has a submodule, which stock git has pushed. */
  const prepared = async () => {
    const project = await writing.newProject();
    await project.write('main', { 'README.md': 'x', 'lib/b': 'b' });
    const folder = join(temporaryFolder(), 'clone');
    await git(['clone', '--quiet', project.remote(), folder]);
    await git(['update-index', '--add', '--cacheinfo', `160000,${OLD},${PATH}`], { cwd: folder });
    await git(['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Link'], { cwd: folder });
    await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd: folder });
    return project;
  };

  const put = (project: WrittenProject, json: object, path = PATH, who?: TestUser) =>
    project.call<ShownCommit & { message: string }>(
      'PUT',
      `/repository/submodules/${encodeURIComponent(path)}`,
      { branch: 'main', ...json },
      who,
    );

  const linksOf = async (project: WrittenProject, ref = 'main') => {
    const query = `ref=${ref}&path=lib`;
    const { body } = await project.call<{ type: string; path: string; id: string; mode: string }[]>(
      'GET',
      `/repository/tree?${query}`,
    );
    return body.filter(({ type }) => type === 'commit').map(({ path, id }) => [path, id]);
  };

  it('lead to another commit by one commit of the caller', async () => {
    const project = await prepared();
    const before = await project.head('main');
    const { status, body } = await put(project, { commit_sha: NEW });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        parent_ids: [before],
        message: `Update submodule ${PATH} with oid ${NEW}`,
        author_name: 'ada Example',
        project_id: project.id,
      }),
    ]);
    expect(body).not.toHaveProperty('stats');
    expect(await project.head('main')).toBe(body.id);
    expect(await linksOf(project)).toEqual([[PATH, NEW]]);
    const own = await put(project, { commit_sha: OLD.toUpperCase(), commit_message: 'Back' });
    expect([own.status, own.body.message]).toEqual([200, 'Back']);
    expect(await linksOf(project)).toEqual([[PATH, OLD]]);
  });

  it.each([
    ['README.md', { commit_sha: NEW }, { message: "The submodule README.md doesn't exist" }],
    ['lib', { commit_sha: NEW }, { message: "The submodule lib doesn't exist" }],
    ['none/at/all', { commit_sha: NEW }, { message: "The submodule none/at/all doesn't exist" }],
    [`${PATH}/below`, { commit_sha: NEW }, { message: `The submodule ${PATH}/below doesn't exist` }],
    ['../lib', { commit_sha: NEW }, { message: 'Path cannot include directory traversal' }],
    [PATH, { commit_sha: OLD }, { message: `The submodule ${PATH} is already at ${OLD}` }],
    [PATH, { commit_sha: 'main' }, { error: 'commit_sha is invalid' }],
    [PATH, { commit_sha: NEW.slice(1) }, { error: 'commit_sha is invalid' }],
    [PATH, { commit_sha: ZEROS }, { error: 'commit_sha is invalid' }],
    [PATH, {}, { error: 'commit_sha is missing' }],
    [PATH, { branch: undefined }, { error: 'branch is missing, commit_sha is missing' }],
    [PATH, { commit_sha: NEW, commit_message: ' ' }, { message: 'You must provide a commit message' }],
    [
      PATH,
      { commit_sha: NEW, branch: 'nowhere' },
      { message: 'You can only create or edit files when you are on a branch' },
    ],
  ])('stay as they are where %s is sent with %j', async (path, json, refusal) => {
    const project = await prepared();
    const before = await project.head('main');
    const { status, body } = await put(project, json, path);
    expect([status, body]).toEqual([400, refusal]);
    expect(await project.head('main')).toBe(before);
  });

  it('are not there in an empty repository', async () => {
    const { status, body } = await put(await writing.newProject(), { commit_sha: NEW });
    expect([status, body]).toEqual([400, { message: `The submodule ${PATH} doesn't exist` }]);
  });

  it('are changed by who may push to the branch', async () => {
    const project = await prepared();
    const move = async (branch = 'main') => {
      const { status, body } = await put(project, { branch, commit_sha: NEW }, PATH, writing.grace);
      return [status, body.message];
    };
    expect(await move()).toEqual([404, '404 Project Not Found']);
    await project.addMember(writing.grace, 20);
    expect(await move()).toEqual([403, '403 Forbidden']);
    await project.call('PUT', `/members/${writing.grace.id}`, { access_level: 30 });
    expect(await move()).toEqual([403, '403 Forbidden - You are not allowed to push into this branch']);
    expect(await linksOf(project)).toEqual([[PATH, OLD]]);
    await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    expect((await move('topic'))[0]).toBe(200);
    expect(await linksOf(project, 'topic')).toEqual([[PATH, NEW]]);
    const { url } = writing.service;
    const unknown = await fetch(`${url}/api/v4/projects/${project.id}/repository/submodules/x`, { method: 'PUT' });
    expect(unknown.status).toBe(401);
  });

  it('are removed as files are, and neither read nor written as such', async () => {
    const project = await prepared();
    const missing = [400, { message: "A file with this name doesn't exist" }];
    for (const action of [
      { action: 'update', file_path: PATH, content: 'x' },
      { action: 'chmod', file_path: PATH, execute_filemode: true },
      { action: 'move', previous_path: PATH, file_path: 'elsewhere' },
    ]) {
      const { status, body } = await project.commit('main', 'Try', [action]);
      expect([status, body]).toEqual(missing);
    }
    const folder = await project.commit('main', 'Try', [{ action: 'delete', file_path: 'lib' }]);
    expect([folder.status, folder.body]).toEqual(missing);
    expect((await project.commit('main', 'Remove', [{ action: 'delete', file_path: PATH }])).status).toBe(201);
    expect(await linksOf(project)).toEqual([]);
    const { body } = await project.call<{ path: string }[]>('GET', '/repository/tree?ref=main&recursive=true');
    expect(body.map(({ path }) => path).sort()).toEqual(['README.md', 'lib', 'lib/b']);
  });

  it('give way to a file in one commit', async () => {
    const project = await prepared();
    const { status } = await project.commit('main', 'Take it in', [
      { action: 'delete', file_path: PATH },
      { action: 'create', file_path: `${PATH}/a`, content: 'a' },
    ]);
    expect(status).toBe(201);
    const text = await project.call('GET', `/repository/files/${encodeURIComponent(`${PATH}/a`)}/raw?ref=main`);
    expect([text.status, text.body]).toEqual([200, 'a']);
  });
});
