import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

interface Badge {
  readonly id: number;
  readonly kind: string;
  readonly name: string | null;
  readonly rendered_link_url: string;
  readonly rendered_image_url: string;
  readonly [field: string]: unknown;
}

const LINK = 'https://ci.example/%{project_path}?ref=%{default_branch}';
const IMAGE = 'https://ci.example/%{project_id}.svg';
const FIELDS = { link_url: LINK, image_url: IMAGE, name: 'State' };

withGit('badges of projects and groups', () => {
  describeEachDatabase('badges of projects and groups', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    const users: Record<string, TestUser> = {};
    let group: { readonly id: number };
    let below: { readonly id: number };
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      for (const name of ['root', 'maintainer', 'developer', 'guest', 'stranger'])
        users[name] = await service.addUser(name, name === 'root' ? { admin: true } : {});
      group = await make('/groups', { name: 'Works', path: 'works' });
      below = await make('/groups', { name: 'Looms', path: 'looms', parent_id: group.id });
    });
    afterAll(() => service.close());

    const call = <Body = Badge>(method: string, path: string, json?: object, who: TestUser | null = ada) =>
      service.call<Body>(method, path, {
        ...(who === null ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });
    const make = async (path: string, json: object) => {
      const { status, body } = await call('POST', path, json);
      expect([path, status]).toEqual([path, 201]);
      return body;
    };
    const newProject = (fields: object = {}) =>
      WrittenProject.make(service, ada, { name: `engine-${(serial += 1)}`, ...fields });

    it('are added, shown, changed, listed and removed, of a project and of a group alike', async () => {
      const project = await newProject();
      for (const [kind, place] of [
        ['project', `/projects/${project.id}`],
        ['group', `/groups/${group.id}`],
      ] as const) {
        const all = `${place}/badges`;
        const made = await call('POST', all, FIELDS);
        expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...FIELDS, kind })]);
        const one = `${all}/${made.body.id}`;
        expect((await call('GET', one)).body).toEqual(made.body);
        const changed = await call('PUT', one, { image_url: 'https://ci.example/other.svg' });
        expect(changed.body).toMatchObject({ ...FIELDS, image_url: 'https://ci.example/other.svg' });
        expect((await call('PUT', one, { name: '' })).body.name).toBeNull();
        expect((await call<Badge[]>('GET', all)).body).toEqual([(await call('GET', one)).body]);
        expect((await call('DELETE', one)).status).toBe(204);
        for (const gone of ['GET', 'PUT', 'DELETE'])
          expect((await call(gone, one, gone === 'PUT' ? {} : undefined)).body).toEqual({
            message: '404 Badge Not Found',
          });
      }
    });

    it('of a project come with those of all groups above it, by name where that is asked for, and change in their group alone', async () => {
      const project = await newProject({ namespace_id: below.id });
      const [first, second] = [
        await make(`/groups/${group.id}/badges`, { ...FIELDS, name: 'Top' }),
        await make(`/groups/${below.id}/badges`, { ...FIELDS, name: 'Below' }),
      ];
      const own = await make(`/projects/${project.id}/badges`, { ...FIELDS, name: 'Own' });
      const all = `/projects/${project.id}/badges`;
      const listed = (await call<Badge[]>('GET', all)).body;
      expect(listed.map(({ id, kind }) => [id, kind])).toEqual([
        [first.id, 'group'],
        [second.id, 'group'],
        [own.id, 'project'],
      ]);
      expect(listed[0]!.rendered_link_url).toBe(`https://ci.example/${project.project.path}?ref=main`);
      expect((await call<Badge[]>('GET', `${all}?name=Below`)).body.map(({ id }) => id)).toEqual([second.id]);
      expect((await call<Badge[]>('GET', `${all}?name=None`)).body).toEqual([]);
      expect((await call<Badge[]>('GET', `/groups/${below.id}/badges`)).body.map(({ id }) => id)).toEqual([second.id]);
      expect((await call('GET', `${all}/${first.id}`)).body.kind).toBe('group');
      expect((await call('GET', `/groups/${below.id}/badges/${first.id}`)).status).toBe(404);
      for (const way of ['PUT', 'DELETE'])
        expect((await call(way, `${all}/${first.id}`, way === 'PUT' ? { name: 'Mine' } : undefined)).status).toBe(403);
      for (const [place, { id }] of [
        [group, first],
        [below, second],
      ] as const)
        expect((await call('DELETE', `/groups/${place.id}/badges/${id}`)).status).toBe(204);
    });

    it('name what their project is called and how its code stands', async () => {
      const mill = await newProject({ name: 'Mill & Wheel', path: 'mill', namespace_id: below.id });
      const { id: sha } = await mill.write('main', { 'README.md': '# Mill\n' });
      await mill.call('POST', '/repository/tags', { tag_name: 'v1.0', ref: 'main' });
      const names = [
        ...['project_path', 'project_title', 'project_name', 'project_id', 'project_namespace', 'group_name'],
        ...['gitlab_server', 'default_branch', 'commit_sha', 'latest_tag'],
      ];
      const link_url = `https://ci.example/${names.map((name) => `%{${name}}`).join('|')}`;
      const image_url = 'https://%{gitlab_server}/%%7Bproject_path%7D/%{nobody_knows}.svg';
      const query = new URLSearchParams({ link_url, image_url }).toString();
      const preview = await call('GET', `/projects/${mill.id}/badges/render?${query}`);
      const { host } = new URL(service.url);
      expect(preview.body).toEqual({
        name: null,
        link_url,
        image_url,
        rendered_link_url: `https://ci.example/${[
          ...['works/looms/mill', 'Mill%20%26%20Wheel', 'mill', String(mill.id), 'works/looms', 'works/looms'],
          ...[host, 'main', sha, 'v1.0'],
        ].join('|')}`,
        rendered_image_url: `https://${host}/works/looms/mill/%{nobody_knows}.svg`,
      });
      const ofGroup = await call('GET', `/groups/${group.id}/badges/render?${query}`);
      expect(ofGroup.body).toMatchObject({ rendered_link_url: link_url, rendered_image_url: image_url });
    });

    it('leave what is not there as it was written, and tell nothing of code to who may not read it', async () => {
      const link_url = 'https://ci.example/%{default_branch}/%{commit_sha}/%{latest_tag}/%{group_name}';
      const empty = await newProject();
      await call('POST', `/projects/${empty.id}/badges`, { link_url, image_url: IMAGE });
      const [badge] = (await call<Badge[]>('GET', `/projects/${empty.id}/badges`)).body;
      expect(badge!.rendered_link_url).toBe(link_url.replace('%{default_branch}', 'main'));
      const full = await newProject();
      await full.write('main', { a: 'a' });
      await full.addMember(users['guest']!, 10);
      await call('POST', `/projects/${full.id}/badges`, { link_url, image_url: IMAGE });
      const seen = await call<Badge[]>('GET', `/projects/${full.id}/badges`, undefined, users['guest']);
      expect(seen.body[0]!.rendered_link_url).toBe(link_url);
    });

    it('are refused with the reason where an address is none, or has no end, or there are too many', async () => {
      const { id } = await newProject();
      const all = `/projects/${id}/badges`;
      const refused = async (fields: object) => {
        const { status, body } = await call<{ message: unknown; error?: string }>('POST', all, {
          ...FIELDS,
          ...fields,
        });
        return [status, body.message ?? body.error];
      };
      expect(await refused({ link_url: 'javascript:alert(1)' })).toEqual([
        400,
        { link_url: ['must be an http or https address'] },
      ]);
      expect(await refused({ image_url: 'https://ada:x@a.example/a.svg' })).toEqual([
        400,
        { image_url: ['must not carry a user name or password'] },
      ]);
      expect((await refused({ image_url: `https://a.example/${'a'.repeat(1_024)}` }))[0]).toBe(400);
      expect((await refused({ name: 'a'.repeat(256) }))[0]).toBe(400);
      expect((await refused({ link_url: undefined }))[0]).toBe(400);
      expect((await call('GET', `${all}/render?link_url=x&image_url=y`)).status).toBe(400);
      for (let made = 0; made < 50; made += 1) await make(all, FIELDS);
      expect(await refused({})).toEqual([422, 'A project has at most 50 badges']);
      const [first] = (await call<Badge[]>('GET', all)).body;
      expect((await call('PUT', `${all}/${first!.id}`, { link_url: 'ftp://a.example' })).status).toBe(400);
    });

    describe('are for whom', () => {
      const WHO = ['visitor', 'stranger', 'guest', 'developer', 'maintainer', 'root'] as const;
      const userOf = (who: (typeof WHO)[number]) => (who === 'visitor' ? null : users[who]!);

      const statuses = async (place: string, id: number) => {
        const found: Record<string, number[]> = {};
        const preview = `/render?${new URLSearchParams(FIELDS).toString()}`;
        for (const who of WHO) {
          const added = await call('POST', place, FIELDS, userOf(who));
          const rest = [
            ['GET', place],
            ['GET', `${place}/${id}`],
            ['GET', place + preview],
            ['PUT', `${place}/${id}`, {}],
          ] as const;
          const answers = [added.status];
          for (const [way, path, json] of rest) answers.push((await call(way, path, json, userOf(who))).status);
          const gone = added.status === 201 ? added.body.id : id;
          answers.push((await call('DELETE', `${place}/${gone}`, undefined, userOf(who))).status);
          found[who] = answers;
        }
        return found;
      };

      it('reads whoever sees a private project, and Maintainers write', async () => {
        const project = await newProject();
        for (const [who, level] of [
          ['guest', 10],
          ['developer', 30],
          ['maintainer', 40],
        ] as const)
          await project.addMember(users[who]!, level);
        const { id } = await make(`/projects/${project.id}/badges`, FIELDS);
        const refused = [403, 200, 200, 403, 403, 403];
        expect(await statuses(`/projects/${project.id}/badges`, id)).toEqual({
          visitor: [401, 404, 404, 401, 401, 401],
          stranger: Array(6).fill(404),
          guest: refused,
          developer: refused,
          maintainer: [201, 200, 200, 200, 200, 204],
          root: [201, 200, 200, 200, 200, 204],
        });
      });

      it('reads whoever sees a private group, and Owners write', async () => {
        const { id: groupId } = await make('/groups', { name: 'Mills', path: 'mills' });
        for (const [who, level] of [
          ['guest', 10],
          ['developer', 30],
          ['maintainer', 40],
        ] as const)
          await call('POST', `/groups/${groupId}/members`, { user_id: users[who]!.id, access_level: level });
        const { id } = await make(`/groups/${groupId}/badges`, FIELDS);
        const refused = [403, 200, 200, 403, 403, 403];
        expect(await statuses(`/groups/${groupId}/badges`, id)).toEqual({
          visitor: [401, 404, 404, 401, 401, 401],
          stranger: Array(6).fill(404),
          guest: refused,
          developer: refused,
          maintainer: refused,
          root: [201, 200, 200, 200, 200, 204],
        });
      });
    });
  });
});
