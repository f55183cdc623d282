import { readFileSync, existsSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { git, temporaryFolder } from '../support/git.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type ShownCommit, type WrittenProject } from '../support/written-project.js';

const TOO_MANY = Array.from({ length: 1_001 }, () => 0);
const file = (path: string): string => `/repository/files/${encodeURIComponent(path)}`;

describeWriting('code that the API writes', (writing) => {
  const newProject = (fields?: object) => writing.newProject(fields);

  const clone = async (project: WrittenProject, branch = 'main'): Promise<string> => {
    const folder = join(temporaryFolder(), 'clone');
    await git(['clone', '--quiet', '--branch', branch, project.remote(), folder]);
    return folder;
  };
  const pushesOf = async (project: WrittenProject) => {
    const { body } = await project.call<{ action_name: string; push_data: Record<string, unknown> }[]>(
      'GET',
      '/events?action=pushed',
    );
    return body.map(({ action_name, push_data }) => ({ action_name, ...push_data }));
  };

  it('tells which license its code has where that is asked for, to whoever may read it', async () => {
    const project = await newProject({ name: 'Licensed' });
    await project.addMember(writing.grace, 10);
    const told = async (query = '?license=true', who: TestUser | undefined = writing.ada) => {
      const { body } = await project.call<Record<string, unknown>>('GET', query, undefined, who);
      return { license_url: body['license_url'], license: body['license'] };
    };
    const none = { license_url: null, license: null };
    expect(await told()).toEqual(none);
    const { content } = (
      await writing.service.call<{ content: string }>('GET', '/templates/licenses/mit?fullname=Ada', {})
    ).body;
    await project.write('main', { COPYING: content });
    const at = (name: string) => expect.stringMatching(new RegExp(`/-/blob/main/${name}$`));
    const mit = { key: 'mit', name: 'MIT License', nickname: null, source_url: null };
    const url = 'https://spdx.org/licenses/MIT.html';
    expect(await told()).toEqual({ license_url: at('COPYING'), license: { ...mit, html_url: url } });
    expect(await told('?license=true', writing.grace)).toEqual(none);
    expect(await told('')).toEqual({});
    await project.write('main', { LICENSE: 'x'.repeat(100_001) });
    const other = { key: 'other', name: 'Other', nickname: null, html_url: null, source_url: null };
    expect(await told()).toEqual({ license_url: at('LICENSE'), license: other });
  });

  describe('a project that begins with a README', () => {
    const begin = (json: object, user = writing.ada, path = '/projects') =>
      writing.service.call<{ id: number; message: unknown }>('POST', path, {
        token: user.token,
        json: { initialize_with_readme: true, ...json },
      });

    it('has its name and description on its default branch, in one commit of its creator', async () => {
      const project = await newProject({
        name: 'Cog & Wheel',
        description: 'Turns *things*',
        default_branch: 'trunk',
        initialize_with_readme: true,
      });
      const { body } = await project.call('GET', '');
      const path = new URL((body as { readme_url: string }).readme_url).pathname;
      expect([body, path]).toMatchObject([
        { default_branch: 'trunk', empty_repo: false },
        '/ada/cog-wheel/-/blob/trunk/README.md',
      ]);
      expect((await project.call('GET', '', undefined, writing.grace)).status).toBe(404);
      const folder = await clone(project, 'trunk');
      expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('# Cog & Wheel\n\nTurns *things*\n');
      expect(await git(['log', '--format=%an %ae|%cn|%s', '--name-only'], { cwd: folder })).toBe(
        'ada Example ada@example.com|ada Example|Initial commit\n\nREADME.md\n',
      );
      expect(await pushesOf(project)).toMatchObject([{ action_name: 'pushed new', ref: 'trunk', commit_count: 1 }]);
      const { body: rules } = await project.call('GET', '/protected_branches');
      expect(rules).toMatchObject([{ name: 'trunk' }]);
    });

    it('is the only branch of a Developer of its group, and of whom an administrator made it for', async () => {
      const { service, ada, grace } = writing;
      const { body: group } = await service.call<{ id: number }>('POST', '/groups', {
        token: ada.token,
        json: { name: 'Mill', path: 'mill' },
      });
      const json = { user_id: grace.id, access_level: 30 };
      await service.call('POST', `/groups/${group.id}/members`, { token: ada.token, json });
      const root = await service.addUser('root', { admin: true });
      const made = [
        await begin({ path: 'sieve', namespace_id: group.id }, grace),
        await begin({ path: 'flail' }, root, `/projects/user/${grace.id}`),
      ];
      for (const { status, body } of made) {
        expect([status, body]).toEqual([201, expect.objectContaining({ default_branch: 'main', empty_repo: false })]);
        const commits = `/projects/${body.id}/repository/commits`;
        expect((await service.call('GET', commits, { token: ada.token })).status).toBe(
          body.id === made[0]!.body.id ? 200 : 404,
        );
        const { body: log } = await service.call<ShownCommit[]>('GET', commits, { token: grace.token });
        expect(log).toMatchObject([{ author_name: 'grace Example', title: 'Initial commit' }]);
      }
    });

    it.each([
      [{ path: 'half', default_branch: 'a..b' }, { default_branch: ['is not a valid name of a branch'] }],
      [
        { path: 'half', default_branch: 'f'.repeat(40) },
        'You cannot create a branch with a SHA-1 or SHA-256 branch name.',
      ],
      [{ name: 'Half', path: 'half.git' }, expect.objectContaining({ path: expect.any(Array) })],
      [{ name: 'Whole' }, expect.any(Object)],
    ])('is there as a whole or not at all: %j', async (json, message) => {
      const { service, ada } = writing;
      const { keeper } = service.service.container.get(REPOSITORY_TOKENS.gitStores);
      const token = ada.token;
      await service.call('POST', '/projects', { token, json: { name: 'Whole' } });
      const create = jest.spyOn(keeper, 'create');
      const { status, body } = await begin(json);
      const stores = create.mock.calls.map(([store]) => store);
      create.mockRestore();
      expect([status, body]).toEqual([400, { message }]);
      expect((await service.call('GET', '/projects/ada%2Fhalf', { token })).status).toBe(404);
      for (const store of stores) expect(await keeper.exists(store)).toBe(false);
    });
  });

  describe('one file', () => {
    it('is added, changed and removed, each by one commit of the caller', async () => {
      const project = await newProject();
      const added = await project.call('POST', file('docs/a b.md'), {
        branch: 'main',
        commit_message: 'Add it',
        content: 'one\n',
      });
      expect([added.status, added.body]).toEqual([201, { file_path: 'docs/a b.md', branch: 'main' }]);
      const changed = await project.call('PUT', file('docs/a b.md'), {
        branch: 'main',
        commit_message: 'Change it',
        content: Buffer.from([0, 255, 10]).toString('base64'),
        encoding: 'base64',
        author_name: 'Hedy',
        author_email: 'hedy@example.com',
      });
      expect([changed.status, changed.body]).toEqual([200, { file_path: 'docs/a b.md', branch: 'main' }]);
      const folder = await clone(project);
      expect(readFileSync(join(folder, 'docs/a b.md'))).toEqual(Buffer.from([0, 255, 10]));
      expect(await git(['log', '--format=%an %ae|%cn %ce|%s'], { cwd: folder })).toBe(
        'Hedy hedy@example.com|ada Example ada@example.com|Change it\n' +
          'ada Example ada@example.com|ada Example ada@example.com|Add it\n',
      );
      const removed = await project.call('DELETE', `${file('docs/a b.md')}?branch=main&commit_message=Remove`);
      expect([removed.status, removed.body]).toEqual([204, '']);
      await git(['pull', '--quiet'], { cwd: folder });
      expect(existsSync(join(folder, 'docs'))).toBe(false);
    });

    it('can be executed from then on or no more, with its content or without, and stays as it is else', async () => {
      const project = await newProject();
      await project.write('main', { run: 'one\n', '.gitmodules': '' });
      const put = async (path: string, more: object) => {
        const { status, body } = await project.call('PUT', file(path), {
          branch: 'main',
          commit_message: 'Try',
          ...more,
        });
        const [mode = ''] = (await git(['ls-tree', 'HEAD', path], { cwd: await clone(project) })).split(' ');
        return status === 200 ? mode : [status, body];
      };
      expect(await put('run', { execute_filemode: true })).toBe('100755');
      expect(await put('run', { content: 'two\n' })).toBe('100755');
      expect(await put('run', { content: 'three\n', execute_filemode: false })).toBe('100644');
      expect(await put('run', { content: 'four\n', execute_filemode: true })).toBe('100755');
      expect(await put('run', { execute_filemode: false })).toBe('100644');
      expect(await put('.gitmodules', { execute_filemode: true })).toBe('100755');
      const { body } = await project.call<{ execute_filemode: boolean }>('GET', `${file('.gitmodules')}?ref=main`);
      expect(body.execute_filemode).toBe(true);
      expect(readFileSync(join(await clone(project), 'run'), 'utf8')).toBe('four\n');
      expect(await put('run', {})).toEqual([400, { error: 'content is missing' }]);
      expect(await put('none', { execute_filemode: true })).toEqual([
        400,
        { message: "A file with this name doesn't exist" },
      ]);
      expect(await put('run', { execute_filemode: 'maybe' })).toEqual([400, { error: 'execute_filemode is invalid' }]);
      const seen = await project.head('main');
      await put('run', { content: 'five\n' });
      expect(await put('run', { execute_filemode: true, last_commit_id: seen })).toEqual([
        400,
        { message: 'You are attempting to update a file that has changed since you started editing it.' },
      ]);
    });

    it('that is a link stays one, whatever it is told of being executed', async () => {
      const project = await newProject();
      await project.write('main', { a: 'a' });
      const folder = await clone(project);
      symlinkSync('a', join(folder, 'link'));
      await git(['add', 'link'], { cwd: folder });
      await git(['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Link'], { cwd: folder });
      await git(['push', '--quiet', 'origin', 'main'], { cwd: folder });
      const json = { branch: 'main', commit_message: 'Lead elsewhere', content: 'b', execute_filemode: false };
      expect((await project.call('PUT', file('link'), json)).status).toBe(200);
      const chmod = [{ action: 'chmod', file_path: 'link', execute_filemode: true }];
      expect((await project.commit('main', 'Try', chmod)).status).toBe(201);
      const listed = await git(['ls-tree', '--format=%(objectmode)', 'HEAD', 'link'], { cwd: await clone(project) });
      expect(listed.trim()).toBe('120000');
    });

    it('makes the first branch of an empty repository, which becomes the default and is protected', async () => {
      const project = await newProject();
      await project.call('POST', file('a'), { branch: 'trunk', commit_message: 'First', content: 'a' });
      const { body } = await project.call<object>('GET', '');
      expect(body).toMatchObject({ default_branch: 'trunk', empty_repo: false });
      const { body: protections } = await project.call<object[]>('GET', '/protected_branches');
      expect(protections).toMatchObject([{ name: 'trunk', push_access_levels: [{ access_level: 40 }] }]);
      expect(await pushesOf(project)).toMatchObject([
        { action_name: 'pushed new', ref: 'trunk', commit_count: 1, commit_title: 'First' },
      ]);
    });

    it('is told of as one push of one commit', async () => {
      const project = await newProject();
      const first = await project.write('main', { a: 'a' });
      const second = await project.write('main', { b: 'b' });
      expect((await pushesOf(project))[0]).toEqual({
        action_name: 'pushed',
        action: 'pushed',
        commit_count: 1,
        ref_type: 'branch',
        ref: 'main',
        commit_from: first.id,
        commit_to: second.id,
        commit_title: 'Write b',
      });
    });

    it('begins a branch where it is told to', async () => {
      const project = await newProject();
      const { id } = await project.write('main', { a: 'a' });
      const json = { branch: 'topic', start_branch: 'main', commit_message: 'Topic', content: 'b' };
      expect((await project.call('POST', file('b'), json)).status).toBe(201);
      expect(await project.head('main')).toBe(id);
      const folder = await clone(project, 'topic');
      expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('a');
      const again = await project.call('POST', file('c'), json);
      expect([again.status, again.body]).toEqual([
        400,
        { message: "A branch called 'topic' already exists. Switch to that branch in order to make changes" },
      ]);
    });

    it.each([
      ['POST', 'a', {}, 'A file with this name already exists'],
      ['POST', 'docs', {}, 'A directory with this name already exists'],
      ['POST', 'a/below', {}, 'A file with this name already exists'],
      ['PUT', 'missing', {}, "A file with this name doesn't exist"],
      ['PUT', 'docs', {}, "A file with this name doesn't exist"],
      ['DELETE', 'missing', {}, "A file with this name doesn't exist"],
      ['POST', '../a', {}, 'Path cannot include directory traversal'],
      ['POST', '.GIT/config', {}, 'Path cannot include a name that git keeps for itself'],
      ['POST', 'b', { branch: 'nowhere' }, 'You can only create or edit files when you are on a branch'],
      ['POST', 'b', { branch: 'nowhere', start_branch: 'lost' }, "Cannot find start_branch 'lost'"],
      [
        'POST',
        'b',
        { branch: '-x', start_branch: 'main' },
        "Something went wrong when we tried to create '-x' for you: Branch name is invalid",
      ],
      ['POST', 'b', { commit_message: ' ' }, 'You must provide a commit message'],
    ])('%s of %s with %j is refused: %s', async (method, path, more, message) => {
      const project = await newProject();
      const { id } = await project.write('main', { a: 'a', 'docs/x': 'x' });
      const json = { branch: 'main', commit_message: 'Try', content: 'new', ...more };
      const { status, body } = await project.call(method, file(path), json);
      expect([status, body]).toEqual([400, { message }]);
      expect(await project.head('main')).toBe(id);
    });

    it('names every parameter that is missing', async () => {
      const project = await newProject();
      const { status, body } = await project.call('POST', file('a'), {});
      expect([status, body]).toEqual([
        400,
        { error: 'branch is missing, commit_message is missing, content is missing' },
      ]);
    });

    it('is refused when it has changed since the commit that its editor saw', async () => {
      const project = await newProject();
      const first = await project.write('main', { a: '1', b: '1' });
      const edit = (path: string, content: string, more: object = {}) =>
        project.call('PUT', file(path), { branch: 'main', commit_message: 'Edit', content, ...more });
      // Another file has changed meanwhile: that is no reason.
      await edit('b', '2');
      expect((await edit('a', '2', { last_commit_id: first.id })).status).toBe(200);
      const stale = await edit('a', '3', { last_commit_id: first.id });
      expect([stale.status, stale.body]).toEqual([
        400,
        { message: 'You are attempting to update a file that has changed since you started editing it.' },
      ]);
      const removal = await project.call('DELETE', file('a'), {
        branch: 'main',
        commit_message: 'Remove',
        last_commit_id: first.id,
      });
      expect([removal.status, removal.body]).toEqual([
        400,
        { message: 'You are attempting to delete a file that has been previously updated.' },
      ]);
      expect((await edit('a', '3', { last_commit_id: 'f'.repeat(40) })).status).toBe(200);
      // What was put back is as its editor saw it.
      await edit('a', '1');
      expect((await edit('a', '4', { last_commit_id: first.id })).status).toBe(200);
    });

    it('that two people change at once is changed by one of them, and the other is told', async () => {
      const project = await newProject();
      await project.write('main', { a: '0' });
      let won = 0;
      for (const round of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        const answers = await Promise.all(
          ['1', '2', '3', '4', '5', '6'].map((number) => {
            const json = { branch: 'main', commit_message: `Set ${number}`, content: `${round}${number}` };
            return project.call('PUT', file('a'), json);
          }),
        );
        const changed = answers.filter(({ status }) => status === 200).length;
        expect(changed).toBeGreaterThan(0);
        won += changed;
        for (const { status, body } of answers.filter((each) => each.status !== 200))
          expect([status, body]).toEqual([
            400,
            { message: 'Could not update refs/heads/main. Please refresh and try again.' },
          ]);
      }
      const folder = await clone(project);
      expect(Number(await git(['rev-list', '--count', 'HEAD'], { cwd: folder }))).toBe(won + 1);
      expect(await pushesOf(project)).toHaveLength(won + 1);
    });
  });

  describe('content in base64', () => {
    const send = async (project: WrittenProject, content: string) => {
      const one = { branch: 'main', commit_message: 'Write', content, encoding: 'base64' };
      const action = { action: 'create', file_path: 'b', content, encoding: 'base64' };
      return [await project.call('POST', file('a'), one), await project.commit('main', 'Write', [action])] as const;
    };

    it('is refused where it is not base64, or lacks its padding', async () => {
      const project = await newProject();
      for (const content of ['!!!!', 'QUJD*', 'QUJ', 'QUJDR', 'Q===', '====', 'QQ==QQ==', 'QUI-', 'QUJD\u00a0QUJD']) {
        const answers = (await send(project, content)).map(({ status, body }) => [content, status, body]);
        expect(answers).toEqual(
          ['content', 'actions[0][content]'].map((name) => [content, 400, { error: `${name} is not valid base64` }]),
        );
      }
      expect(await project.head('main')).toBeUndefined();
    });

    it('is taken as mail wraps it into lines', async () => {
      const project = await newProject();
      const bytes = Buffer.from('some content that is wrapped');
      const wrapped = `${bytes.toString('base64').replace(/.{10}/g, '$&\r\n')}\n \t`;
      expect((await send(project, wrapped)).map(({ status }) => status)).toEqual([201, 201]);
      const folder = await clone(project);
      expect(['a', 'b'].map((name) => readFileSync(join(folder, name)))).toEqual([bytes, bytes]);
    });
  });

  describe('a commit of many actions', () => {
    it('creates, updates, moves, removes and makes executable, in the order that is sent', async () => {
      const project = await newProject();
      await project.write('main', { change: 'old\n', remove: 'x', 'from/here': 'kept', run: '#!/bin/sh\n' });
      const { status, body } = await project.commit('main', 'All of it\r\n\r\nAs on Windows', [
        { action: 'create', file_path: 'new/deep/file', content: 'bmV3Cg==', encoding: 'base64' },
        { action: 'update', file_path: 'change', content: 'new\n' },
        { action: 'delete', file_path: 'remove' },
        { action: 'move', previous_path: 'from/here', file_path: 'to/there' },
        { action: 'chmod', file_path: 'run', execute_filemode: true },
        { action: 'create', file_path: 'remove/again', content: 'y', execute_filemode: true },
      ]);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        title: 'All of it',
        message: 'All of it\r\n\r\nAs on Windows',
        author_name: 'ada Example',
        committer_email: 'ada@example.com',
        project_id: project.id,
        status: null,
        last_pipeline: null,
        stats: { additions: 3, deletions: 2, total: 5 },
      });
      const folder = await clone(project);
      expect(
        (await git(['ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD'], { cwd: folder })).split('\n'),
      ).toEqual(['100644 change', '100644 new/deep/file', '100755 remove/again', '100755 run', '100644 to/there', '']);
      expect(readFileSync(join(folder, 'new/deep/file'), 'utf8')).toBe('new\n');
      expect(readFileSync(join(folder, 'to/there'), 'utf8')).toBe('kept');
      expect(statSync(join(folder, 'run')).mode & 0o100).toBe(0o100);
    });

    it.each([
      ['lines', { a: 'one\ntwo\n', b: '\n\n' }],
      ['a last line without an end', { a: 'one\ntwo', b: 'x' }],
      ['nothing', { a: '' }],
      [
        'what is no text, far behind and at once',
        { a: `${'a\n'.repeat(3_999)}a\0\n`, b: `${'a\n'.repeat(4_000)}a\0\n` },
      ],
    ])('that brings files of %s counts their lines as git does', async (_, files) => {
      const project = await newProject();
      const actions = Object.entries(files).map(([path, content]) => ({
        action: 'create',
        file_path: path,
        content: Buffer.from(content).toString('base64'),
        encoding: 'base64',
      }));
      const { body: made } = await project.commit('main', 'Write', actions);
      const { body } = await project.call<ShownCommit>('GET', `/repository/commits/${made.id}`);
      expect(made.stats).toEqual(body.stats);
      expect(made.stats).toBeDefined();
    });

    it.each([
      ['.gitmodules', '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=touch x\n'],
      ['.gitmodules', '[submodule "a"]\n\tpath = -a\n\turl = https://example.com/a\n'],
      ['.GitModules', '[submodule "../../hooks"]\n\tpath = a\n\turl = https://example.com/a\n'],
      ['.gitmodules', '[submodule "a"]\n\turl = https://example.com/a\n\tupdate = !touch x\n'],
    ])('is refused with a hostile %s: %j', async (path, content) => {
      const project = await newProject();
      const { id } = await project.write('main', {
        '.gitmodules': '[submodule "a"]\n\tpath = a\n\turl = ../a.git\n',
        x: content,
      });
      const refused = [400, { message: 'The file .gitmodules has a name, path or address that git refuses' }];
      const put = { action: path === '.gitmodules' ? 'update' : 'create', file_path: path, content };
      for (const actions of [
        [put],
        [
          { action: 'delete', file_path: '.gitmodules' },
          { action: 'move', previous_path: 'x', file_path: path },
        ],
      ]) {
        const { status, body } = await project.commit('main', 'Try', actions);
        expect([status, body]).toEqual(refused);
      }
      expect(await project.head('main')).toBe(id);
    });

    it('is done as a whole, or not at all', async () => {
      const project = await newProject();
      const { id } = await project.write('main', { a: 'a' });
      const { status, body } = await project.commit('main', 'Half', [
        { action: 'create', file_path: 'b', content: 'b' },
        { action: 'update', file_path: 'missing', content: 'c' },
      ]);
      expect([status, body]).toEqual([400, { message: "A file with this name doesn't exist" }]);
      expect(await project.head('main')).toBe(id);
      expect(await pushesOf(project)).toHaveLength(1);
    });

    it('comes as a form too', async () => {
      const project = await newProject();
      const { status } = await writing.service.call('POST', `/projects/${project.id}/repository/commits`, {
        token: writing.ada.token,
        form: {
          branch: 'main',
          commit_message: 'By form',
          'actions[0][action]': 'create',
          'actions[0][file_path]': 'a',
          'actions[0][content]': 'a',
        },
      });
      expect(status).toBe(201);
    });

    it('comes as a form of `actions[][…]`, where a key that an action has already begins the next one', async () => {
      const project = await newProject();
      const fields = (folder: string): [name: string, value: string][] => [
        ['branch', 'main'],
        ['commit_message', 'By form'],
        ['actions[][action]', 'create'],
        ['actions[][file_path]', `${folder}/a`],
        ['actions[][content]', 'x=1&[][y]'],
        ['actions[][action]', 'create'],
        ['actions[][file_path]', `${folder}/b`],
        ['actions[][action]', 'chmod'],
        ['actions[][file_path]', `${folder}/b`],
        ['actions[][execute_filemode]', 'true'],
      ];
      const send = (body: URLSearchParams | FormData) =>
        fetch(`${writing.service.url}/api/v4/projects/${project.id}/repository/commits`, {
          ...{ method: 'POST', body },
          headers: { 'PRIVATE-TOKEN': writing.ada.token },
        });
      const parts = new FormData();
      for (const [name, value] of fields('parts')) parts.append(name, value);
      expect((await send(new URLSearchParams(fields('form')))).status).toBe(201);
      expect((await send(parts)).status).toBe(201);
      const folder = await clone(project);
      expect(
        (await git(['ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD'], { cwd: folder })).split('\n'),
      ).toEqual(['100644 form/a', '100755 form/b', '100644 parts/a', '100755 parts/b', '']);
      expect(readFileSync(join(folder, 'form/a'), 'utf8')).toBe('x=1&[][y]');
      expect(readFileSync(join(folder, 'parts/a'), 'utf8')).toBe('x=1&[][y]');
      const many = Array.from({ length: 101 }, (_, index): [name: string, value: string][] => [
        ['actions[][action]', 'create'],
        ['actions[][file_path]', String(index)],
      ]);
      const refused = await send(new URLSearchParams(many.flat()));
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('100 items in a list')]);
      expect((await send(new URLSearchParams([[`a${'[][b]'.repeat(20_000)}`, '1']]))).status).toBe(400);
    });

    it.each([
      ['actions is missing', undefined],
      ['actions is empty', []],
      ['actions[0] is invalid', [null]],
      ['actions[0][action] does not have a valid value', [{ action: 'burn', file_path: 'a' }]],
      ['actions[0][file_path] is missing', [{ action: 'create' }]],
      ['actions[0][content] is missing', [{ action: 'update', file_path: 'a' }]],
      ['actions[0][previous_path] is missing', [{ action: 'move', file_path: 'a' }]],
      ['actions[0][execute_filemode] is missing', [{ action: 'chmod', file_path: 'a' }]],
      ['actions[0] is invalid', ['create']],
      ['actions[0] is invalid', 'create'],
      ['actions is invalid', TOO_MANY],
    ])('is refused where %s', async (error, actions) => {
      const project = await newProject();
      const { status, body } = await project.call('POST', '/repository/commits', {
        branch: 'main',
        commit_message: 'Try',
        actions,
      });
      expect([status, body]).toEqual([400, { error }]);
    });

    it('does nothing where that is allowed, and has the tree of the one before', async () => {
      const project = await newProject();
      const first = await project.write('main', { a: 'a' });
      let serial = 0;
      const make = async (more: object) => {
        const json = { branch: 'main', commit_message: `Nothing ${(serial += 1)}`, allow_empty: true, ...more };
        const { status, body } = await project.call<ShownCommit & { message: string }>(
          'POST',
          '/repository/commits',
          json,
        );
        expect([status, body]).toEqual([201, expect.objectContaining({ message: json.commit_message })]);
        return body;
      };
      const stats = { additions: 0, deletions: 0, total: 0 };
      const second = await make({});
      expect(second).toMatchObject({ parent_ids: [first.id], stats });
      const third = await make({ actions: [] });
      expect(third).toMatchObject({ parent_ids: [second.id], stats });
      // As ever, what changes nothing makes a commit.
      const same = [{ action: 'update', file_path: 'a', content: 'a' }];
      const fourth = (await project.commit('main', 'The same', same)).body;
      expect(fourth.parent_ids).toEqual([third.id]);
      expect(await make({ branch: 'topic', start_sha: first.id })).toMatchObject({ parent_ids: [first.id], stats });
      const folder = await clone(project);
      const trees = (await git(['log', '--format=%T', '--all'], { cwd: folder })).trim().split('\n');
      expect([trees.length, new Set(trees).size]).toEqual([5, 1]);
      expect((await pushesOf(project))[0]).toMatchObject({ action_name: 'pushed new', ref: 'topic' });
      const refused = await project.call('POST', '/repository/commits', {
        ...{ branch: 'nowhere', commit_message: 'Nothing', allow_empty: true },
      });
      expect([refused.status, refused.body]).toEqual([
        400,
        { message: 'You can only create or edit files when you are on a branch' },
      ]);
    });

    it('that does nothing can be the first', async () => {
      const project = await newProject();
      const json = { branch: 'main', commit_message: 'Nothing yet', allow_empty: true };
      const { status, body } = await project.call<ShownCommit>('POST', '/repository/commits', json);
      expect([status, body]).toMatchObject([201, { parent_ids: [] }]);
      await project.write('main', { a: 'a' });
      expect(await project.head('main')).not.toBe(body.id);
    });

    it('begins at a commit, and takes the place of a branch by force alone', async () => {
      const project = await newProject();
      const first = await project.write('main', { a: 'a' });
      await project.write('main', { b: 'b' });
      const topic = await project.write('topic', { c: 'c' }, { start_sha: first.id, stats: false });
      expect(topic.parent_ids).toEqual([first.id]);
      expect(topic.stats).toBeUndefined();
      const forced = await project.write('topic', { d: 'd' }, { start_branch: 'main', force: true });
      expect(forced.parent_ids).toEqual([await project.head('main')]);
      expect(await project.head('topic')).toBe(forced.id);
      const create = [{ action: 'create', file_path: 'e', content: '' }];
      const refused = async (more: object) => (await project.commit('other', 'Try', create, more)).body;
      expect(await refused({ start_sha: 'main' })).toEqual({ message: "Invalid start_sha 'main'" });
      expect(await refused({ start_sha: 'e'.repeat(40) })).toEqual({
        message: `Cannot find start_sha '${'e'.repeat(40)}'`,
      });
      expect(await refused({ start_sha: first.id, start_branch: 'main' })).toEqual({
        error: 'start_branch, start_sha are mutually exclusive',
      });
    });

    it('says which file has changed since', async () => {
      const project = await newProject();
      const first = await project.write('main', { a: '1' });
      await project.commit('main', 'Two', [{ action: 'update', file_path: 'a', content: '2' }]);
      const stale = await project.commit('main', 'Three', [
        { action: 'update', file_path: 'a', content: '3', last_commit_id: first.id },
      ]);
      expect([stale.status, stale.body]).toEqual([
        400,
        { message: 'The file has changed since you started editing it: a' },
      ]);
    });
  });

  describe('a changelog', () => {
    const released = async () => {
      const project = await newProject();
      await project.write('main', { a: '1' });
      await project.call('POST', '/repository/tags', { tag_name: 'v1.0.0', ref: 'main' });
      const added = await project.commit('main', 'Add a pump\n\nChangelog: added', [
        { action: 'create', file_path: 'pump', content: '' },
      ]);
      return { project, added: added.body.id };
    };
    const add = (project: WrittenProject, more: object = {}, user?: TestUser) =>
      project.call('POST', '/repository/changelog', { version: '1.1.0', date: '2026-03-31', ...more }, user);

    it('is committed with the notes of a version, above those of the one before', async () => {
      const { project, added } = await released();
      expect(await add(project)).toMatchObject({ status: 200, body: null });
      await project.call('POST', '/repository/tags', { tag_name: 'v1.1.0', ref: 'main' });
      await project.commit('main', 'Fix it\n\nChangelog: fixed', [
        { action: 'update', file_path: 'pump', content: '1' },
      ]);
      expect((await add(project, { version: '1.2.0', message: 'Tell of it' })).status).toBe(200);
      const folder = await clone(project);
      const text = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
      expect(text).toMatch(/^## 1\.2\.0 \(2026-03-31\)\n\n### fixed[^]*\n\n## 1\.1\.0 \(2026-03-31\)/);
      expect(text).toContain(`- [Add a pump](${project.project.path}@${added})\n`);
      expect((await git(['log', '--format=%s'], { cwd: folder })).split('\n').slice(0, 3)).toEqual([
        'Tell of it',
        'Fix it',
        'Add changelog for version 1.1.0',
      ]);
      await project.expectSound();
    });

    it('goes into another file and branch where it is told to', async () => {
      const { project } = await released();
      await project.call('POST', '/repository/branches', { branch: 'next', ref: 'main' });
      expect((await add(project, { branch: 'next', file: 'docs/changes.md', to: 'main' })).status).toBe(200);
      expect(readFileSync(join(await clone(project, 'next'), 'docs/changes.md'), 'utf8')).toContain('## 1.1.0');
      expect(existsSync(join(await clone(project), 'docs'))).toBe(false);
    });

    it('is refused where it can not be written, and to who may not push', async () => {
      const { project } = await released();
      const reason = async (more: object) => (await add(project, more)).body;
      const failed = (text: string) => ({ message: `Failed to generate the changelog: ${text}` });
      expect(await reason({ branch: 'none' })).toEqual(failed('The commit refs/heads/none does not exist'));
      expect(await reason({ branch: 'none', to: 'main' })).toEqual(failed('The branch none does not exist'));
      expect(await reason({ file: '../out' })).toEqual(failed('Path cannot include directory traversal'));
      expect((await add(project, { version: 'one' })).status).toBe(422);
      await project.addMember(writing.grace, 20);
      expect((await add(project, {}, writing.grace)).status).toBe(403);
    });
  });

  describe('cherry-pick and revert', () => {
    const prepared = async () => {
      const project = await newProject();
      await project.write('main', { a: 'a\n' });
      await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      const picked = await project.write('topic', { b: 'b\n' }, { author_name: 'Hedy', author_email: 'h@example.com' });
      const post = (way: string, json: object) =>
        project.call<ShownCommit>('POST', `/repository/commits/${picked.id}/${way}`, json);
      return { project, picked, post };
    };

    it('does what a commit did once more: the author stays, the caller commits', async () => {
      const { picked, post, project } = await prepared();
      const dry = await post('cherry_pick', { branch: 'main', dry_run: true });
      expect([dry.status, dry.body]).toEqual([200, { dry_run: 'success' }]);
      const { status, body } = await post('cherry_pick', { branch: 'main' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        message: `Write b\n\n(cherry picked from commit ${picked.id})`,
        author_name: 'Hedy',
        committer_name: 'ada Example',
      });
      expect(await project.head('main')).toBe(body.id);
      const again = await post('cherry_pick', { branch: 'main' });
      expect([again.status, again.body]).toEqual([
        400,
        {
          message:
            'Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, or a more recent commit may have updated some of its content.',
          error_code: 'empty',
        },
      ]);
    });

    it('undoes what a commit did, once', async () => {
      const { picked, post, project } = await prepared();
      const { status, body } = await post('revert', { branch: 'topic' });
      expect([status, body.message]).toEqual([201, `Revert "Write b"\n\nThis reverts commit ${picked.id}`]);
      expect((await post('revert', { branch: 'topic' })).body).toMatchObject({ error_code: 'empty' });
      expect(existsSync(join(await clone(project, 'topic'), 'b'))).toBe(false);
    });

    it('tells a conflict, and leaves the branch alone', async () => {
      const { post, project } = await prepared();
      const other = await project.write('main', { b: 'other\n' });
      for (const dryRun of [true, false]) {
        const { status, body } = await post('cherry_pick', { branch: 'main', dry_run: dryRun });
        expect([status, body]).toMatchObject([400, { error_code: 'conflict' }]);
      }
      expect(await project.head('main')).toBe(other.id);
    });

    it('of what is not there is not found', async () => {
      const { post, project } = await prepared();
      expect((await post('revert', { branch: 'lost' })).body).toEqual({ message: '404 Branch Not Found' });
      const lost = await project.call('POST', '/repository/commits/lost/revert', { branch: 'main' });
      expect([lost.status, lost.body]).toEqual([404, { message: '404 Commit Not Found' }]);
    });
  });

  describe('branches', () => {
    it('change 51: are made by `branch` and `ref`; `branch_name` is no parameter', async () => {
      const project = await newProject();
      const { id } = await project.write('main', { a: 'a' });
      const old = await project.call('POST', '/repository/branches', { branch_name: 'x', ref: 'main' });
      expect([old.status, old.body]).toEqual([400, { error: 'branch is missing' }]);
      const { status, body } = await project.call('POST', '/repository/branches', {
        branch: 'my.topic',
        ref: 'main',
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        name: 'my.topic',
        commit: { id },
        merged: false,
        protected: false,
        can_push: true,
        default: false,
      });
      const removed = await project.call('DELETE', '/repository/branches/my.topic');
      expect([removed.status, removed.body]).toEqual([200, { branch: 'my.topic' }]);
      const gone = await project.call('DELETE', '/repository/branches/my.topic');
      expect([gone.status, gone.body]).toEqual([404, { message: '404 Branch Not Found' }]);
    });

    it('stay, as tags do, where their commit was made after what a removal says', async () => {
      const project = await newProject();
      const { id, committed_date } = await project.write('main', { a: 'a' });
      await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      await project.call('POST', '/repository/tags', { tag_name: 'v1', ref: id });
      await project.call('POST', '/repository/tags', { tag_name: 'v2', ref: id, message: 'Said' });
      const made = new Date(committed_date);
      const remove = async (path: string, since: Date) => {
        const headers = { 'If-Unmodified-Since': since.toUTCString() };
        const { token } = project.owner;
        return (await writing.service.call('DELETE', `/projects/${project.id}${path}`, { token, headers })).status;
      };
      for (const [path, done] of [
        ['/repository/branches/topic', 200],
        ['/repository/tags/v1', 204],
        ['/repository/tags/v2', 204],
      ] as const) {
        expect(await remove(path, new Date(made.getTime() - 1_000))).toBe(412);
        expect(await remove(path, made)).toBe(done);
      }
    });

    it('begin in an empty repository with a README', async () => {
      const project = await newProject();
      const { status } = await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      expect(status).toBe(201);
      const folder = await clone(project, 'topic');
      expect(await git(['log', '--format=%s', '--name-only'], { cwd: folder })).toBe('Add README.md\n\nREADME.md\n');
      expect(await project.head('main')).toBe(await project.head('topic'));
    });

    it.each([
      [{ branch: 'main', ref: 'main' }, 'Branch already exists'],
      [{ branch: 'a b', ref: 'main' }, 'Branch name is invalid'],
      [{ branch: 'x', ref: 'nowhere' }, 'Invalid reference name: nowhere'],
      [{ branch: 'main/below', ref: 'main' }, 'Branch name conflicts with existing branch hierarchy.'],
      [{ branch: 'f'.repeat(40), ref: 'main' }, 'You cannot create a branch with a SHA-1 or SHA-256 branch name.'],
    ])('%j is refused: %s', async (json, message) => {
      const project = await newProject();
      await project.write('main', { a: 'a' });
      const { status, body } = await project.call('POST', '/repository/branches', json);
      expect([status, body]).toEqual([400, { message }]);
    });

    it('and tags of the name of a commit, which older versions let pass, stand for it nowhere', async () => {
      const project = await newProject();
      const good = await project.write('main', { a: 'good' });
      await project.write('topic', { b: 'evil' }, { start_branch: 'main' });
      const refused = await project.call('POST', '/repository/tags', { tag_name: good.id, ref: 'topic' });
      expect([refused.status, refused.body]).toEqual([
        400,
        { message: 'You cannot create a tag with a SHA-1 or SHA-256 tag name.' },
      ]);
      await project.call('POST', '/repository/tags', { tag_name: 'later', ref: 'topic' });
      const rename = (from: string, to: string) =>
        writing.service.service.database.schema('refs').where({ name: from }).update({ name: to });
      const [later, likeCommit] = ['refs/tags/later', `refs/tags/${good.id}`];
      // Files of refs follow their rows.
      await project.expectSound();
      expect(await rename(later, likeCommit)).toBe(1);
      const { body: shown } = await project.call<ShownCommit>('GET', `/repository/commits/${good.id}`);
      expect(shown.id).toBe(good.id);
      expect((await project.call('GET', `/repository/files/b/raw?ref=${good.id}`)).status).toBe(404);
      const branched = await project.call<{ commit: ShownCommit }>('POST', '/repository/branches', {
        branch: 'from-it',
        ref: good.id.toUpperCase(),
      });
      expect(branched.body.commit.id).toBe(good.id);
      const token = { headers: { 'PRIVATE-TOKEN': project.owner.token } };
      const raw = (path: string) =>
        fetch(`${writing.service.url}/${project.project.path}/-/raw/${good.id}/${path}`, token);
      expect([(await raw('a')).status, (await raw('b')).status]).toEqual([200, 404]);
      await rename(likeCommit, later);
    });

    it('lead to what a protected tag of their name leads to, where a name is asked for', async () => {
      const project = await newProject();
      await project.write('main', { a: 'good' });
      await project.call('POST', '/protected_tags', { name: 'v*' });
      await project.call('POST', '/repository/tags', { tag_name: 'v9', ref: 'main' });
      await project.write('v9', { b: 'evil' }, { start_branch: 'main' });
      const token = { headers: { 'PRIVATE-TOKEN': project.owner.token } };
      const raw = (path: string) => fetch(`${writing.service.url}/${project.project.path}/-/raw/v9/${path}`, token);
      expect([(await raw('a')).status, (await raw('b')).status]).toEqual([200, 404]);
      expect((await project.call('GET', '/repository/files/b/raw?ref=v9')).status).toBe(404);
      expect((await project.call('GET', '/repository/files/b/raw?ref=refs/heads/v9')).status).toBe(200);
    });

    it('of which one is the default keep it', async () => {
      const project = await newProject();
      await project.write('main', { a: 'a' });
      const kept = await project.call('DELETE', '/repository/branches/main');
      expect([kept.status, kept.body]).toEqual([
        400,
        { message: 'The default branch of a project cannot be deleted.' },
      ]);
      await project.call('POST', '/repository/branches', { branch: 'next', ref: 'main' });
      const lost = await project.call('PUT', '', { default_branch: 'lost' });
      expect([lost.status, lost.body]).toEqual([
        400,
        { message: { base: ["Could not change HEAD: branch 'lost' does not exist"] } },
      ]);
      expect((await project.call<object>('PUT', '', { default_branch: 'next' })).body).toMatchObject({
        default_branch: 'next',
      });
      expect((await project.call('DELETE', '/repository/branches/main')).status).toBe(200);
      expect((await project.call('DELETE', '/repository/branches/next')).status).toBe(400);
    });
  });

  describe('protection', () => {
    it('lets in whom its level names, by REST as by git', async () => {
      const project = await newProject();
      await project.addMember(writing.grace, 30);
      await project.write('main', { a: 'a' });
      const write = (branch: string, path: string) =>
        project.commit(branch, 'Try', [{ action: 'create', file_path: path, content: '' }], {}, writing.grace);
      const refused = await write('main', 'b');
      expect([refused.status, refused.body]).toEqual([
        403,
        { message: '403 Forbidden - You are not allowed to push into this branch' },
      ]);
      await project.call('POST', '/repository/branches', { branch: 'rel/1', ref: 'main' }, writing.grace);
      expect((await write('rel/1', 'b')).status).toBe(201);
      const made = await project.call<object>('POST', '/protected_branches', { name: 'rel/*', push_access_level: 0 });
      expect([made.status, made.body]).toMatchObject([
        201,
        {
          name: 'rel/*',
          push_access_levels: [{ access_level: 0, access_level_description: 'No one' }],
          merge_access_levels: [{ access_level: 40, access_level_description: 'Maintainers' }],
          allow_force_push: false,
        },
      ]);
      expect((await write('rel/1', 'c')).status).toBe(403);
      const edited = await project.call<object>('PATCH', `/protected_branches/${encodeURIComponent('rel/*')}`, {
        push_access_level: 30,
      });
      expect([edited.status, edited.body]).toMatchObject([200, { push_access_levels: [{ access_level: 30 }] }]);
      expect((await write('rel/1', 'c')).status).toBe(201);
      const removal = await project.call('DELETE', '/repository/branches/rel%2F1', undefined, writing.grace);
      expect(removal.status).toBe(403);
      const again = await project.call('POST', '/protected_branches', { name: 'rel/*' });
      expect([again.status, again.body]).toEqual([409, { message: "Protected branch 'rel/*' already exists" }]);
      const name = encodeURIComponent('rel/*');
      expect((await project.call('GET', `/protected_branches/${name}`)).status).toBe(200);
      expect((await project.call('DELETE', `/protected_branches/${name}`)).status).toBe(204);
      expect((await project.call('DELETE', `/protected_branches/${name}`)).body).toEqual({
        message: '404 Not Found',
      });
      expect((await project.call('DELETE', '/repository/branches/rel%2F1', undefined, writing.grace)).status).toBe(200);
    });

    it('takes a level as a list of one, and refuses every rule that it would not keep', async () => {
      const project = await newProject();
      const set = (method: string, path: string, json: object) =>
        project.call<Record<string, unknown>>(method, path, json);
      const [branches, one, tags] = ['/protected_branches', '/protected_branches/listed', '/protected_tags'];
      const listed = {
        allowed_to_push: [{ access_level: 30 }],
        allowed_to_merge: [{ access_level: 0, user_id: null }],
        allowed_to_unprotect: [{ access_level: 40 }],
        code_owner_approval_required: false,
      };
      expect((await set('POST', branches, { name: 'listed', ...listed })).body).toMatchObject({
        push_access_levels: [{ access_level: 30 }],
        merge_access_levels: [{ access_level: 0 }],
      });
      expect(
        (await set('PATCH', one, { allowed_to_push: [{ access_level: 60 }], allowed_to_merge: [] })).body,
      ).toMatchObject({
        push_access_levels: [{ access_level: 60 }],
        merge_access_levels: [{ access_level: 0 }],
      });
      expect((await set('POST', tags, { name: 'v*', allowed_to_create: [{ access_level: 30 }] })).body).toMatchObject({
        create_access_levels: [{ access_level: 30 }],
      });
      const kept = (await project.call('GET', one)).body;
      const only = 'supports one entry that has access_level and nothing else';
      const refused = [
        [{ allowed_to_push: [{ user_id: 1 }] }, `allowed_to_push ${only}`],
        [{ allowed_to_push: [{ access_level: 40, id: 1 }] }, `allowed_to_push ${only}`],
        [{ allowed_to_merge: [{ access_level: 40 }, { group_id: 1 }] }, `allowed_to_merge ${only}`],
        [{ allowed_to_merge: ['40'] }, `allowed_to_merge ${only}`],
        [{ allowed_to_unprotect: [{ access_level: 60 }] }, 'unprotected by maintainers'],
        [{ unprotect_access_level: 60 }, 'unprotected by maintainers'],
        [{ code_owner_approval_required: true }, 'code_owner_approval_required is not supported'],
      ] as const;
      for (const [json, told] of refused)
        for (const [method, path] of [
          ['POST', branches],
          ['PATCH', one],
        ] as const) {
          const { status, body } = await set(method, path, { name: 'refused', ...json });
          expect([json, status, body]).toEqual([json, 422, { message: expect.stringContaining(told) }]);
        }
      expect(
        (await set('PATCH', one, { push_access_level: 40, allowed_to_push: [{ access_level: 30 }] })).body,
      ).toEqual({
        error: 'push_access_level, allowed_to_push are mutually exclusive',
      });
      expect((await set('PATCH', one, { allowed_to_push: [{ access_level: 31 }] })).body).toEqual({
        error: 'allowed_to_push[0][access_level] does not have a valid value',
      });
      expect((await project.call('GET', one)).body).toEqual(kept);
      expect((await project.call('GET', branches)).body).toHaveLength(1);
      expect((await set('POST', tags, { name: 'w*', allowed_to_create: [{ user_id: 1 }] })).status).toBe(422);
    });

    it('is set and lifted the old way, as often as one likes', async () => {
      const project = await newProject();
      await project.write('main', { a: 'a' });
      const put = async (what: string, json: object = {}) =>
        (await project.call<object>('PUT', `/repository/branches/main/${what}`, json)).body;
      expect(await put('unprotect')).toMatchObject({ protected: false });
      expect(await put('unprotect')).toMatchObject({ protected: false });
      expect(await put('protect', { developers_can_push: true })).toMatchObject({
        protected: true,
        developers_can_push: true,
      });
      expect(await put('protect', { developers_can_push: false })).toMatchObject({ developers_can_push: false });
    });

    it('of tags says who makes them', async () => {
      const project = await newProject();
      await project.addMember(writing.grace, 30);
      await project.write('main', { a: 'a' });
      const made = await project.call('POST', '/protected_tags', { name: 'v*' });
      expect([made.status, made.body]).toEqual([
        201,
        {
          name: 'v*',
          create_access_levels: [{ access_level: 40, access_level_description: 'Maintainers' }],
        },
      ]);
      const again = await project.call('POST', '/protected_tags', { name: 'v*' });
      expect([again.status, again.body]).toEqual([422, { message: 'Name has already been taken' }]);
      const tag = (name: string, user: TestUser) =>
        project.call('POST', '/repository/tags', { tag_name: name, ref: 'main' }, user);
      const refused = await tag('v1', writing.grace);
      expect([refused.status, refused.body]).toEqual([
        403,
        { message: '403 Forbidden - You are not allowed to create this tag as it is protected.' },
      ]);
      expect((await tag('w1', writing.grace)).status).toBe(201);
      expect((await tag('v1', writing.ada)).status).toBe(201);
      expect((await project.call('DELETE', '/repository/tags/v1', undefined, writing.grace)).status).toBe(403);
      expect((await project.call<object[]>('GET', '/protected_tags')).body).toHaveLength(1);
      expect((await project.call('DELETE', '/protected_tags/v*')).status).toBe(204);
      expect((await project.call('GET', '/protected_tags/v*')).status).toBe(404);
    });
  });

  describe('tags', () => {
    it('are made plain or annotated, and removed', async () => {
      const project = await newProject();
      const { id } = await project.write('main', { a: 'a' });
      const plain = await project.call<object>('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
      expect([plain.status, plain.body]).toMatchObject([
        201,
        { name: 'v1', target: id, message: '', commit: { id }, release: null, protected: false },
      ]);
      const annotated = await project.call<{ target: string }>('POST', '/repository/tags', {
        tag_name: 'v2',
        ref: id,
        message: 'Second',
      });
      expect(annotated.body).toMatchObject({ name: 'v2', message: 'Second', commit: { id } });
      expect(annotated.body.target).not.toBe(id);
      const folder = await clone(project);
      expect(await git(['tag', '--list', '--format=%(refname:short) %(objecttype)'], { cwd: folder })).toBe(
        'v1 commit\nv2 tag\n',
      );
      expect((await project.call('DELETE', '/repository/tags/v2')).status).toBe(204);
      expect((await project.call('DELETE', '/repository/tags/v2')).body).toEqual({ message: '404 Tag Not Found' });
    });

    it.each([
      [{ tag_name: 'a b', ref: 'main' }, 'Tag name invalid'],
      [{ tag_name: 'v1', ref: 'main' }, 'Tag v1 already exists'],
      [{ tag_name: 'v2', ref: 'lost' }, 'Target lost is invalid'],
      [{ tag_name: 'main', ref: 'main' }, 'You cannot use default branch name to create a tag'],
    ])('%j is refused: %s', async (json, message) => {
      const project = await newProject();
      await project.write('main', { a: 'a' });
      await project.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
      const { status, body } = await project.call('POST', '/repository/tags', json);
      expect([status, body]).toEqual([400, { message }]);
    });
  });

  it('an archived project is not written to', async () => {
    const project = await newProject();
    const { id } = await project.write('main', { a: 'a' });
    expect((await project.call('POST', '/archive')).status).toBe(201);
    const { status, body } = await project.commit('main', 'Try', [{ action: 'create', file_path: 'b', content: '' }]);
    expect([status, body]).toEqual([403, { message: '403 Forbidden - This project is archived and read-only' }]);
    expect(await project.head('main')).toBe(id);
  });
});
