import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const FEATURE = 'feature/a-b';

withGit('pictures of how code stands', () => {
  describeEachDatabase('pictures of how code stands', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let loom: WrittenProject;
    let sha: string;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      loom = await newProject({ name: 'loom', visibility: 'public' });
      sha = (await loom.write('main', { 'README.md': '# Loom\n' })).id;
      await loom.call('POST', '/repository/branches', { branch: FEATURE, ref: 'main' });
    });
    afterAll(() => service.close());

    const newProject = (fields: object) => WrittenProject.make(service, ada, fields);
    const tell = async (said: object, commit = sha) => {
      const answer = await loom.call('POST', `/statuses/${commit}`, said);
      expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    };
    const fetchAs = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    const picture = (rest: string) => fetchAs(`/ada/loom${rest}`);
    const saidBy = async (rest: string): Promise<string> => {
      const { status, text } = await picture(rest);
      return status === 200 ? (/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '') : String(status);
    };

    it('say how the newest pipeline of a branch or tag stands, whose name may have slashes', async () => {
      expect(await saidBy('/badges/main/pipeline.svg')).toBe('pipeline: unknown');
      await tell({ state: 'success', name: 'build', ref: 'main' });
      await tell({ state: 'failed', name: 'build', ref: FEATURE });
      for (const place of ['/badges', '/-/badges']) {
        expect(await saidBy(`${place}/main/pipeline.svg`)).toBe('pipeline: passed');
        expect(await saidBy(`${place}/${FEATURE}/pipeline.svg`)).toBe('pipeline: failed');
        expect(await saidBy(`${place}/${encodeURIComponent(FEATURE)}/pipeline.svg`)).toBe('pipeline: failed');
        expect(await saidBy(`${place}/none/pipeline.svg`)).toBe('pipeline: unknown');
      }
    });

    it('say its coverage, and that of one job, coloured by bounds of whoever asks', async () => {
      expect(await saidBy('/badges/main/coverage.svg')).toBe('coverage: unknown');
      await tell({ state: 'success', name: 'unit', ref: 'main', coverage: 91.5 });
      await tell({ state: 'success', name: 'browser', ref: 'main', coverage: 80 });
      expect(await saidBy('/badges/main/coverage.svg')).toBe('coverage: 85.75%');
      expect(await saidBy('/-/badges/main/coverage.svg?job=unit')).toBe('coverage: 91.50%');
      expect(await saidBy('/-/badges/main/coverage.svg?job=none')).toBe('coverage: unknown');
      const [usual, own] = [
        await picture('/badges/main/coverage.svg'),
        await picture('/badges/main/coverage.svg?min_good=85&min_acceptable=x&min_medium=1000'),
      ];
      expect(own.text).not.toBe(usual.text);
    });

    it('say the latest release that is out', async () => {
      expect(await saidBy('/-/badges/release.svg')).toBe('Latest Release: none');
      await loom.call('POST', '/releases', { tag_name: 'v1.0', ref: 'main' });
      await loom.call('POST', '/releases', { tag_name: 'v2.0', ref: 'main', released_at: '2999-01-01T00:00:00Z' });
      expect(await saidBy('/-/badges/release.svg?order_by=release_at')).toBe('Latest Release: v1.0');
      expect((await picture('/-/badges/release.svg?value_width=150&key_width=50')).text).toContain('width="200"');
      expect((await picture('/-/badges/release.svg?value_width=9999')).text).not.toContain('9999');
    });

    it('leave out pipelines that were skipped, where that is asked for', async () => {
      const { database } = service.service;
      await database.transact(async ({ query }) => {
        const [row] = await query('pipelines')
          .where({ project_id: loom.id, ref: 'main' })
          .orderBy('id', 'desc')
          .limit(1);
        const { id: _, iid, ...rest } = row!;
        await query('pipelines').insert({ ...rest, iid: iid + 1_000, status: 'skipped' } as never);
      });
      expect(await saidBy('/badges/main/pipeline.svg')).toBe('pipeline: skipped');
      expect(await saidBy('/badges/main/pipeline.svg?ignore_skipped=true')).toBe('pipeline: passed');
    });

    it('are drawn as is asked for, whose texts are no markup and have an end', async () => {
      expect(await saidBy('/badges/main/pipeline.svg?key_text=main%20branch')).toMatch(/^main branch: /);
      const wide = await picture('/badges/main/pipeline.svg?key_text=a&key_width=130');
      expect(wide.text).toContain('<rect width="130" height="20"');
      expect((await picture('/badges/main/pipeline.svg?key_width=512')).text).not.toContain('512');
      expect((await picture('/badges/main/pipeline.svg?style=flat-square')).text).toContain('rx="0"');
      expect((await picture('/badges/main/pipeline.svg?style=%22%3E')).text).toContain('rx="3"');
      const hostile = encodeURIComponent(`"><script>alert(1)</script>'&`);
      const { text } = await picture(`/badges/main/pipeline.svg?key_text=${hostile}`);
      expect(text).toContain('&quot;&gt;&lt;script&gt;');
      expect(text).not.toMatch(/<script|alert\(1\)"/);
      expect((await picture(`/badges/main/pipeline.svg?key_text=${'k'.repeat(4_000)}`)).text.length).toBeLessThan(
        2_000,
      );
      expect(await saidBy(`/badges/${hostile}/pipeline.svg`)).toBe('pipeline: unknown');
      expect(await saidBy('/badges/a%00b/pipeline.svg')).toBe('pipeline: unknown');
      expect(await saidBy(`/badges/${'a'.repeat(300)}/pipeline.svg`)).toBe('pipeline: unknown');
    });

    it('are asked for again each time, and sent again only when they have changed', async () => {
      const first = await picture('/badges/main/pipeline.svg');
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'image/svg+xml',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      const again = await fetchAs('/ada/loom/badges/main/pipeline.svg', {
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await fetchAs('/ada/loom/badges/main/pipeline.svg', { method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
        200,
        '',
        String(Buffer.byteLength(first.text)),
      ]);
    });

    it('are for whoever may read the code and its pipelines; others learn no more than of a project that is not there', async () => {
      const people: Record<string, FormBrowser> = { visitor: new FormBrowser(service.url) };
      const users: Record<string, TestUser> = {};
      for (const name of ['stranger', 'guest', 'reporter']) {
        users[name] = await service.addUser(name, { password: PASSWORD });
        people[name] = await signedIn(service, name);
      }
      people['owner'] = await signedIn(service, 'ada');
      const expected = {
        private: { visitor: 404, stranger: 404, guest: 403, reporter: 200, owner: 200 },
        internal: { visitor: 404, stranger: 200, guest: 200, reporter: 200, owner: 200 },
        public: { visitor: 200, stranger: 200, guest: 200, reporter: 200, owner: 200 },
      };
      const pictures = ['badges/main/pipeline.svg', '-/badges/main/coverage.svg', '-/badges/release.svg'];
      for (const [visibility, seen] of Object.entries(expected)) {
        const mill = await newProject({ name: `mill-${visibility}`, visibility });
        await mill.addMember(users['guest']!, 10);
        await mill.addMember(users['reporter']!, 20);
        for (const rest of pictures)
          for (const [who, status] of Object.entries(seen)) {
            const answer = await people[who]!.get(`/ada/mill-${visibility}/${rest}`);
            expect([visibility, rest, who, answer.status]).toEqual([visibility, rest, who, status]);
            const shared = answer.headers.get('cross-origin-resource-policy');
            expect(shared).toBe(status === 200 && visibility === 'public' ? 'cross-origin' : 'same-origin');
            if (status !== 404) continue;
            const missing = await people[who]!.get(`/ada/none/${rest}`);
            const stripped = async (response: Response) =>
              (await response.text()).replaceAll(/mill-\w+|none|[0-9a-f-]{36}|value="[^"]*"/g, '');
            expect(await stripped(answer)).toBe(await stripped(missing));
          }
      }
    });

    it('are for nobody where pipelines or releases are switched off or kept to members', async () => {
      const mill = await newProject({ name: 'quiet', visibility: 'public', builds_access_level: 'private' });
      await mill.call('PUT', '', { releases_access_level: 'disabled' });
      const path = '/ada/quiet';
      const own = { headers: { 'PRIVATE-TOKEN': ada.token } };
      expect((await fetchAs(`${path}/badges/main/pipeline.svg`)).status).toBe(403);
      expect((await fetchAs(`${path}/-/badges/release.svg`)).status).toBe(403);
      const seen = await fetchAs(`${path}/badges/main/pipeline.svg`, own);
      expect([seen.status, seen.headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin']);
      expect((await fetchAs(`${path}/-/badges/release.svg`, own)).status).toBe(403);
    });

    it('take the names of projects and refs apart, whatever they are called', async () => {
      const { body: group } = await service.call<{ id: number }>('POST', '/groups', {
        token: ada.token,
        json: { name: 'Works', path: 'works', visibility: 'public' },
      });
      const mill = await newProject({ name: 'mill', namespace_id: group.id, visibility: 'public' });
      const commit = await mill.write('main', { 'README.md': '# Mill\n' });
      await mill.call('POST', '/repository/branches', { branch: 'a/badges/b', ref: 'main' });
      await mill.call('POST', `/statuses/${commit.id}`, { state: 'success', name: 'build', ref: 'a/badges/b' });
      for (const place of ['badges', '-/badges'])
        expect((await fetchAs(`/works/mill/${place}/a/badges/b/pipeline.svg`)).text).toContain('pipeline: passed');
      // What stands behind `/-/` is of other pages: a file, as here.
      await mill.write('main', { 'badges/main/pipeline.svg': 'a file' });
      expect((await fetchAs('/works/mill/-/raw/main/badges/main/pipeline.svg')).text).toBe('a file');
      const taken = await service.call('POST', '/projects', { token: ada.token, json: { name: 'badges' } });
      expect(taken.status).toBe(400);
    });

    it('leave a project and a group alone that were called so before the name was reserved: they are read and changed as ever', async () => {
      const addGroup = async (fields: object) =>
        (await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json: fields })).body.id;
      const plates = await addGroup({ name: 'Plates', path: 'plates', visibility: 'public' });
      const old = await addGroup({ name: 'Old', path: 'old', parent_id: plates });
      const other = await addGroup({ name: 'Other', path: 'other', parent_id: plates });
      const inner = await addGroup({ name: 'Inner', path: 'inner', parent_id: other });
      const [one, two] = [
        await newProject({ name: 'one', namespace_id: old, visibility: 'public' }),
        await newProject({ name: 'two', namespace_id: inner, visibility: 'public' }),
      ];
      await service.service.database.transact(async ({ query }) => {
        const renamed = (path: string) => ({ path: path.split('/').at(-1)!, full_path: path, full_path_key: path });
        await query('namespaces')
          .where({ id: inner as never })
          .update(renamed('plates/other/badges'));
        await query('projects').where({ id: one.id }).update(renamed('plates/old/badges'));
        await query('projects').where({ id: two.id }).update(renamed('plates/other/badges/two'));
      });
      for (const [project, path] of [
        [one, 'plates/old/badges'],
        [two, 'plates/other/badges/two'],
      ] as const) {
        await project.write('main', { 'coverage.svg': 'a file' });
        expect((await fetchAs(`/${path}/-/raw/main/coverage.svg`)).text).toBe('a file');
        expect((await project.call('PUT', '', { description: 'Kept', path: 'badges' })).status).toBe(
          project === one ? 200 : 400,
        );
      }
      const changed = await service.call('PUT', `/groups/${inner}`, { token: ada.token, json: { name: 'Kept' } });
      expect(changed.status).toBe(200);
    });

    it('are found by the former path of a project that was renamed', async () => {
      const tower = await newProject({ name: 'tower', visibility: 'public' });
      await tower.call('PUT', '', { path: 'spire' });
      for (const place of ['badges', '-/badges']) {
        const moved = await fetchAs(`/ada/tower/${place}/main/pipeline.svg?style=flat-square`);
        const now = '/ada/spire/-/badges/main/pipeline.svg?style=flat-square';
        expect([moved.status, moved.headers.get('location')]).toEqual([302, now]);
        expect((await fetchAs(now)).text).toContain('pipeline: unknown');
      }
    });

    it('are shown in a README that has them by their whole address', async () => {
      const badge = '/ada/letters/badges/main/pipeline.svg';
      const letters = await newProject({ name: 'letters' });
      await letters.write('main', {
        'README.md': `[![pipeline](${service.url}${badge})](${service.url}/ada/letters)\n`,
      });
      const browser = await signedIn(service, 'ada');
      for (const page of ['/ada/letters', '/ada/letters/-/blob/main/README.md']) {
        const answer = await browser.get(page);
        expect(answer.headers.get('content-security-policy')).toContain("img-src 'self' data:");
        expect(await answer.text()).toContain(`<img src="${badge}" alt="pipeline" loading="lazy">`);
      }
      expect((await browser.get(badge)).status).toBe(200);
    });

    it('cost few statements', async () => {
      const asked = '/badges/main/pipeline.svg';
      await picture(asked);
      const statements = await statementsOf(() => picture(asked));
      expect(statements).toBeGreaterThan(0);
      expect(statements).toBeLessThanOrEqual(4);
    });

    const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
      let count = 0;
      const { database } = service.service;
      const counted = () => (count += 1);
      const knex = database.reader.query as unknown as {
        on: (event: string, hear: () => void) => void;
        removeListener: (event: string, hear: () => void) => void;
      };
      knex.on('query', counted);
      await work();
      knex.removeListener('query', counted);
      return count;
    };
  });
});
