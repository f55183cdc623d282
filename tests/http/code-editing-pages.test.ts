import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { addProject, refsOf, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { removeFolder, withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

withGit('pages that change code', () => {
  describeAnyDatabase('pages that change code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let owner: FormBrowser;
    let developer: FormBrowser;
    let reporter: FormBrowser;
    let project: TestProject;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      for (const name of ['dora', 'rex']) await service.addUser(name, { password: PASSWORD });
      [owner, developer, reporter] = [
        await signedIn(service, 'ada'),
        await signedIn(service, 'dora'),
        await signedIn(service, 'rex'),
      ];
    });

    afterAll(() => service.close());

    beforeEach(async () => {
      project = await addProject(service, ada, { name: `mill-${(serial += 1)}`, visibility: 'public' });
      for (const [username, level] of [
        ['dora', 30],
        ['rex', 20],
      ] as const) {
        const { body } = await service.call<{ id: number }[]>('GET', `/users?username=${username}`, {
          token: ada.token,
        });
        await service.call('POST', `/projects/${project.id}/members`, {
          token: ada.token,
          json: { user_id: body[0]?.id, access_level: level },
        });
      }
    });

    const pushed = async (files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }) => {
      const tree = await WorkTree.init();
      for (const [path, content] of Object.entries(files)) await tree.commit(path, content);
      await tree.git('remote', 'add', 'origin', remoteOf(service, project.path, 'oauth2', ada.token));
      await tree.git('push', '--quiet', 'origin', 'main');
      removeFolder(tree.folder);
    };
    const at = (path: string) => `/${project.path}/-/${path}`;
    const proposalOf = (source_branch: string): string => {
      const query = { source_branch, target_branch: 'main', target_project: project.path };
      return at(`merge_requests/new?${new URLSearchParams(query).toString()}`);
    };
    const raw = async (path: string) => (await fetch(`${service.url}${at(`raw/${path}`)}`)).text();
    const lastOf = async (who: FormBrowser, path: string) =>
      /name="last_commit_id" value="([^"]*)"/.exec(await (await who.get(at(path))).text())?.[1] ?? '';
    const submit = (who: FormBrowser, page: string, values: Record<string, string>, action = page) =>
      who.submit(at(page), at(action), values);

    describe('begin a file with a template, without script', () => {
      it('offers licenses and templates, and fills the form with the one that is chosen', async () => {
        await pushed();
        const html = await (await developer.get(at('new/main'))).text();
        expect(html).toContain('<option value="licenses/mit">MIT License</option>');
        expect(html).toContain('<option value="gitignores/Node">Node</option>');
        const begun = await (await developer.get(at('new/main?template=gitignores%2FNode'))).text();
        expect(begun).toContain('name="path" class="code" value=".gitignore"');
        expect(begun).toContain('node_modules/');
        expect(begun).toContain('<option value="gitignores/Node" selected>');
      });

      it('names the person and the project in a license', async () => {
        await pushed();
        const html = await (await developer.get(at('new/main?template=licenses%2Fmit'))).text();
        expect(html).toContain('name="path" class="code" value="LICENSE"');
        expect(html).toContain(`Copyright (c) ${service.clock.now().getUTCFullYear()} dora Example`);
      });

      it('keeps what was typed: the template stands above it, and takes the place of another template alone', async () => {
        await pushed();
        await submit(owner, 'new/main', { path: 'docs/a.md', content: 'a', message: 'Say', branch: 'main' });
        const page = 'new/main/docs?template=licenses%2Fmit';
        const use = async (values: Record<string, string>) => {
          const answer = await submit(developer, page, {
            use_template: 'true',
            message: 'Say',
            branch: 'dora',
            ...values,
          });
          const html = await answer.text();
          const held = (field: string) => new RegExp(`name="${field}"[^>]*value="([^"]*)"`).exec(html)?.[1];
          const [, content = ''] = /<textarea id="content"[^>]*>\n([^]*?)<\/textarea>/.exec(html) ?? [];
          expect([answer.status, held('message'), held('branch')]).toEqual([200, 'Say', 'dora']);
          return { html, content, path: held('path'), begun: held('begun_with') };
        };
        const ours = await use({
          template: 'gitignores/Node',
          path: 'docs/own.txt',
          content: 'ours\r\n',
          begun_with: '',
        });
        expect(ours).toMatchObject({ path: 'docs/own.txt', begun: 'gitignores/Node' });
        expect(ours.content).toMatch(/node_modules\/[^]*\n\nours\n$/);
        expect(ours.html).toContain('What you had typed stands below the template.');
        expect(ours.html).toContain('<option value="gitignores/Node" selected>');
        const typed = { path: ours.path!, content: ours.content, begun_with: 'gitignores/Node' };
        expect((await use({ ...typed, template: 'gitignores/Node' })).content).toBe(ours.content);
        expect((await use({ ...typed, template: '' })).content).toBe(ours.content);

        const fresh = await use({ template: 'gitignores/Node', path: 'docs/', content: '', begun_with: '' });
        expect(fresh).toMatchObject({ path: 'docs/.gitignore', content: expect.stringMatching(/^[^]*node_modules\//) });
        const before = { path: fresh.path!, content: fresh.content.replaceAll('\n', '\r\n') };
        const other = await use({ ...before, begun_with: 'gitignores/Node', template: 'licenses/mit' });
        expect(other).toMatchObject({ path: 'docs/LICENSE', content: expect.stringContaining('MIT License') });
        expect(other.content).not.toContain('node_modules');
        expect((await fetch(`${service.url}${at('blob/main/docs/LICENSE')}`)).status).toBe(404);
      });

      it('begins empty with one that there is not', async () => {
        await pushed();
        for (const template of ['none', 'gitignores%2Fnone', 'gitignores%2F..%2Fci%2FGo', '%00'])
          expect(await (await developer.get(at(`new/main?template=${template}`))).text()).toContain(
            'name="path" class="code" value=""',
          );
      });
    });

    describe('edit a file', () => {
      it('in a commit that names the person, and lead to the file', async () => {
        await pushed();
        const answer = await submit(owner, 'edit/main/a.txt', {
          path: 'a.txt',
          content: 'two\r\nthree\r\n',
          message: 'Count on',
          branch: 'main',
        });
        expect([answer.status, answer.headers.get('location')]).toEqual([303, at('blob/main/a.txt')]);
        expect(await raw('main/a.txt')).toBe('two\nthree\n');
        const html = await (await owner.get(at('commits/main'))).text();
        expect(html).toContain('Count on');
        expect(html).toContain('ada Example');
        const { rows, files, problems } = await refsOf(service, project.id);
        expect(problems).toEqual([]);
        expect(files).toEqual(rows);
      });

      it('keep the ends of its lines as they were', async () => {
        await pushed({ 'dos.txt': 'one\r\ntwo\r\n' });
        await submit(owner, 'edit/main/dos.txt', {
          path: 'dos.txt',
          content: 'one\r\n2\r\n',
          message: 'm',
          branch: 'main',
        });
        expect(await raw('main/dos.txt')).toBe('one\r\n2\r\n');
      });

      it('move it where its path changes, on a branch of its own where another is named', async () => {
        await pushed();
        const answer = await submit(developer, 'edit/main/a.txt', {
          path: 'b.txt',
          content: 'one\n',
          message: 'Move',
          branch: 'moved',
        });
        expect(answer.headers.get('location')).toBe(proposalOf('moved'));
        expect(await raw('main/a.txt')).toBe('one\n');
      });

      it('on a branch of their own, with a merge request next, by who may not push where the file is', async () => {
        await pushed();
        const form = await (await developer.get(at('edit/main/a.txt'))).text();
        const [, branch = ''] = /name="branch" value="([^"]*)"/.exec(form) ?? [];
        expect([branch.endsWith('-patch-1'), form.includes('is protected, and you may not push there')]).toEqual([
          true,
          true,
        ]);
        const values = { path: 'a.txt', content: 'mine\n', message: 'Mine', branch };
        const saved = await submit(developer, 'edit/main/a.txt', values);
        const next = saved.headers.get('location') ?? '';
        expect([saved.status, next]).toEqual([303, proposalOf(branch)]);
        expect((await developer.get(next)).status).toBe(200);
        expect([await raw('main/a.txt'), await raw(`${branch}/a.txt`)]).toEqual(['one\n', 'mine\n']);
        const removal = await (await developer.get(at('delete/main/a.txt'))).text();
        expect(removal).toContain(`value="${branch.replace(/1$/, '2')}"`);
        expect(await (await owner.get(at('edit/main/a.txt'))).text()).not.toContain('is protected');
      });

      it('say why not, and keep what was written', async () => {
        await pushed();
        const values = { path: 'a.txt', content: '<b>lost?</b>', message: 'm', branch: 'main' };
        const refused = await submit(developer, 'edit/main/a.txt', values);
        expect(refused.status).toBe(403);
        const html = await refused.text();
        expect(html).toContain('You are not allowed to push into this branch');
        expect(html).toContain('&lt;b&gt;lost?&lt;/b&gt;');
        const stale = await lastOf(owner, 'edit/main/a.txt');
        await submit(owner, 'edit/main/a.txt', { ...values, content: 'new\n', last_commit_id: stale });
        const late = await submit(owner, 'edit/main/a.txt', { ...values, last_commit_id: stale });
        expect(late.status).toBe(400);
        const told = await late.text();
        expect(told).toContain('Somebody has changed the file since you began.');
        expect(told).toContain(`href="${at('blob/main/a.txt')}" target="_blank" rel="noopener">The file as it is now`);
        expect(await raw('main/a.txt')).toBe('new\n');
        // A word that is missing says nothing of what others wrote.
        const wordless = await submit(owner, 'edit/main/a.txt', { ...values, message: ' ', last_commit_id: stale });
        expect(await wordless.text()).toContain(`name="last_commit_id" value="${stale}"`);
        const [, seen = ''] = /name="last_commit_id" value="([^"]*)"/.exec(told) ?? [];
        await submit(owner, 'edit/main/a.txt', { ...values, content: 'mine\n', last_commit_id: seen });
        expect(await raw('main/a.txt')).toBe('mine\n');
        for (const [field, typed] of [
          ['path', '../x'],
          ['path', '.git/config'],
          ['path', 'a/../../b'],
          ['message', ' '],
          ['branch', 'a..b'],
        ] as const) {
          const wrong = await submit(owner, 'edit/main/a.txt', { ...values, [field]: typed });
          expect([typed, wrong.status]).toEqual([typed, 400]);
          expect(await wrong.text()).toContain(`id="${field}-problem" class="field-problem"`);
        }
      });

      it('hold a large text, and refuse one that is too large before anything is done', async () => {
        await pushed();
        const values = { path: 'a.txt', message: 'm', branch: 'main' };
        const large = 'é'.repeat(300_000);
        expect((await submit(owner, 'edit/main/a.txt', { ...values, content: large })).status).toBe(303);
        expect(await raw('main/a.txt')).toBe(large);
        const refused = await submit(owner, 'edit/main/a.txt', { ...values, content: 'x'.repeat(4_000_000) });
        expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('could not be read')]);
      });

      it('are for nobody who may not push, and for forms of this browser alone', async () => {
        await pushed();
        for (const page of ['edit/main/a.txt', 'new/main', 'delete/main/a.txt']) {
          expect([page, (await reporter.get(at(page))).status]).toEqual([page, 403]);
          const values = { path: 'x', content: 'x', message: 'm', branch: 'main' };
          expect([page, (await owner.post(at(page), values)).status]).toEqual([page, 403]);
        }
        const html = await (await reporter.get(at('blob/main/a.txt'))).text();
        expect(html).not.toContain('/-/edit/');
        await service.call('POST', `/projects/${project.id}/archive`, { token: ada.token });
        expect((await owner.get(at('edit/main/a.txt'))).status).toBe(403);
        expect(await (await owner.get(at('blob/main/a.txt'))).text()).not.toContain('/-/edit/');
      });
    });

    it('make the first file of a project, and remove its last', async () => {
      expect(await (await owner.get(`/${project.path}`)).text()).toContain(`href="${at('new/main')}"`);
      const made = await submit(owner, 'new/main', {
        path: 'docs/a.md',
        content: '# A\n',
        message: '',
        branch: 'main',
      });
      expect(made.headers.get('location')).toBe(at('blob/main/docs/a.md'));
      expect(await (await owner.get(at('commits/main'))).text()).toContain('Add docs/a.md');
      const again = await submit(owner, 'new/main/docs', {
        path: 'docs/a.md',
        content: 'x',
        message: 'm',
        branch: 'main',
      });
      expect(await again.text()).toContain('A file with this name already exists');
      const gone = await submit(owner, 'delete/main/docs/a.md', { message: 'Away', branch: 'main' });
      expect(gone.headers.get('location')).toBe(at('tree/main'));
      expect(await (await owner.get(at('tree/main'))).text()).toContain('There are no files here.');
    });

    it('lead back to the list from the address of a form, where a refused form was shown', async () => {
      await pushed();
      for (const [kind, form] of [
        ['branches', 'branches/new'],
        ['branches', 'branches/remove'],
        ['tags', 'tags/new'],
        ['tags', 'tags/remove'],
      ] as const) {
        const answer = await developer.get(at(`${form}?search=a&page=2`));
        expect([answer.status, answer.headers.get('location')]).toEqual([303, at(`${kind}?search=a&page=2`)]);
        expect((await developer.get(`//evil.example/mill/-/${form}`)).status).toBe(404);
      }
    });

    it('remove all merged branches at once, after they have asked', async () => {
      await pushed();
      await submit(developer, 'branches', { name: 'done', from: 'main' }, 'branches/new');
      const question = await (await developer.get(at('branches/remove_merged'))).text();
      expect(question).toContain('Every branch whose commits are all in main is deleted.');
      const answer = await submit(developer, 'branches/remove_merged', {}, 'branches/remove_merged');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, at('branches')]);
      await until(async () => !(await (await developer.get(at('branches'))).text()).includes('Delete the branch done'));
      expect(await (await developer.get(at('branches'))).text()).toContain('Delete merged branches');
    });

    it('make and remove branches and tags', async () => {
      await pushed();
      const made = await submit(developer, 'branches', { name: 'feature/a', from: 'main' }, 'branches/new');
      expect(made.headers.get('location')).toBe(at('tree/feature/a'));
      const twice = await submit(developer, 'branches', { name: 'feature/a', from: 'main' }, 'branches/new');
      const refused = await twice.text();
      expect(refused).toContain('Branch already exists');
      expect(refused).toMatch(/<details open>\s+<summary>New branch/);
      expect(refused).toContain('<input name="name" value="feature/a"');
      const html = await (await developer.get(at('branches'))).text();
      expect(html).toContain('Delete the branch feature/a');
      expect(html).not.toContain('Delete the branch main');
      expect((await submit(developer, 'branches', { name: 'feature/a' }, 'branches/remove')).status).toBe(303);
      expect((await submit(owner, 'branches', { name: 'main' }, 'branches/remove')).status).toBe(400);
      expect((await submit(owner, 'branches', { name: 'none' }, 'branches/remove')).status).toBe(404);
      const tag = { name: 'v1', from: 'main', message: 'One' };
      expect((await submit(developer, 'tags', tag, 'tags/new')).status).toBe(303);
      expect(await (await developer.get(at('tags'))).text()).not.toContain('Delete the tag');
      expect((await submit(developer, 'tags', { name: 'v1' }, 'tags/remove')).status).toBe(403);
      expect((await submit(owner, 'tags', { name: 'v1' }, 'tags/remove')).status).toBe(303);
      expect(await (await owner.get(at('tags'))).text()).toContain('There are no tags yet.');
    });

    describe('descriptions', () => {
      const FILES = {
        'a.txt': 'one\n',
        '.gitlab/issue_templates/Bug.md': '## Steps\n',
        '.gitlab/issue_templates/Task.md': 'of the other folder\n',
        '.gitlab/issue_templates/note.txt': 'no template\n',
        '.platform/issue_templates/Task.md': '## What is to be done\n',
        '.platform/issue_templates/Long.md': 'x'.repeat(100_001),
        '.gitlab/merge_request_templates/default.md': '## What changes <b>\n',
      };
      const written = async (files: Readonly<Record<string, string>>) => {
        const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }));
        const json = { branch: 'main', commit_message: 'Begin', actions };
        const made = await service.call('POST', `/projects/${project.id}/repository/commits`, {
          token: ada.token,
          json,
        });
        expect(made.status).toBe(201);
      };
      const descriptionIn = (html: string) =>
        unescaped(/<textarea id="description"[^>]*>\n([^]*?)<\/textarea>/.exec(html)?.[1] ?? 'none');
      const read = async (who: FormBrowser, path: string) => (await who.get(at(path))).text();

      it('of issues begin with a template that the code has, by its address or by a button, and what was typed stays', async () => {
        await written(FILES);
        const form = await read(developer, 'issues/new');
        const offered = [.../<select id="template"[^]*?<\/select>/.exec(form)![0].matchAll(/<option value="([^"]*)"/g)];
        expect(offered.map(([, name]) => name)).toEqual(['', 'Bug', 'Long', 'Task']);
        expect(descriptionIn(form)).toBe('');
        expect(descriptionIn(await read(developer, 'issues/new?template=bug'))).toBe('## Steps\n');
        const use = async (values: Record<string, string>) => {
          const sent = { title: 'T', use_template: 'true', ...values };
          const answer = await developer.submit(at('issues/new'), at('issues/new'), sent);
          expect(answer.status).toBe(200);
          return answer.text();
        };
        const task = await use({ template: 'Task', begun_with: 'Bug', description: '## Steps\r\n' });
        expect(descriptionIn(task)).toBe('## What is to be done\n');
        expect(task).toContain('name="begun_with" value="Task"');
        expect(task).toContain('value="T"');
        const both = await use({ template: 'Bug', begun_with: 'Task', description: 'My own' });
        expect(descriptionIn(both)).toBe('## Steps\n\nMy own');
        expect(descriptionIn(await use({ template: 'Long', description: 'Kept' }))).toContain('Kept');
        const { body } = await service.call<unknown[]>('GET', `/projects/${project.id}/issues`, { token: ada.token });
        expect(body).toEqual([]);
        const saved = { title: 'T', template: 'Bug', begun_with: 'Bug', description: 'Mine' };
        const made = await developer.submit(at('issues/new'), at('issues/new'), saved);
        expect([made.status, made.headers.get('location')]).toEqual([303, at('issues/1')]);
        expect(await read(developer, 'issues/1/edit')).not.toContain('id="template"');
      });

      it('of merge requests begin with the default one, above what the commits say', async () => {
        await written(FILES);
        const commit = {
          branch: '7-next',
          start_branch: 'main',
          commit_message: 'Next\n\nIt is better.',
          actions: [{ action: 'create', file_path: 'b.txt', content: 'two' }],
        };
        await service.call('POST', `/projects/${project.id}/repository/commits`, { token: ada.token, json: commit });
        const proposal = await (await developer.get(proposalOf('7-next'))).text();
        expect(descriptionIn(proposal)).toBe('## What changes <b>\n\nIt is better.\n\nCloses #7');
        expect(proposal).not.toContain('What changes <b>');
      });

      it('lead to commits of the project, and to what they name of other projects as far as their reader sees that', async () => {
        await written({ 'a.txt': 'one\n' });
        const { path } = project;
        const call = async <Body>(method: string, at: string, json?: object) =>
          (await service.call<Body>(method, at, { token: ada.token, ...(json && { json }) })).body;
        const commits = `/projects/${project.id}/repository/commits`;
        const [commit] = await call<{ id: string }[]>('GET', commits);
        const other = await addProject(service, ada, { name: `other-${serial}`, visibility: 'private' });
        await call('POST', `/projects/${other.id}/issues`, { title: 'Elsewhere' });
        const none = 'f'.repeat(40);
        const description = `See ${other.path}#1, ${other.path.toUpperCase()}#1. ${other.path}#2 ${path}#1 ${path}!1
          ${commit!.id} ${none} x${commit!.id} x/${other.path}#1 nobody/none#1`;
        await call('POST', `/projects/${project.id}/issues`, { title: 'Here', description });
        const linksFor = async (who: FormBrowser) => {
          const html = await read(who, 'issues/1');
          const shown = /<div class="markdown[^]*?<\/div>/.exec(html)![0];
          return [...shown.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, to, words]) => `${words} ${to}`);
        };
        const here = [`${path}#1 /${path}/-/issues/1`, `${commit!.id.slice(0, 8)} /${path}/-/commit/${commit!.id}`];
        const there = `/${other.path}/-/issues/1`;
        expect(await linksFor(owner)).toEqual([
          `${other.path}#1 ${there}`,
          `${other.path.toUpperCase()}#1 ${there}`,
          ...here,
        ]);
        expect(await linksFor(reporter)).toEqual(here);
      });

      it('that a commit closes say so once, with the way to the commit', async () => {
        await written({ 'a.txt': 'one\n' });
        const issue = { title: 'To do' };
        await service.call('POST', `/projects/${project.id}/issues`, { token: ada.token, json: issue });
        const { body } = await service.call<{ id: string }>('POST', `/projects/${project.id}/repository/commits`, {
          token: ada.token,
          json: {
            branch: 'main',
            commit_message: 'Do it\n\nCloses #1',
            actions: [{ action: 'create', file_path: 'b.txt', content: 'two' }],
          },
        });
        await until(async () => (await read(developer, 'issues/1')).includes('closed via commit'));
        const html = await read(developer, 'issues/1');
        expect(html).toContain(`closed via commit <a href="${at(`commit/${body.id}`)}">${body.id.slice(0, 8)}</a>`);
        expect(html).not.toContain('closed it');
      });

      it('are told to clients as far as they may read the code', async () => {
        await written(FILES);
        const templates = (path: string, token?: string) =>
          service.call('GET', `/projects/${project.id}/templates/${path}`, token === undefined ? {} : { token });
        expect((await templates('issues')).body).toEqual(['Bug', 'Long', 'Task'].map((name) => ({ key: name, name })));
        expect((await templates('merge_requests')).body).toEqual([{ key: 'default', name: 'default' }]);
        expect((await templates('issues/Bug')).body).toEqual({ name: 'Bug', content: '## Steps\n' });
        for (const name of ['Long', 'bug', 'note', '..%2Fa'])
          expect((await templates(`issues/${name}`)).status).toBe(404);
        const json = { visibility: 'private' };
        await service.call('PUT', `/projects/${project.id}`, { token: ada.token, json });
        const guest = await service.addUser(`guest-${serial}`, { password: PASSWORD });
        const member = { user_id: guest.id, access_level: 10 };
        await service.call('POST', `/projects/${project.id}/members`, { token: ada.token, json: member });
        expect((await templates('issues', guest.token)).body).toEqual([]);
        expect((await templates('issues/Bug', guest.token)).status).toBe(404);
        const form = await read(await signedIn(service, `guest-${serial}`), 'issues/new');
        expect([form.includes('id="title"'), form.includes('id="template"')]).toEqual([true, false]);
      });
    });
  });
});
