import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { addProject, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { git, removeFolder, withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const README = `# Mill

It grinds **numbers**. <script>alert(1)</script>

- [ ] oil the gears
- [guide](docs/guide.md#use), [top](/src/a.ts), [line](/src/a.ts#L2), [here](#mill), [out](https://example.com/)
- [bad](javascript:alert(1))

![mill](logo.png) ![far](https://example.com/far.png)

| a | b |
|---|---|
| 1 | 2 |
`;
const HOSTILE = '"><img src=x onerror=alert(1)>.txt';

withGit('the pages of code', () => {
  describeAnyDatabase('the pages of code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let project: TestProject;
    let tree: WorkTree;
    let owner: FormBrowser;
    const stranger = () => new FormBrowser(service.url);

    const write = (files: Readonly<Record<string, string | Buffer>>) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(tree.folder, path)), { recursive: true });
        writeFileSync(join(tree.folder, path), content);
      }
    };
    const commitAll = async (message: string) => {
      await tree.git('add', '--all');
      await tree.git('commit', '--quiet', '-m', message);
      return tree.head();
    };
    const head: { first: string; second: string } = { first: '', second: '' };

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      owner = await signedIn(service, 'ada');
      project = await addProject(service, ada, { name: 'mill', visibility: 'public' });
      tree = await WorkTree.init();
      write({
        'README.md': README,
        'src/a.ts': "const text = 'a';\n/* over\ntwo lines */\nexport { text };\n",
        'docs/guide.md': '# Use\n\nSee [the source](../src/a.ts).\n',
        'logo.png': PNG,
        'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'page.html': '<script>alert(1)</script>',
        'data.bin': Buffer.from([0, 1, 2, 3]),
        'empty.txt': '',
        'odd/-/blob/main/x.txt': 'odd\n',
        'odd/ 100% #?&.txt': 'signs\n',
        [HOSTILE]: 'hostile\n',
        'long.txt': Array.from({ length: 6_000 }, (_, index) => `line ${index + 1}`).join('\n'),
      });
      symlinkSync('/etc/passwd', join(tree.folder, 'link'));
      head.first = await commitAll('First <b>things</b>');
      await tree.git('branch', 'feature/x');
      await tree.git('tag', '-a', 'v1', '-m', 'One\n\n<i>notes</i>');
      write({ 'src/a.ts': "const text = 'b';\n/* over\ntwo lines */\nexport  { text };\n" });
      head.second = await commitAll('Second\n\nwith a body');
      await tree.git('remote', 'add', 'origin', remoteOf(service, project.path, 'oauth2', ada.token));
      await tree.git('push', '--quiet', 'origin', 'main', 'feature/x', 'v1');
    });

    afterAll(async () => {
      removeFolder(tree.folder);
      await service.close();
    });

    const read = async (path: string, who = stranger()) => {
      const response = await who.get(path.startsWith('/') ? path : `/${project.path}/-/${path}`);
      return { status: response.status, headers: response.headers, html: await response.text() };
    };

    describe('of a project', () => {
      it('show its files, its README, and where to clone it from', async () => {
        const { status, html } = await read(`/${project.path}`);
        expect(status).toBe(200);
        expect(html).toContain(`<a href="/${project.path}/-/tree/main/src">src</a>`);
        expect(html).toContain(`value="${service.url}/${project.path}.git"`);
        expect(html).not.toContain('Over SSH');
        expect(html).toContain('First &lt;b&gt;things&lt;/b&gt;');
        expect(html).toContain('It grinds <strong>numbers</strong>. &lt;script&gt;');
      });

      it('tell how to push the first commit to who may, and nobody else', async () => {
        const empty = await addProject(service, ada, { name: 'empty', visibility: 'public' });
        expect((await read(`/${empty.path}`, owner)).html).toContain(
          `git remote add origin ${service.url}/${empty.path}.git`,
        );
        const { html } = await read(`/${empty.path}`);
        expect(html).toContain('The repository is empty.');
        expect(html).not.toContain('git remote add');
        for (const page of ['branches', 'tags', 'compare'])
          expect([page, (await read(`/${empty.path}/-/${page}`)).status]).toEqual([page, 200]);
        expect((await read(`/${empty.path}/-/tree/main`)).status).toBe(404);
      });

      it('show the rest where repositories are out of reach', async () => {
        const broken = await TestService.start(await openTestDatabase(), { gitBinary: '/nonexistent/git' });
        const grace = await broken.addUser('grace');
        await addProject(broken, grace, { name: 'mill', visibility: 'public' });
        expect((await fetch(`${broken.url}/grace/mill`)).status).toBe(200);
        await broken.close();
      });
    });

    describe('of Markdown', () => {
      it('lead to files of the same version, to anchors of their own, and elsewhere without a word of where from', async () => {
        const { html } = await read(`/${project.path}`);
        expect(html).toContain(`href="/${project.path}/-/blob/main/docs/guide.md#user-content-use"`);
        for (const place of ['', '#L2']) expect(html).toContain(`href="/${project.path}/-/blob/main/src/a.ts${place}"`);
        expect(html).toContain('<h1 id="user-content-mill">');
        expect(html).toContain('href="#user-content-mill"');
        expect(html).toContain('<a href="https://example.com/" rel="nofollow noreferrer noopener">out</a>');
        expect(html).toContain(`<img src="/${project.path}/-/raw/main/logo.png" alt="mill"`);
        expect(html).toContain('<a href="https://example.com/far.png" rel="nofollow noreferrer noopener">far</a>');
        expect(html).toContain('<table>');
        expect(html).toMatch(
          /<input class="task-list-item-checkbox"[^>]*disabled=""[^>]*type="checkbox"> oil the gears/,
        );
        expect(html).not.toContain('href="javascript:');
      });

      it('are rendered on the page of the file, with links beside it, and shown as written on demand', async () => {
        const rendered = await read('blob/main/docs/guide.md');
        expect(rendered.html).toContain(`href="/${project.path}/-/blob/main/src/a.ts"`);
        expect((await read('blob/main/docs/guide.md?plain=1')).html).toContain('../src/a.ts</span>)');
      });
    });

    describe('of a folder', () => {
      it('resolve names of branches that hold slashes, tags, ids and their beginnings', async () => {
        for (const ref of ['main', 'feature/x', 'v1', 'HEAD', 'refs/heads/main', head.first, head.first.slice(0, 8)]) {
          const { status, html } = await read(`tree/${ref}/src`);
          expect([ref, status, html.includes('a.ts')]).toEqual([ref, 200, true]);
        }
      });

      it('tell which commit touched an entry last', async () => {
        const { html } = await read('tree/main/src');
        expect(html).toContain(`<a href="/${project.path}/-/commit/${head.second}">Second</a>`);
      });

      it('are not there for what is not there, and lead to the file for a file', async () => {
        for (const path of [
          'tree/nothing',
          'tree/main/nothing',
          'tree/main/src/a.ts/b',
          'blob/main/nothing',
          'tree/main?page=2',
        ])
          expect([path, (await read(path)).status]).toEqual([path, 404]);
        expect((await read('tree/main/src/a.ts')).headers.get('location')).toBe(
          `/${project.path}/-/blob/main/src/a.ts`,
        );
        expect((await read('blob/main/src')).headers.get('location')).toBe(`/${project.path}/-/tree/main/src`);
      });

      it('lead to every entry, whatever it is called', async () => {
        const { html } = await read('tree/main/odd');
        expect(html).toContain(`/-/blob/main/odd/%20100%25%20%23%3F%26.txt"`);
        expect((await read('blob/main/odd/%20100%25%20%23%3F%26.txt')).html).toContain('signs');
        expect((await read('blob/main/odd/-/blob/main/x.txt')).html).toContain('>odd\n');
        const hostile = await read(`blob/main/${encodeURIComponent(HOSTILE)}`);
        expect(hostile.status).toBe(200);
        expect(hostile.html).not.toContain('<img src=x');
      });

      it('show a folder of 100,000 entries a page at a time', async () => {
        const blob = (await git(['hash-object', '-w', '--stdin'], { cwd: tree.folder, input: 'x\n' })).trim();
        const entries = Array.from({ length: 100_000 }, (_, index) => `100644 blob ${blob}\tfile-${100_000 + index}\n`);
        const top = (await git(['mktree'], { cwd: tree.folder, input: entries.join('') })).trim();
        const commit = (await tree.git('commit-tree', '-m', 'Many', top)).trim();
        await tree.git('push', '--quiet', 'origin', `${commit}:refs/heads/many`);
        const { html } = await read('tree/many');
        expect(html).toContain('This folder has 100,000 entries; a page shows 200 of them.');
        expect(html).toContain('>file-100199</a>');
        expect(html).not.toContain('>file-100200</a>');
        expect(html.length).toBeLessThan(200_000);
        expect((await read('tree/many?page=500')).html).toContain('>file-199999</a>');
        expect((await read('tree/many?page=501')).status).toBe(404);
        await tree.git('push', '--quiet', 'origin', ':many');
      });

      it('switch to another version at the same path where it is there', async () => {
        const to = async (query: string) => (await read(`refs/switch?${query}`)).headers.get('location');
        expect(await to('ref=feature/x&path=src/a.ts&view=blob')).toBe(`/${project.path}/-/blob/feature/x/src/a.ts`);
        expect(await to('ref=v1&path=nothing&view=blob')).toBe(`/${project.path}/-/tree/v1`);
        expect(await to('ref=v1&path=src&view=commits')).toBe(`/${project.path}/-/commits/v1`);
        expect(await to('ref=none&path=')).toBe(`/${project.path}/-/branches?search=none`);
      });
    });

    describe('of a file', () => {
      it('show it highlighted, line by line', async () => {
        const { html } = await read('blob/main/src/a.ts');
        expect(html).toContain('<span class="hljs-keyword">const</span>');
        expect(html).toContain('id="L4"');
        // What goes on over lines is closed at the end of each.
        expect(html).toMatch(/<span class="hljs-comment">\/\* over<\/span>\n<\/span>/);
        expect(html).toMatch(/<span class="hljs-comment">two lines \*\/<\/span>/);
      });

      it('show what is long as it was written', async () => {
        const { html } = await read('blob/main/long.txt');
        expect(html).toContain('id="L6000"');
      });

      describe('that would take the time of others', () => {
        const pushed = async (name: string, files: Readonly<Record<string, string>>) => {
          const { path } = await addProject(service, ada, { name, visibility: 'public' });
          const other = await WorkTree.init();
          for (const [file, content] of Object.entries(files)) await other.commit(file, content);
          await other.git('push', '--quiet', remoteOf(service, path, 'oauth2', ada.token), 'main');
          removeFolder(other.folder);
          return path;
        };

        it('leave long lines and long blocks without colours, and no others', async () => {
          const [line, block] = ['a.'.repeat(100_000), 'let b;\n'.repeat(25_000)];
          const path = await pushed('quarry', {
            'README.md': `**Dig**\n\n\`\`\`r\n${line}\n\`\`\`\n\n\`\`\`js\n${block}\`\`\`\n\n\`\`\`js\nlet c;\n\`\`\`\n`,
            'line.js': `let a = '${'a'.repeat(3_000)}';\n`,
          });
          const { html } = await read(`/${path}`);
          expect(html).toContain('<strong>Dig</strong>');
          expect(html).toContain(line);
          expect(html).toContain(block);
          expect(html).toContain('<span class="hljs-keyword">let</span> c;');
          const file = (await read(`/${path}/-/blob/main/line.js`)).html;
          expect(file).toContain('a'.repeat(3_000));
          expect(file).not.toContain('hljs');
        });

        it('show Markdown that takes too long as it was written, and that of others as Markdown', async () => {
          const path = await pushed('pit', { 'README.md': '- [ ] a\n'.repeat(60_000) });
          const many = Array.from({ length: 6 }, () => read(`/${path}`));
          const { html } = await read('blob/main/docs/guide.md');
          expect(html).toContain('<h1 id="user-content-use">Use</h1>');
          for (const page of await Promise.all(many)) {
            expect(page.status).toBe(200);
            expect(page.html).toContain('- [ ] a\n- [ ] a\n');
          }
        });
      });

      it('show pictures as pictures, drawings as both, links as where they lead, and tell of what is no text', async () => {
        expect((await read('blob/main/logo.png')).html).toContain(
          `<img class="picture" src="/${project.path}/-/raw/main/logo.png"`,
        );
        const drawing = (await read('blob/main/drawing.svg')).html;
        expect(drawing).toContain('src="data:image/svg+xml;base64,');
        expect(drawing).not.toContain('<script>alert');
        expect((await read('blob/main/link')).html).toContain('/etc/passwd');
        expect((await read('blob/main/data.bin')).html).toContain('This is not a text file.');
        expect((await read('blob/main/empty.txt')).html).toContain('The file is empty.');
      });

      it('tell who wrote its lines', async () => {
        const { status, html } = await read('blame/main/src/a.ts');
        expect(status).toBe(200);
        expect(html).toContain(`/-/commit/${head.first}`);
        expect(html).toContain(`/-/commit/${head.second}`);
        expect((await read('blame/main/data.bin')).status).toBe(302);
        expect((await read('blame/main/long.txt?page=6')).html).toContain('line 6000');
        expect((await read('blame/main/long.txt?page=7')).status).toBe(404);
      });
    });

    describe('of raw files', () => {
      it('are text, bytes to save, or a picture, and never a page', async () => {
        const types: [string, string, string][] = [
          ['page.html', 'text/plain; charset=utf-8', 'inline'],
          ['drawing.svg', 'text/plain; charset=utf-8', 'inline'],
          ['src/a.ts', 'text/plain; charset=utf-8', 'inline'],
          ['logo.png', 'image/png', 'inline'],
          ['data.bin', 'application/octet-stream', 'attachment; filename=data.bin'],
        ];
        for (const [path, type, disposition] of types) {
          const { status, headers } = await read(`raw/main/${path}`);
          expect([path, status]).toEqual([path, 200]);
          expect([path, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
            path,
            type,
            disposition,
          ]);
          expect(headers.get('x-content-type-options')).toBe('nosniff');
          expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
        }
        expect((await read('raw/main/src/a.ts')).html).toBe(
          "const text = 'b';\n/* over\ntwo lines */\nexport  { text };\n",
        );
      });

      it('are not sent again to who has them, nor to who asks for the headers', async () => {
        const path = `/${project.path}/-/raw/main/long.txt`;
        const headers = (await fetch(service.url + path, { method: 'HEAD' })).headers;
        expect(Number(headers.get('content-length'))).toBeGreaterThan(50_000);
        const again = await fetch(service.url + path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
        expect(again.status).toBe(304);
      });
    });

    describe('of history', () => {
      it('list commits of a version, and those that touched a path', async () => {
        const { html } = await read('commits/main');
        expect(html.indexOf('Second')).toBeLessThan(html.indexOf('First &lt;b&gt;'));
        expect((await read('commits/main/src/a.ts')).html).toContain('Second');
        expect((await read('commits/main/logo.png')).html).not.toContain('Second');
        expect((await read('commits/main/never-there')).status).toBe(404);
      });

      it('show a commit with its changes, side by side and without those of whitespace', async () => {
        const { html } = await read(`commit/${head.second}`);
        expect(html).toContain('with a body');
        expect(html).toContain(
          `id="commit-id">${head.second}</span> <button type="button" class="link" data-copy="commit-id"`,
        );
        expect(html).toMatch(/<script src="[^"]*copy[^"]*" defer>/);
        expect(html).toContain('export  { text };');
        expect((await read(`commit/${head.second}?view=parallel`)).html).toContain('class="patch sides"');
        const quiet = (await read(`commit/${head.second}?w=1`)).html;
        expect(quiet).not.toMatch(/class="added".*export {2}\{/);
        expect((await read(`commit/${head.first}`)).html).not.toContain('<img src=x');
        expect((await read(`commit/${'0'.repeat(40)}`)).status).toBe(404);
      });

      it('compare two versions', async () => {
        const { html } = await read('compare/feature/x...main');
        expect(html).toContain('Second');
        expect((await read('compare/main...feature/x')).html).toContain('has nothing that');
        expect((await read('compare/main...none')).status).toBe(404);
        expect((await read('compare?from=v1&to=main')).headers.get('location')).toBe(
          `/${project.path}/-/compare/v1...main`,
        );
        expect((await read(`compare/main...${encodeURIComponent('<b>')}`)).html).toContain('&lt;b&gt;');
      });

      it('search in files, for text and not for a pattern', async () => {
        const { html } = await read(`search?search=${encodeURIComponent('CONST text')}`);
        expect(html).toContain(`href="/${project.path}/-/blob/main/src/a.ts#L1"`);
        expect((await read('search?search=--help')).html).toContain('Nothing was found.');
        expect((await read(`search?search=${encodeURIComponent('const.*')}`)).html).toContain('Nothing was found.');
        expect((await read(`search?search=signs&ref=v1`)).html).toContain(
          `href="/${project.path}/-/blob/v1/odd/%20100%25%20%23%3F%26.txt#L1"`,
        );
        expect((await read(`search?search=${encodeURIComponent('<script>')}`)).html).not.toContain('<script>');
        // At most twenty of a file.
        expect((await read('search?search=line')).html.match(/long\.txt#L/g)).toHaveLength(20);
        expect((await read('search?search=line&ref=none')).status).toBe(404);
        expect((await read('search')).status).toBe(200);
      });

      it('list branches with what they lack, and tags with their words', async () => {
        const { html } = await read('branches');
        expect(html).toContain('0 ahead, 1 behind');
        expect(html).toContain('merged');
        expect((await read('branches?search=feat')).html).not.toContain('<strong>main</strong>');
        const tags = (await read('tags')).html;
        expect(tags).toContain('&lt;i&gt;notes&lt;/i&gt;');
        expect(tags).toContain(`href="/${project.path}/-/tree/v1"`);
      });
    });

    it('tell `go get` where the repository of a package is, and nobody of one that they may not see', async () => {
      const ask = async (path: string) => {
        const response = await fetch(`${service.url}${path}?go-get=1`);
        return [response.status, /<meta name="go-import" content="([^"]*)">/.exec(await response.text())?.[1]];
      };
      const host = service.url.replace('http://', '');
      const told = (path: string) => [200, `${host}/${path} git ${service.url}/${path}.git`];
      const addGroup = async (fields: object) => {
        const json = { visibility: 'public', ...fields };
        return (await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json })).body.id;
      };
      const tools = await addGroup({ name: 'tools', path: 'tools' });
      const within = await addGroup({ name: 'deep', path: 'deep', parent_id: tools });
      for (const visibility of ['public', 'private'])
        await addProject(service, ada, { name: visibility, visibility, namespace_id: within });
      expect(await ask('/ada/mill')).toEqual(told('ada/mill'));
      expect(await ask('/ada/mill/sub/pkg')).toEqual(told('ada/mill'));
      expect(await ask('/tools/deep/public/v2')).toEqual(told('tools/deep/public'));
      for (const name of ['private', 'none']) expect(await ask(`/tools/deep/${name}/v2`)).toEqual(told('tools/deep'));
      expect(await ask('/no/such/pkg')).toEqual(told('no/such'));
      expect((await fetch(`${service.url}/ada/mill/sub/pkg`)).status).toBe(404);
      expect(await ask('/ada/mi%3Cll')).toEqual([404, undefined]);
    });

    it('are for who may read the code, and tell nobody else that there is any', async () => {
      const pages = [
        'tree/main',
        'blob/main/README.md',
        'raw/main/README.md',
        'blame/main/README.md',
        'commits/main',
        `commit/${head.first}`,
        'compare',
        'compare/main...v1',
        'branches',
        'tags',
        'refs/switch?ref=main',
        'search?search=a',
      ];
      const eve = await service.addUser('eve', { password: PASSWORD });
      const guest = await service.addUser('guest', { password: PASSWORD });
      await service.call('POST', `/projects/${project.id}/members`, {
        token: ada.token,
        json: { user_id: guest.id, access_level: 10 },
      });
      const who = {
        stranger: stranger(),
        eve: await signedIn(service, eve.username),
        guest: await signedIn(service, 'guest'),
      };
      const expected = {
        public: { stranger: 'open', eve: 'open', guest: 'open' },
        internal: { stranger: 404, eve: 'open', guest: 'open' },
        private: { stranger: 404, eve: 404, guest: 403 },
      } as const;
      for (const [visibility, statuses] of Object.entries(expected)) {
        await service.call('PUT', `/projects/${project.id}`, { token: ada.token, json: { visibility } });
        for (const [name, status] of Object.entries(statuses))
          for (const page of pages) {
            const answer = (await read(page, who[name as keyof typeof who])).status;
            const seen = answer === 200 || answer === 303 ? 'open' : answer;
            expect([visibility, name, page, seen]).toEqual([visibility, name, page, status]);
          }
      }
      const { html } = await read(`/${project.path}`, who.guest);
      expect(html).not.toContain('/-/tree/');
      await service.call('PUT', `/projects/${project.id}`, { token: ada.token, json: { visibility: 'public' } });
    });
  });
});
