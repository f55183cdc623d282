import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { addProject } from '../support/git-service.js';
import { withGit } from '../support/git.js';
import { TestService, type Answer, type TestUser } from '../support/test-service.js';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly path: string;
  readonly mode: string;
}
interface CommitBody {
  readonly id: string;
  readonly title: string;
}
interface Named {
  readonly name: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const tarOptions = (format: string): readonly string[] =>
  format === 'tar' ? [] : format.includes('b') ? ['-j'] : ['-z'];
const SOURCE = 'int main() {\n  return 1;\n}\n';

withGit('code by REST', () => {
  describeEachDatabase('code by REST', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let mill: CodeProject;
    let empty: CodeProject['get'];

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      mill = await pushCodeProject(service, ada, { name: 'mill' });
      const { id } = await addProject(service, ada, { name: 'nothing-yet' });
      empty = (path) => service.call('GET', `/projects/${id}${path}`, { token: ada.token });
    });

    afterAll(() => service.close());

    const notFound = (what: string) => ({ status: 404, body: { message: `404 ${what} Not Found` } });
    const list = async <Body = Named>(path: string) => (await mill.get<Body[]>(path)).body;
    const head = (path: string) =>
      fetch(`${service.url}/api/v4/projects/${mill.id}${path}`, {
        method: 'HEAD',
        headers: { 'PRIVATE-TOKEN': ada.token },
      });

    describe('trees', () => {
      it('list a folder as git does, with six digits of mode', async () => {
        const { body } = await mill.get<Entry[]>('/repository/tree');
        expect(body.map(({ mode, type, path }) => `${mode} ${type} ${path}`)).toEqual([
          '100644 blob README.md',
          '040000 tree bin',
          '100644 blob image.png',
          '120000 blob link',
          '040000 tree src',
        ]);
        const inFolder = await list<Entry>('/repository/tree?path=src%2Fa%20b&ref=v1.0');
        expect(inFolder).toMatchObject([{ name: 'ünï.txt', path: 'src/a b/ünï.txt' }]);
      });

      it('list everything below a folder, by pages with totals, by tokens, or at once', async () => {
        const all = ['src', 'src/a b', 'src/a b/ünï.txt', 'src/mill.c'];
        const recursive = '/repository/tree?recursive=true';
        const whole = await list<Entry>(`${recursive}&pagination=none`);
        expect(whole.map(({ path }) => path).filter((path) => path.startsWith('src'))).toEqual(all);
        const page = await mill.get<Entry[]>(`${recursive}&per_page=3&page=2`);
        expect(page.body).toEqual(whole.slice(3, 6));
        expect([page.headers.get('x-total'), page.headers.get('x-page')]).toEqual([String(whole.length), '2']);
        const walked: Entry[] = [];
        for (let path: string | undefined = `${recursive}&pagination=keyset&per_page=2`; path !== undefined;) {
          const { body, headers }: Answer<Entry[]> = await mill.get(path);
          walked.push(...body);
          const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
          path = next?.slice(next.indexOf('/repository'));
          expect(headers.get('x-total')).toBeNull();
        }
        expect(walked).toEqual(whole);
        expect(await mill.get('/repository/tree?pagination=none')).toMatchObject({ status: 400 });
      });

      it('are told by where they lie, also where two hold the same, and whenever they are asked for', async () => {
        const { token } = ada;
        const { id } = await addProject(service, ada, { name: 'twins' });
        const actions = ['one/a', 'one/b', 'two/a', 'two/b'].map((file_path) => ({ action: 'create', file_path }));
        const json = { branch: 'main', commit_message: 'Twins', actions };
        await service.call('POST', `/projects/${id}/repository/commits`, { token, json });
        const paths = async (query: string) => {
          const { body } = await service.call<Entry[]>('GET', `/projects/${id}/repository/tree?${query}`, { token });
          return body.map(({ path }) => path);
        };
        for (let time = 0; time < 2; time += 1) {
          expect(await paths('path=one')).toEqual(['one/a', 'one/b']);
          expect(await paths('path=two')).toEqual(['two/a', 'two/b']);
          expect(await paths('path=two&per_page=1&page=2')).toEqual(['two/b']);
          expect(await paths('')).toEqual(['one', 'two']);
          expect(await paths('recursive=true')).toEqual(['one', 'one/a', 'one/b', 'two', 'two/a', 'two/b']);
        }
      });

      it('are not found for an unknown ref, an unknown path, a file, or where nothing was pushed', async () => {
        expect(await mill.get('/repository/tree?ref=no-such')).toMatchObject(notFound('Tree'));
        expect(await empty('/repository/tree')).toMatchObject(notFound('Tree'));
        for (const path of ['no-such', 'README.md', '../..'])
          expect(await mill.get(`/repository/tree?path=${encodeURIComponent(path)}`)).toMatchObject(
            notFound('invalid revision or path'),
          );
      });
    });

    it.each(['main', 'v1.0', 'refs/heads/main', 'refs/tags/v1.10', 'HEAD', 'feature/pumps', 'old.fix'])(
      'a revision may be called %s',
      async (name) => {
        const { status } = await mill.get(`/repository/tree?ref=${encodeURIComponent(name)}`);
        const commit = await mill.get(`/repository/commits/${encodeURIComponent(name)}`);
        expect([status, commit.status]).toEqual([200, 200]);
      },
    );

    it('a revision may be called by the id of a commit, or its beginning', async () => {
      const [, , , , , last = ''] = mill.commits;
      for (const length of [40, 12, 8])
        expect((await mill.get<CommitBody>(`/repository/commits/${last.slice(0, length)}`)).body.id).toBe(last);
    });

    describe('blobs', () => {
      const idOf = async (path: string) =>
        (await list<Entry>('/repository/tree?recursive=true&per_page=100')).find((each) => each.path === path)!.id;

      it('are told as JSON with their content in base64, and as their bytes', async () => {
        const id = await idOf('src/mill.c');
        const { body } = await mill.get(`/repository/blobs/${id}`);
        expect(body).toEqual({ size: SOURCE.length, encoding: 'base64', sha: id, content: base64(SOURCE) });
        const raw = await mill.get(`/repository/blobs/${id}/raw`);
        expect(raw).toMatchObject({ status: 200, body: SOURCE });
        expect(raw.headers.get('content-type')).toBe('text/plain');
        expect(raw.headers.get('content-disposition')).toBe('inline');
        expect(raw.headers.get('content-security-policy')).toContain('sandbox');
        expect(raw.headers.get('x-content-type-options')).toBe('nosniff');
      });

      it('are not found by the id of another kind of object, or what is no id', async () => {
        for (const id of [mill.commits[0], '0'.repeat(40), 'main', '--help'])
          for (const end of ['', '/raw'])
            expect(await mill.get(`/repository/blobs/${id}${end}`)).toMatchObject(notFound('Blob'));
        expect(await empty(`/repository/blobs/${'0'.repeat(40)}`)).toMatchObject(notFound('Blob'));
      });
    });

    describe('files', () => {
      const FILE = '/repository/files/src%2Fmill.c';

      it('are told with their content and where it is from, and all but the content as headers', async () => {
        const [, , , , , last] = mill.commits;
        const { body, headers } = await mill.get<Record<string, unknown>>(`${FILE}?ref=main`);
        const fields = {
          file_name: 'mill.c',
          file_path: 'src/mill.c',
          size: SOURCE.length,
          encoding: 'base64',
          content_sha256: sha256(SOURCE),
          ref: 'main',
          blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
          commit_id: last,
          last_commit_id: last,
          execute_filemode: false,
        };
        expect(body).toEqual({ ...fields, content: base64(SOURCE) });
        const answer = await head(`${FILE}?ref=main`);
        expect(answer.status).toBe(200);
        for (const from of [headers, answer.headers]) {
          expect(from.get('x-gitlab-file-path')).toBe('src/mill.c');
          expect(from.get('x-gitlab-content-sha256')).toBe(sha256(SOURCE));
          expect(from.get('x-gitlab-blob-id')).toBe(body['blob_id']);
          expect(from.get('x-gitlab-size')).toBe(String(SOURCE.length));
          expect(from.get('x-gitlab-execute-filemode')).toBe('false');
          // To scripts of other origins, too.
          const exposed = from.get('access-control-expose-headers')?.toLowerCase().split(', ');
          const told = [...from.keys()].filter((name) => name.startsWith('x-gitlab-'));
          expect(exposed).toEqual(expect.arrayContaining([...told, 'link']));
        }
      });

      it('have the last commit that changed them, their mode, and of a link its target', async () => {
        const readme = await mill.get('/repository/files/README.md?ref=main');
        expect(readme.body).toMatchObject({ last_commit_id: mill.commits[0], commit_id: mill.commits[5] });
        const script = await mill.get('/repository/files/bin%2Frun.sh?ref=main');
        expect(script.body).toMatchObject({ execute_filemode: true });
        const link = await mill.get('/repository/files/link?ref=main');
        expect(link.body).toMatchObject({ content: base64('README.md') });
        const odd = await mill.get(`/repository/files/${encodeURIComponent('src/a b/ünï.txt')}?ref=v1.0`);
        expect(odd.body).toMatchObject({ file_name: 'ünï.txt', content: base64('ü\n') });
      });

      // Rows 36 and 37 of the changes from version 3.
      it('are sent as bytes by their path and any commit, as blobs of a commit were before', async () => {
        const old = await mill.get(`/repository/files/src%2Fmain.c/raw?ref=${mill.commits[1]}`);
        expect(old).toMatchObject({ status: 200, body: 'int main() {\n  return 0;\n}\n' });
        const raw = await mill.get(`${FILE}/raw`);
        expect(raw.body).toBe(SOURCE);
        expect(raw.headers.get('content-type')).toBe('text/plain');
        expect(raw.headers.get('content-disposition')).toBe('inline; filename="mill.c"');
        expect(raw.headers.get('x-gitlab-file-name')).toBe('mill.c');
      });

      it('say by which name of their commit they were asked for, whenever they are', async () => {
        const last = mill.commits[5] ?? '';
        for (const ref of ['main', last, 'main', mill.commits[1] ?? '']) {
          const { body } = await mill.get('/repository/files/README.md?ref=' + ref);
          expect(body).toMatchObject({ ref, commit_id: ref === 'main' ? last : ref });
        }
      });

      it('are found by their URL-encoded path, no longer by a parameter', async () => {
        expect((await mill.get('/repository/files?file_path=src%2Fmill.c&ref=main')).status).toBe(404);
        expect((await mill.get(`${FILE}?ref=main`)).status).toBe(200);
      });

      it('are told line by line which commit they are from', async () => {
        const { body } = await mill.get<{ commit: CommitBody; lines: string[] }[]>(`${FILE}/blame?ref=main`);
        expect(body.map(({ commit, lines }) => [commit.id, lines])).toEqual([
          [mill.commits[1], ['int main() {']],
          [mill.commits[2], ['  return 1;']],
          [mill.commits[1], ['}']],
        ]);
        expect(body[0]?.commit).toEqual({
          id: mill.commits[1],
          parent_ids: [mill.commits[0]],
          message: expect.stringContaining('Add the source'),
          authored_date: '2026-03-01T10:00:00.000+02:00',
          author_name: 'Grace',
          author_email: 'grace@example.com',
          committed_date: expect.any(String),
          committer_name: 'Ada',
          committer_email: 'ada@example.com',
        });
        const some = await mill.get<unknown[]>(`${FILE}/blame?ref=main&range[start]=2&range[end]=2`);
        expect(some.body).toMatchObject([{ lines: ['  return 1;'] }]);
        for (const range of [
          'range[start]=3&range[end]=2',
          'range[start]=9&range[end]=10',
          'range[start]=0&range[end]=1',
        ])
          expect((await mill.get(`${FILE}/blame?ref=main&${range}`)).status).toBe(400);
        for (const [given, missing] of [
          ['start', 'end'],
          ['end', 'start'],
        ])
          expect(await mill.get(`${FILE}/blame?ref=main&range[${given}]=1`)).toMatchObject({
            ...{ status: 400, body: { error: `range[${missing}] is missing` } },
          });
        expect((await head(`${FILE}/blame?ref=main`)).headers.get('x-gitlab-blob-id')).not.toBeNull();
      });

      it('need a ref, and are missed in the order commit, then file', async () => {
        expect(await mill.get(FILE)).toMatchObject({ status: 400, body: { error: 'ref is missing' } });
        expect(await mill.get(`${FILE}?ref=`)).toMatchObject({ status: 400, body: { error: 'ref is empty' } });
        expect(await mill.get('/repository/files/no-such?ref=no-such')).toMatchObject(notFound('Commit'));
        for (const path of ['no-such', 'src', 'src%2Fmill.c%2Fbelow'])
          expect(await mill.get(`/repository/files/${path}?ref=main`)).toMatchObject(notFound('File'));
        for (const path of ['..%2F..%2Fetc%2Fpasswd', '%2Fetc%2Fpasswd', 'src%2F..%2FREADME.md', 'README.md%2F'])
          expect(await mill.get(`/repository/files/${path}?ref=main`)).toMatchObject({
            status: 400,
            body: { error: 'file_path should be a valid file path' },
          });
      });
    });

    describe('commits', () => {
      const titles = async (query: string) =>
        (await list<CommitBody>(`/repository/commits?${query}`)).map(({ title }) => title);

      it('are told with everything that clients read', async () => {
        const { body } = await mill.get<Record<string, unknown>>(`/repository/commits/${mill.commits[1]}`);
        expect(body).toEqual({
          id: mill.commits[1],
          short_id: mill.commits[1]?.slice(0, 8),
          created_at: body['committed_date'],
          parent_ids: [mill.commits[0]],
          title: 'Add the source',
          message: expect.stringMatching(/^Add the source\n\nWith a body\.\n/),
          author_name: 'Grace',
          author_email: 'grace@example.com',
          authored_date: '2026-03-01T10:00:00.000+02:00',
          committer_name: 'Ada',
          committer_email: 'ada@example.com',
          committed_date: expect.any(String),
          trailers: {},
          extended_trailers: {},
          web_url: `${service.url}/ada/mill/-/commit/${mill.commits[1]}`,
          stats: { additions: 5, deletions: 0, total: 5 },
          status: null,
          project_id: mill.id,
          last_pipeline: null,
        });
        const without = await mill.get(`/repository/commits/${mill.commits[1]}?stats=false`);
        expect(without.body).not.toHaveProperty('stats');
      });

      // Row 31 of the changes from version 3: pages are counted from 1.
      it('are paged from page 1 on, without totals, each full page with a link to the next', async () => {
        const first = await mill.get<CommitBody[]>('/repository/commits?per_page=4&order=topo');
        const same = await mill.get<CommitBody[]>('/repository/commits?per_page=4&order=topo&page=1');
        const second = await mill.get<CommitBody[]>('/repository/commits?per_page=4&order=topo&page=2');
        expect(same.body).toEqual(first.body);
        expect([...first.body, ...second.body].map(({ id }) => id).sort()).toEqual([...mill.commits].sort());
        expect(first.headers.get('x-total')).toBeNull();
        expect([first.headers.get('x-next-page'), first.headers.get('x-prev-page')]).toEqual(['2', '']);
        const link = first.headers.get('link') ?? '';
        expect(link).toMatch(/page=2[^>]*>; rel="next"/);
        expect(link).toMatch(/page=1[^>]*>; rel="first"/);
        expect(link).not.toContain('rel="last"');
        expect([second.headers.get('x-next-page'), second.headers.get('x-prev-page')]).toEqual(['', '1']);
      });

      it('are chosen by every filter', async () => {
        expect(await titles('ref_name=feature%2Fpumps')).toEqual(['Add a pump', 'Add the source', 'First']);
        expect(await titles('ref_name=main..feature%2Fpumps')).toEqual(['Add a pump']);
        expect(await titles('ref_name=')).toEqual(await titles('ref_name=main'));
        const [whole, blank] = [await list('/repository/tree'), await list('/repository/tree?ref=')];
        expect(blank).toEqual(whole);
        expect((await mill.get(`/repository/files/README.md/raw?ref=`)).status).toBe(200);
        expect(await titles('path=%2Fsrc%2Fmain.c')).toEqual(['Rename the source', 'Fix the answer', 'Add the source']);
        expect(await titles('path=.%2Fsrc%2F%2Fmain.c')).toEqual(await titles('path=src%2Fmain.c'));
        expect(await titles('path=.')).toEqual(await titles('path='));
        expect(await titles('author=GRACE')).toEqual(['Add the source']);
        expect(await titles('first_parent=true&order=topo')).toEqual([
          'Rename the source',
          "Merge branch 'old.fix'",
          'Add a picture',
          'Add the source',
          'First',
        ]);
        expect(await titles('all=true&per_page=100')).toHaveLength(7);
        expect(await titles('until=2001-01-01')).toEqual([]);
        expect(await titles('since=2001-01-01T00:00:00Z&until=2100-01-01T00:00:00%2B02:00')).toHaveLength(6);
        expect(await titles('since=2100-01-01T00:00:00Z')).toEqual([]);
      });

      it('are told with their trailers and counts where that is asked for', async () => {
        const [commit] = await list<object>(`/repository/commits?ref_name=v1.0&trailers=true&with_stats=true`);
        expect(commit).toMatchObject({
          trailers: { Changelog: 'added', 'Reviewed-by': 'Grace <grace@example.com>' },
          stats: { total: 5 },
        });
      });

      it('are none where the ref is unknown, nothing was pushed, or the page is beyond them', async () => {
        for (const query of ['ref_name=no-such', 'page=99', 'page=999999999999'])
          expect(await mill.get(`/repository/commits?${query}`)).toMatchObject({ status: 200, body: [] });
        expect(await empty('/repository/commits')).toMatchObject({ status: 200, body: [] });
      });

      it.each([
        ['since=yesterday', 'since is invalid'],
        ['until=2026-13-40', 'until is invalid'],
        ['ref_name=--output%3D%2Ftmp%2Fx', 'ref_name is invalid'],
        ['path=..', 'path is invalid'],
        ['path=src%2F..%2F..%2Fx', 'path is invalid'],
      ])('are refused for %s', async (query, error) => {
        expect(await mill.get(`/repository/commits?${query}`)).toMatchObject({ status: 400, body: { error } });
      });

      it('say what they changed, a merge against its first parent', async () => {
        const { body, headers } = await mill.get<object[]>(`/repository/commits/${mill.commits[4]}/diff`);
        expect(body).toEqual([
          {
            diff: '@@ -1,3 +1,3 @@\n int main() {\n-  return 0;\n+  return 1;\n }\n',
            collapsed: false,
            too_large: false,
            new_path: 'src/main.c',
            old_path: 'src/main.c',
            a_mode: '100644',
            b_mode: '100644',
            new_file: false,
            renamed_file: false,
            deleted_file: false,
          },
        ]);
        expect(headers.get('x-total')).toBe('1');
        const last = await list<object>(`/repository/commits/${mill.commits[5]}/diff`);
        expect(last).toContainEqual(
          expect.objectContaining({ renamed_file: true, old_path: 'src/main.c', new_path: 'src/mill.c', diff: '' }),
        );
        const picture = await list<object>(`/repository/commits/${mill.commits[3]}/diff`);
        expect(picture).toMatchObject([{ new_file: true, a_mode: '0', b_mode: '100644', diff: '' }]);
        const first = await list<object>(`/repository/commits/${mill.commits[0]}/diff`);
        expect(first).toMatchObject([{ new_file: true, diff: '@@ -0,0 +1 @@\n+# Mill\n' }]);
      });

      it('say which branches and tags have them, and how many lead to them', async () => {
        const path = `/repository/commits/${mill.commits[2]}`;
        expect(await list(`${path}/refs`)).toEqual([
          { type: 'branch', name: 'main' },
          { type: 'branch', name: 'old.fix' },
          { type: 'tag', name: 'v1.10' },
        ]);
        expect(await list(`${path}/refs?type=tag`)).toEqual([{ type: 'tag', name: 'v1.10' }]);
        expect((await mill.get(`${path}/sequence`)).body).toEqual({ count: 3 });
      });

      it('have no signature, merge requests or statuses unless somebody made them', async () => {
        const path = `/repository/commits/${mill.commits[0]}`;
        expect(await mill.get(`${path}/signature`)).toMatchObject(notFound('Signature'));
        expect(await mill.get(`${path}/merge_requests`)).toMatchObject({ status: 200, body: [] });
        expect(await mill.get(`${path}/statuses`)).toMatchObject({ status: 200, body: [] });
      });

      it('are not found where there are none', async () => {
        for (const path of ['', '/diff', '/refs', '/signature', '/statuses'])
          for (const sha of ['no-such', '0'.repeat(40), '--all'])
            expect(await mill.get(`/repository/commits/${sha}${path}`)).toMatchObject(notFound('Commit'));
        expect(await empty('/repository/commits/main')).toMatchObject(notFound('Commit'));
      });
    });

    describe('branches', () => {
      const names = async (query = '') => (await list(`/repository/branches${query}`)).map(({ name }) => name);

      it('say whether they are merged, protected, the default, and open to the caller', async () => {
        const { body, headers } = await mill.get<object[]>('/repository/branches');
        const rights = { developers_can_push: false, developers_can_merge: false, can_push: true };
        expect(body).toMatchObject([
          { name: 'feature/pumps', merged: false, protected: false, default: false, ...rights },
          { name: 'main', merged: false, protected: true, default: true, ...rights },
          { name: 'old.fix', merged: true, protected: false, default: false, ...rights },
        ]);
        expect(body[0]).toMatchObject({
          commit: { id: mill.feature, title: 'Add a pump' },
          web_url: `${service.url}/ada/mill/-/tree/feature/pumps`,
        });
        expect(headers.get('x-total')).toBe('3');
      });

      it('are searched, chosen by expressions, and sorted', async () => {
        expect(await names('?search=i')).toEqual(['main', 'old.fix']);
        expect(await names('?search=%5Eo')).toEqual(['old.fix']);
        expect(await names('?search=in%24')).toEqual(['main']);
        expect(await names('?regex=%5E(main%7Cold%5C..*)%24')).toEqual(['main', 'old.fix']);
        expect(await names('?regex=p%7B1%7Dumps')).toEqual(['feature/pumps']);
        expect(await names('?sort=updated_asc')).toHaveLength(3);
        expect(await names('?sort=updated_desc&per_page=1')).toHaveLength(1);
        expect(await mill.get('/repository/branches?regex=(')).toMatchObject({
          status: 400,
          body: { message: 'Regex is invalid' },
        });
        expect(await empty('/repository/branches')).toMatchObject({ status: 200, body: [] });
      });

      it('are found by a name with slashes and dots, and by HEAD', async () => {
        expect((await mill.get('/repository/branches/feature%2Fpumps')).body).toMatchObject({ name: 'feature/pumps' });
        expect((await mill.get('/repository/branches/old.fix')).body).toMatchObject({ name: 'old.fix', merged: true });
        expect((await head('/repository/branches/main')).status).toBe(204);
        expect((await head('/repository/branches/no-such')).status).toBe(404);
        for (const name of ['no-such', 'v1.0', mill.commits[0], 'refs%2Fheads%2Fmain'])
          expect(await mill.get(`/repository/branches/${name}`)).toMatchObject(notFound('Branch'));
      });
    });

    describe('comparisons', () => {
      interface ComparisonBody {
        readonly commit: CommitBody | null;
        readonly commits: readonly CommitBody[];
        readonly diffs: readonly { readonly new_path: string }[];
      }
      const compare = async (query: string) => (await mill.get<ComparisonBody>(`/repository/compare?${query}`)).body;

      it('begin where the two parted, or with the first as it is', async () => {
        const parted = await compare('from=main&to=feature%2Fpumps');
        expect(parted).toMatchObject({
          commit: { title: 'Add a pump' },
          commits: [{ id: mill.feature }],
          diffs: [{ new_path: 'pump.txt', new_file: true }],
          compare_timeout: false,
          compare_same_ref: false,
          web_url: `${service.url}/ada/mill/-/compare/main...feature%2Fpumps`,
        });
        const straight = await compare('from=main&to=feature%2Fpumps&straight=true');
        expect(straight.diffs.map(({ new_path }) => new_path)).toContain('image.png');
        const forward = await compare('from=v1.9&to=main');
        expect(forward.commits).toHaveLength(5);
        expect(forward.commits[0]).toMatchObject({ id: mill.commits[1] });
        expect(forward.commit).toEqual(forward.commits.at(-1));
      });

      it('of one commit with itself are empty; of what is not there they are not found', async () => {
        expect(await compare('from=main&to=v1.10')).toMatchObject({
          commit: null,
          commits: [],
          diffs: [],
          compare_same_ref: true,
        });
        expect(await mill.get('/repository/compare?from=main&to=no-such')).toMatchObject(notFound('Ref'));
        expect(await mill.get('/repository/compare?from=no-such&to=main')).toMatchObject(notFound('Ref'));
        expect(await mill.get('/repository/compare?from=main')).toMatchObject({
          status: 400,
          body: { error: 'to is missing' },
        });
        expect(await mill.get(`/repository/compare?from=main&to=main&from_project_id=999999`)).toMatchObject({
          status: 400,
          body: { message: `Target project id:999999 is not a fork of project id:${mill.id}` },
        });
      });

      it('find the last commit that several have in common', async () => {
        const path = '/repository/merge_base';
        expect((await mill.get(`${path}?refs[]=main&refs[]=feature%2Fpumps`)).body).toMatchObject({
          id: mill.commits[1],
        });
        expect((await mill.get(`${path}?refs=main,old.fix,v1.9`)).body).toMatchObject({ id: mill.commits[0] });
        for (const [refs, message] of [
          ['refs[]=main', 'Provide at least 2 refs'],
          ['refs=main,nope', 'Could not find ref: nope'],
          ['refs=no,nope', 'Could not find refs: no, nope'],
        ])
          expect(await mill.get(`${path}?${refs}`)).toMatchObject({ status: 400, body: { message } });
      });
    });

    it('contributors are counted by address, the fewest commits first', async () => {
      const person = { additions: 0, deletions: 0 };
      const grace = { name: 'Grace', email: 'grace@example.com', commits: 1, ...person };
      const counted = { name: 'Ada', email: 'ada@example.com', commits: 4, ...person };
      const { body, headers } = await mill.get('/repository/contributors');
      expect(body).toEqual([grace, counted]);
      expect(headers.get('x-total')).toBe('2');
      expect((await mill.get('/repository/contributors?order_by=name&sort=asc')).body).toEqual([counted, grace]);
      expect((await mill.get('/repository/contributors?sort=desc&per_page=1')).body).toEqual([counted]);
      expect((await mill.get('/repository/contributors?ref=v1.9')).body).toMatchObject([{ commits: 1 }]);
      expect((await mill.get('/repository/contributors?ref=no-such')).status).toBe(404);
      expect((await empty('/repository/contributors')).status).toBe(404);
    });

    describe('archives', () => {
      const archive = async (path: string) => {
        const response = await fetch(`${service.url}/api/v4/projects/${mill.id}/repository/archive${path}`, {
          headers: { 'PRIVATE-TOKEN': ada.token },
        });
        return { response, bytes: Buffer.from(await response.arrayBuffer()) };
      };
      const listed = (bytes: Buffer, ...options: string[]) =>
        execFileSync('tar', [...options, '-t'], { input: bytes, encoding: 'utf8' })
          .trim()
          .split('\n');

      it('hold the files of a commit below one folder that is named after it', async () => {
        const name = `mill-main-${mill.commits[5]}`;
        const { response, bytes } = await archive('');
        expect(response.headers.get('content-type')).toBe('application/octet-stream');
        expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}.tar.gz"`);
        expect(listed(bytes, '-z')).toEqual(expect.arrayContaining([`${name}/README.md`, `${name}/src/mill.c`]));
        const folder = await archive('.zip?sha=feature%2Fpumps&path=src');
        expect(folder.response.headers.get('content-type')).toBe('application/zip');
        expect(folder.response.headers.get('content-disposition')).toContain(
          `mill-feature-pumps-${mill.feature}-src.zip`,
        );
        expect(folder.bytes.subarray(0, 2).toString()).toBe('PK');
        expect(folder.bytes.includes('src/main.c')).toBe(true);
        expect(folder.bytes.includes('README.md')).toBe(false);
      });

      it('leave out what they are asked to, by its path and by no pattern', async () => {
        const paths = async (query: string) =>
          listed((await archive(`.tar?${query}`)).bytes).map((path) => path.replace(/^[^/]+\//, ''));
        const all = await paths('sha=main');
        expect(all).toEqual(expect.arrayContaining(['src/mill.c', 'src/a b/']));
        const rest = all.filter((path) => !path.startsWith('src/'));
        expect(await paths('exclude_paths=src%2Fmill.c,%2Fsrc%2Fa%20b%2F,no-such')).toEqual(rest);
        expect(await paths('path=src&exclude_paths=src%2Fmill.c')).not.toContain('src/mill.c');
        expect(await paths('exclude_paths=*,%3A(glob)**')).toEqual(all);
        expect(await mill.get(`/repository/archive?exclude_paths=${'a,'.repeat(101)}`)).toMatchObject({
          status: 400,
          body: { error: 'exclude_paths has more than 100 paths' },
        });
      });

      it('are the same bytes for the same commit, by whatever name', async () => {
        const [first, second] = [await archive(''), await archive('.tar.gz?sha=main')];
        expect(second.bytes.equals(first.bytes)).toBe(true);
      });

      it.each(['zip', 'tar', 'tar.gz', 'tgz', 'gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2'])(
        'are packed as %s, by the end of the address or by a parameter',
        async (format) => {
          const [byEnd, byName] = [await archive(`.${format}`), await archive(`?format=${format}`)];
          expect(byEnd.response.status).toBe(200);
          expect(byName.bytes.equals(byEnd.bytes)).toBe(true);
          if (format !== 'zip') expect(listed(byEnd.bytes, ...tarOptions(format))).toHaveLength(10);
        },
      );

      it('are not found for an unknown ref, folder or format', async () => {
        for (const path of ['?sha=no-such', '?path=no-such', '?path=README.md'])
          expect(await mill.get(`/repository/archive${path}`)).toMatchObject(notFound('File'));
        expect((await mill.get('/repository/archive.rar')).status).toBe(404);
        expect(await empty('/repository/archive')).toMatchObject(notFound('File'));
      });
    });

    describe('changelogs', () => {
      it('tell of commits by the category in their trailer, since the release before', async () => {
        const { body } = await mill.get('/repository/changelog?version=1.10.1&from=v1.9&date=2026-03-31');
        const line = `- [Add the source](ada/mill@${mill.commits[1]})`;
        expect(body).toEqual({ notes: `## 1.10.1 (2026-03-31)\n\n### added (1 change)\n\n${line}\n` });
        const reviewed = await mill.get('/repository/changelog?version=2.0.0&from=v1.9&trailer=constructor');
        expect(reviewed.body).toEqual({ notes: expect.stringMatching(/^## 2\.0\.0 \(.*\)\n\nNo changes\.\n$/) });
      });

      it.each([
        ['version=one', 'The version one is not a version such as 1.2.3'],
        ['version=1.0.0&to=no-such', 'The commit no-such does not exist'],
        ['version=0.1.0', 'The commit start range is unspecified, and no previous tag could be found to use instead'],
      ])('say why there is none for %s', async (query, reason) => {
        expect(await mill.get(`/repository/changelog?${query}`)).toMatchObject({
          status: 422,
          body: { message: `Failed to generate the changelog: ${reason}` },
        });
      });
    });

    it('languages are told by the extensions of files, in per cent', async () => {
      const { body } = await mill.get<Record<string, number>>('/languages');
      expect(body).toEqual({ C: 72.97, Shell: 27.03 });
      expect((await empty('/languages')).body).toEqual({});
    });

    it('statistics of a project are told to Reporters and above who ask for them', async () => {
      const { body } = await mill.get<{ statistics: Record<string, number> }>('?statistics=true');
      expect(body.statistics).toMatchObject({ commit_count: 6, repository_size: expect.any(Number), wiki_size: 0 });
      expect(body.statistics['repository_size']).toBeGreaterThan(500);
      expect((await mill.get('')).body).not.toHaveProperty('statistics');
      expect((await empty('?statistics=true')).body).toMatchObject({ statistics: { commit_count: 0 } });
    });

    describe('comments on commits', () => {
      const comment = (sha: string | undefined, json: object, token = ada.token) =>
        service.call('POST', `/projects/${mill.id}/repository/commits/${sha}/comments`, { token, json });

      it('are about the commit, or a line that it shows', async () => {
        const sha = mill.commits[2];
        const plain = await comment(sha, { note: 'Well done' });
        const shown = { note: 'Why 1?', path: 'src/main.c', line: 2, line_type: 'new' };
        expect(plain).toMatchObject({
          status: 201,
          body: { note: 'Well done', path: null, line: null, line_type: null, author: { username: 'ada' } },
        });
        expect(await comment('old.fix', shown)).toMatchObject({ status: 201, body: shown });
        expect((await comment(sha, { ...shown, line: 99 })).body).toMatchObject({ path: null, line: null });
        const { body, headers } = await mill.get<object[]>(`/repository/commits/${sha}/comments`);
        expect(body).toMatchObject([
          { note: 'Well done' },
          { note: 'Why 1?', line: 2 },
          { note: 'Why 1?', line: null },
        ]);
        expect(headers.get('x-total')).toBe('3');
        expect(Object.keys(body[0] ?? {})).toEqual(['note', 'path', 'line', 'line_type', 'author', 'created_at']);
      });

      it('need a text, and with a path a line', async () => {
        for (const [json, error] of [
          [{}, 'note is missing'],
          [{ note: '' }, 'note is empty'],
          [{ note: 'x', path: 'src/main.c' }, 'line is missing, line_type is missing'],
          [{ note: 'x', path: 'src/main.c', line: 0, line_type: 'new' }, 'line is invalid'],
        ] as const)
          expect(await comment(mill.commits[2], json)).toMatchObject({ status: 400, body: { error } });
        expect(await comment(mill.commits[2], { note: ' ' })).toMatchObject({ status: 400 });
        expect(await comment('no-such', { note: 'x' })).toMatchObject(notFound('Commit'));
      });
    });

    describe('tags', () => {
      const names = async (query: string) => (await list(`/repository/tags?${query}`)).map(({ name }) => name);

      it('say what they lead to, and annotated ones what was said of them', async () => {
        const { body } = await mill.get<{ target: string }>('/repository/tags/v1.0');
        expect(body).toMatchObject({
          name: 'v1.0',
          message: 'The first release',
          commit: { id: mill.commits[1] },
          release: null,
          protected: false,
          created_at: expect.any(String),
        });
        expect(body.target).not.toBe(mill.commits[1]);
        const plain = await mill.get('/repository/tags/v1.9');
        expect(plain.body).toMatchObject({ message: '', target: mill.commits[0], created_at: null });
        expect(await mill.get('/repository/tags/main')).toMatchObject(notFound('Tag'));
      });

      it('are ordered by time, name or version, and searched', async () => {
        expect(await names('order_by=name&sort=asc')).toEqual(['v1.0', 'v1.10', 'v1.9']);
        expect(await names('order_by=version&sort=asc')).toEqual(['v1.0', 'v1.9', 'v1.10']);
        expect(await names('order_by=version&per_page=1&page=2')).toEqual(['v1.9']);
        expect(await names('search=%5Ev1.1')).toEqual(['v1.10']);
        expect(await names('')).toHaveLength(3);
        expect(await empty('/repository/tags')).toMatchObject({ status: 200, body: [] });
      });
    });
  });
});
