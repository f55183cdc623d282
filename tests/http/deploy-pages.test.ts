import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, hiddenField, noticeIn, PASSWORD } from '../support/form-browser.js';
import { addProject, WorkTree } from '../support/git-service.js';
import { temporaryFolder, tryGit, withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { makeKey, rsaLine } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PLACE = 'works/mill';
const KEYS = `/${PLACE}/-/settings/deploy_keys`;
const TOKENS_OF_PROJECT = `/${PLACE}/-/settings/deploy_tokens`;
const TOKENS_OF_GROUP = '/groups/works/-/settings/deploy_tokens';
const MOST = 1_000;

interface KeyBody {
  readonly id: number;
  readonly title: string;
  readonly can_push: boolean;
  readonly expires_at: string | null;
}
interface TokenBody {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

const suite = (): void => {
  describeEachDatabase('deploy keys, deploy tokens, CI variables and runners in the pages', (openTestDatabase) => {
    let service: TestService;
    let root: TestUser;
    let ada: TestUser;
    let eve: TestUser;
    let groupId: number;
    let project: { readonly id: ProjectId; readonly path: string };
    const browsers: Record<string, FormBrowser> = {};
    let serial = 0;

    const call = <Body = { id: number }>(method: string, path: string, json?: object, who = ada) =>
      service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      root = await service.addUser('root', { admin: true });
      const people: TestUser[] = [];
      for (const name of ['ada', 'maintainer', 'developer', 'guest', 'eve'])
        people.push(await service.addUser(name, { password: PASSWORD }));
      [ada, eve] = [people[0]!, people[4]!];
      groupId = (await call('POST', '/groups', { name: 'Works', path: 'works' })).body.id;
      project = await addProject(service, ada, { name: 'mill', namespace_id: groupId });
      for (const [index, access_level] of [40, 30, 10].entries())
        await call('POST', `/projects/${project.id}/members`, { user_id: people[index + 1]!.id, access_level });
      for (const name of ['root', 'ada', 'maintainer', 'developer', 'guest', 'eve'])
        browsers[name] = await signedIn(service, name);
      browsers['visitor'] = new FormBrowser(service.url);
    });
    afterAll(() => service.close());

    const browserOf = (name: string): FormBrowser => browsers[name]!;
    const read = async (path: string, who = 'ada') => (await browserOf(who).get(path)).text();
    /** Sends the form of a page to its own address, and reads the page that it leads to. */
    const send = async (page: string, values: Record<string, string>, who = 'ada') => {
      const answer = await browserOf(who).submit(page, page, values);
      const to = answer.headers.get('location');
      const shown = to === null ? answer : await browserOf(who).get(to);
      return { status: answer.status, to, html: await shown.text(), answer, shown };
    };
    const problemAt = (html: string, field: string): string | undefined =>
      new RegExp(`id="${field}-problem"[^>]*>([^<]*)<`).exec(html)?.[1]?.replaceAll('&#39;', "'");
    const keysOf = async (id = project.id) =>
      (await call<KeyBody[]>('GET', `/projects/${id}/deploy_keys?per_page=100`, undefined, root)).body;
    /** How many of those that a test made in plenty a page lists. */
    const manyIn = (html: string): number => html.split('One of many</bdi>').length - 1;
    const newProject = (who = ada, fields: object = {}) =>
      addProject(service, who, { name: `engine-${(serial += 1)}`, ...fields });

    describe('variables', () => {
      const VARIABLES = `/${PLACE}/-/settings/ci_cd`;
      const SAID = { key: 'TOKEN', value: 'hush-hush', variable_type: 'env_var', environment_scope: '*' };
      const stored = async () =>
        (await call<object[]>('GET', `/projects/${project.id}/variables`, undefined, root)).body;

      it('are added, listed without their values, changed, and removed after a question', async () => {
        expect(await read(VARIABLES)).toContain('None yet.');
        const said = { ...SAID, value: 'two\r\nquills', description: 'For <b>', protected: 'true' };
        const added = await send(VARIABLES, said);
        expect([added.status, added.to, noticeIn(added.html)]).toEqual([303, VARIABLES, 'Variable TOKEN added.']);
        expect(added.html).toMatch(/<code>TOKEN<\/code>[^]*Protected[^]*value hidden[^]*For &lt;b&gt;/);
        expect(added.html).not.toContain('quills');
        expect(await stored()).toMatchObject([{ value: 'two\nquills', protected: true, description: 'For <b>' }]);
        const [, id] = /settings\/ci_cd\/(\d+)"/.exec(added.html)!;
        const one = `${VARIABLES}/${id}`;
        expect(await read(one)).not.toContain('quills');
        const kept = await send(one, {
          ...SAID,
          value: 'unsaid',
          variable_type: 'file',
          environment_scope: 'review/*',
        });
        expect([kept.to, noticeIn(kept.html)]).toEqual([VARIABLES, 'Variable TOKEN saved.']);
        const scoped = { variable_type: 'file', environment_scope: 'review/*', protected: false };
        expect(await stored()).toMatchObject([{ value: 'two\nquills', ...scoped }]);
        await send(one, { ...SAID, replace: 'true', masked: 'true' });
        expect(await stored()).toMatchObject([{ value: 'hush-hush', masked: true, environment_scope: '*' }]);
        expect(await read(`${one}/remove`)).toContain('Remove the variable TOKEN?');
        const removed = await send(`${one}/remove`, {});
        expect([removed.to, noticeIn(removed.html)]).toEqual([VARIABLES, 'Variable TOKEN removed.']);
        expect(await stored()).toEqual([]);
        for (const page of [one, `${one}/remove`]) expect((await browserOf('ada').get(page)).status).toBe(404);
      });

      it('that are refused are shown again beside why', async () => {
        const refused = await send(VARIABLES, { ...SAID, key: 'a-b', value: 'short', masked: 'true' });
        expect(refused.status).toBe(400);
        expect(problemAt(refused.html, 'key')).toContain("can contain only letters, digits and '_'.");
        expect(problemAt(refused.html, 'value')).toContain('is invalid');
        expect(refused.html).toContain('value="a-b"');
        expect(await stored()).toEqual([]);
      });

      it('are for maintainers alone', async () => {
        const statuses: number[] = [];
        for (const who of ['root', 'maintainer', 'developer', 'guest', 'eve'])
          statuses.push((await browserOf(who).get(VARIABLES)).status);
        expect(statuses).toEqual([200, 200, 403, 403, 404]);
        expect(await read(`/${PLACE}`)).toContain('settings');
        expect(await read(`/${PLACE}/-/settings/deploy_keys`)).toContain(`href="${VARIABLES}"`);
      });
    });

    describe('runners', () => {
      const RUNNERS = `/${PLACE}/-/settings/runners`;
      const SAID = { description: 'Big <b>', tags_list: ' linux, gpu,, linux', protected_only: 'true' };
      interface RunnerBody {
        readonly id: number;
        readonly description: string;
        readonly paused: boolean;
      }
      const stored = async () =>
        (await call<RunnerBody[]>('GET', `/projects/${project.id}/runners?type=project_type`, undefined, root)).body;
      const detail = async (id: number) => (await call<object>('GET', `/runners/${id}`, undefined, root)).body;
      const make = (fields: object, who = ada) =>
        call<{ id: number; token: string }>('POST', '/user/runners', fields, who).then(({ body }) => body);
      /** What a browser sends whose page is another one. */
      const sendTo = (action: string, who = 'ada') => browserOf(who).submit(RUNNERS, action, {});

      it('are made with their token and the line that starts them shown once, stopped for a while, and removed after a question', async () => {
        expect(await read(RUNNERS)).toContain('None yet.');
        const made = await send(RUNNERS, SAID);
        expect([made.status, made.to, noticeIn(made.html)]).toEqual([303, RUNNERS, 'Runner Big &lt;b&gt; made.']);
        const [, secret] = /id="new-token"[^>]*value="(glrt-[^"]+)"/.exec(made.html)!;
        expect(made.html).toContain(`value="gatehouse runner --url ${service.url} --token ${secret}"`);
        expect(made.html).toMatch(/Big &lt;b&gt;<\/bdi>[^]*Never heard of[^]*Protected[^]*linux<\/code>, <code>gpu/);
        expect(await read(RUNNERS)).not.toContain(secret);
        const [{ id } = { id: 0 }] = await stored();
        const said = { tag_list: ['linux', 'gpu'], run_untagged: false, access_level: 'ref_protected', paused: false };
        expect(await detail(id)).toMatchObject(said);
        const asks = { token: secret, info: {}, last_update: '' };
        await service.call('POST', '/jobs/request', { json: asks });
        expect(await read(RUNNERS)).toMatch(/Online[^]*last contact/);
        const one = `${RUNNERS}/${id}`;
        expect((await sendTo(`${one}/pause`)).headers.get('location')).toBe(RUNNERS);
        const paused = await read(RUNNERS);
        expect([noticeIn(paused), paused.includes('>Paused<')]).toEqual([
          'Runner Big &lt;b&gt; takes no more jobs.',
          true,
        ]);
        expect(await detail(id)).toMatchObject({ ...said, paused: true });
        await sendTo(`${one}/resume`);
        expect(noticeIn(await read(RUNNERS))).toBe('Runner Big &lt;b&gt; takes jobs again.');
        expect(await detail(id)).toMatchObject({ ...said, paused: false });
        expect(await read(`${one}/remove`)).toMatch(/Remove the runner Big &lt;b&gt;\?[^]*it takes no more jobs\./);
        const removed = await send(`${one}/remove`, {});
        expect([removed.to, noticeIn(removed.html)]).toEqual([RUNNERS, 'Runner Big &lt;b&gt; removed.']);
        expect(await stored()).toEqual([]);
        expect((await service.call('POST', '/jobs/request', { json: asks })).status).toBe(403);
      });

      it('that are refused are shown again beside why', async () => {
        const refused = await send(RUNNERS, { description: 'Small', tags_list: ' , ' });
        expect(refused.status).toBe(400);
        expect(problemAt(refused.html, 'tags_list')).toContain('can not be empty');
        expect(refused.html).toContain('value="Small"');
        expect(await stored()).toEqual([]);
      });

      it('of other projects and of the installation are out of reach, and those of the installation are told apart', async () => {
        const other = await newProject(eve);
        const foreign = await make({ runner_type: 'project_type', project_id: other.id, description: 'Foreign' }, eve);
        const all = await make({ runner_type: 'instance_type', description: 'For all' }, root);
        const list = await read(RUNNERS);
        expect(list).toMatch(/For all<\/bdi>[^]*>Installation</);
        expect(list).not.toContain('Foreign');
        for (const { id } of [foreign, all]) {
          expect(list).not.toContain(`settings/runners/${id}`);
          expect((await browserOf('ada').get(`${RUNNERS}/${id}/remove`)).status).toBe(404);
          for (const act of ['pause', 'resume', 'remove'])
            expect([act, (await sendTo(`${RUNNERS}/${id}/${act}`)).status]).toEqual([act, 404]);
          expect(await detail(id)).toMatchObject({ id, paused: false });
        }
        for (const { id } of [foreign, all]) await call('DELETE', `/runners/${id}`, undefined, root);
      });

      it('that other projects have, too, are taken from this one alone', async () => {
        const other = await newProject();
        const { id } = await make({ runner_type: 'project_type', project_id: project.id, description: 'Two' });
        await call('POST', `/projects/${other.id}/runners`, { runner_id: id });
        expect(await read(`${RUNNERS}/${id}/remove`)).toContain('Other projects keep it');
        await send(`${RUNNERS}/${id}/remove`, {});
        expect(await stored()).toEqual([]);
        expect(await detail(id)).toMatchObject({ projects: [{ id: other.id }] });
      });

      it('that other projects have, too, are paused by who looks after all of them', async () => {
        const [own, foreign] = [await newProject(), await newProject(eve)];
        const { id } = await make({ runner_type: 'project_type', project_id: project.id, description: 'Three' });
        const pause = async () => [(await sendTo(`${RUNNERS}/${id}/pause`)).status, await detail(id)];
        await call('POST', `/projects/${own.id}/runners`, { runner_id: id });
        expect(await pause()).toEqual([303, expect.objectContaining({ paused: true })]);
        await sendTo(`${RUNNERS}/${id}/resume`);
        await call('POST', `/projects/${foreign.id}/runners`, { runner_id: id }, root);
        expect(await pause()).toEqual([403, expect.objectContaining({ paused: false })]);
        await call('DELETE', `/runners/${id}`, undefined, root);
      });

      it('are for maintainers alone', async () => {
        const { id } = await make({ runner_type: 'project_type', project_id: project.id });
        expect(await read(RUNNERS)).toContain(`No. ${id}</bdi>`);
        const statuses: (readonly number[])[] = [];
        for (const who of ['root', 'maintainer', 'developer', 'guest', 'eve'])
          statuses.push([
            (await browserOf(who).get(RUNNERS)).status,
            (await browserOf(who).submit('/profile/account', `${RUNNERS}/${id}/pause`, {})).status,
          ]);
        expect(statuses).toEqual([
          [200, 303],
          [200, 303],
          [403, 403],
          [403, 403],
          [404, 404],
        ]);
        expect(await read(KEYS)).toContain(`href="${RUNNERS}"`);
      });

      describe('of a group', () => {
        const OF_GROUP = '/groups/works/-/settings/runners';
        const makeOf = (group_id: number, description: string, who = ada) =>
          make({ runner_type: 'group_type', group_id, description }, who);
        const storedOf = async () =>
          (await call<RunnerBody[]>('GET', `/groups/${groupId}/runners?type=group_type`, undefined, root)).body;

        it('are made there with their token shown once, stopped for a while, and removed after a question', async () => {
          expect(await read(OF_GROUP)).toMatch(/Make a runner of this group/);
          const made = await send(OF_GROUP, SAID);
          expect([made.status, made.to, noticeIn(made.html)]).toEqual([303, OF_GROUP, 'Runner Big &lt;b&gt; made.']);
          const [, secret] = /id="new-token"[^>]*value="(glrt-[^"]+)"/.exec(made.html)!;
          expect(await read(OF_GROUP)).not.toContain(secret);
          const [{ id } = { id: 0 }] = await storedOf();
          expect(await detail(id)).toMatchObject({ runner_type: 'group_type', groups: [{ id: groupId }] });
          for (const [act, paused] of [
            ['pause', true],
            ['resume', false],
          ] as const) {
            const answer = await browserOf('ada').submit(OF_GROUP, `${OF_GROUP}/${id}/${act}`, {});
            expect([answer.status, answer.headers.get('location')]).toEqual([303, OF_GROUP]);
            expect(await detail(id)).toMatchObject({ paused });
          }
          expect(await read(`${OF_GROUP}/${id}/remove`)).toContain('it takes no more jobs.');
          const removed = await send(`${OF_GROUP}/${id}/remove`, {});
          expect([removed.to, await storedOf()]).toEqual([OF_GROUP, []]);
        });

        it('that are refused are shown again beside why', async () => {
          const refused = await send(OF_GROUP, { description: 'Small', tags_list: ' , ' });
          expect([refused.status, await storedOf()]).toEqual([400, []]);
          expect(problemAt(refused.html, 'tags_list')).toContain('can not be empty');
        });

        it('are shown to its projects and to groups below it as such, which don’t look after them', async () => {
          const fields = { name: 'Below', path: 'below', parent_id: groupId };
          const { id: below } = (await call('POST', '/groups', fields)).body;
          const [own, ofBelow] = [await makeOf(groupId, 'Of works'), await makeOf(below, 'Of below')];
          const [inProject, inBelow] = [RUNNERS, '/groups/works/below/-/settings/runners'];
          for (const page of [inProject, inBelow]) expect(await read(page)).toMatch(/Of works<\/bdi>[^]*>Group</);
          expect(await read(inProject)).not.toContain('Of below');
          expect(await read(OF_GROUP)).not.toContain('Of below');
          for (const [page, { id }] of [
            [inProject, own],
            [inBelow, own],
            [OF_GROUP, ofBelow],
          ] as const) {
            expect(await read(page)).not.toContain(`settings/runners/${id}`);
            expect((await browserOf('ada').get(`${page}/${id}/remove`)).status).toBe(404);
            for (const act of ['pause', 'resume', 'remove'])
              expect([act, (await browserOf('ada').submit(page, `${page}/${id}/${act}`, {})).status]).toEqual([
                act,
                404,
              ]);
          }
          expect(await read(`/admin/runners`, 'root')).toMatch(/Of below<\/bdi>[^]*href="\/groups\/works\/below"/);
          for (const { id } of [own, ofBelow])
            expect((await call('DELETE', `/runners/${id}`, undefined, root)).status).toBe(204);
        });

        it('are for its owners alone, whatever they may do in its projects', async () => {
          const { id } = await makeOf(groupId, 'Kept');
          const statuses: (readonly number[])[] = [];
          for (const who of ['root', 'ada', 'maintainer', 'guest', 'eve'])
            statuses.push([
              (await browserOf(who).get(OF_GROUP)).status,
              (await browserOf(who).submit('/profile/account', `${OF_GROUP}/${id}/pause`, {})).status,
            ]);
          const [may, hidden] = [
            [200, 303],
            [404, 404],
          ];
          expect(statuses).toEqual([may, may, hidden, hidden, hidden]);
          expect(await read(TOKENS_OF_GROUP)).toContain(`href="${OF_GROUP}"`);
          await call('DELETE', `/runners/${id}`, undefined, root);
        });
      });
    });

    describe('keys', () => {
      const add = (fields: Record<string, string>, page = KEYS, who = 'ada') =>
        send(page, { act: 'add', title: 'Server', key: makeKey().line, expires_at: '', ...fields }, who);
      const give = async (id: ProjectId, who = ada, fields: object = {}) =>
        (
          await call<KeyBody>(
            'POST',
            `/projects/${id}/deploy_keys`,
            { title: 'Mirror', key: makeKey().line, ...fields },
            who,
          )
        ).body;

      it('are added, listed, changed and removed after a question', async () => {
        const added = await add({ title: 'Server <1>', can_push: 'true', expires_at: '2999-01-01' });
        expect([added.status, added.to, noticeIn(added.html)]).toEqual([
          303,
          KEYS,
          'Deploy key “Server &lt;1&gt;” added.',
        ]);
        const [key] = await keysOf();
        expect(key).toMatchObject({ title: 'Server <1>', can_push: true, expires_at: '2999-01-01T00:00:00.000Z' });
        expect(added.html).toMatch(/<bdi>Server &lt;1&gt;<\/bdi>[^]*May push[^]*SHA256:[^]*ssh-ed25519[^]*never used/);
        const one = `${KEYS}/${key!.id}`;
        const changed = await send(one, { title: 'Robot' });
        expect([changed.to, noticeIn(changed.html)]).toEqual([KEYS, 'Deploy key “Robot” saved.']);
        expect(await keysOf()).toMatchObject([{ title: 'Robot', can_push: false }]);
        expect(changed.html).toContain('Fetches');
        expect(await read(`${one}/remove`)).toContain('Remove the deploy key Robot?');
        const removed = await send(`${one}/remove`, {});
        expect([removed.to, noticeIn(removed.html)]).toEqual([KEYS, 'Deploy key “Robot” removed.']);
        expect([await keysOf(), removed.html.includes('None yet.')]).toEqual([[], true]);
        for (const page of [one, `${one}/remove`]) expect((await browserOf('ada').get(page)).status).toBe(404);
      });

      it('of other projects that one manages, and public ones, are offered and enabled, and no others', async () => {
        const [mine, theirs] = [await newProject(), await newProject(eve)];
        const [own, foreign] = [await give(mine.id), await give(theirs.id, eve, { title: 'Of Eve' })];
        const open = { title: 'For everybody', key: makeKey().line };
        const { body: everybodys } = await call<KeyBody>('POST', '/deploy_keys', open, root);
        const here = await newProject();
        const page = `/${here.path}/-/settings/deploy_keys`;
        const html = await read(page);
        expect(html).toMatch(new RegExp(`<bdi>Mirror</bdi>[^]*of <bdi>${mine.path}</bdi>`));
        expect([html.includes('For everybody'), html.includes('Of Eve')]).toEqual([true, false]);
        const enabled = await send(page, { act: 'enable', key_id: String(own.id) });
        expect(noticeIn(enabled.html)).toBe('Deploy key “Mirror” enabled.');
        await send(page, { act: 'enable', key_id: String(everybodys.id) });
        for (const id of [String(foreign.id), '0', 'x'])
          expect((await send(page, { act: 'enable', key_id: id })).status).toBe(404);
        expect((await keysOf(here.id)).map(({ id, can_push }) => [id, can_push])).toEqual([
          [own.id, false],
          [everybodys.id, false],
        ]);
        expect(await read(page)).not.toContain('Enable a key that is here already');
        const refused = await send(page, { act: 'destroy' });
        expect(refused.status).toBe(400);
      });

      it('that another project of theirs has are enabled by their text, and people are told its title', async () => {
        const { line } = makeKey();
        await give((await newProject()).id, ada, { title: 'Elsewhere', key: line });
        const page = `/${(await newProject()).path}/-/settings/deploy_keys`;
        const added = await add({ key: line }, page);
        expect(noticeIn(added.html)).toBe('Another project has this key as “Elsewhere”. It is enabled here, too.');
        const again = await add({ key: line }, page);
        expect([again.status, problemAt(again.html, 'key')]).toEqual([
          400,
          'The key is in this project already, as “Elsewhere”',
        ]);
      });

      it('that are public keep their name, unless an administrator changes it', async () => {
        const { body } = await call<KeyBody>('POST', '/deploy_keys', { title: 'Public', key: makeKey().line }, root);
        const { id, path } = await newProject();
        await call('POST', `/projects/${id}/deploy_keys/${body.id}/enable`);
        const one = `/${path}/-/settings/deploy_keys/${body.id}`;
        expect(await read(one)).not.toContain('name="title"');
        await send(one, { title: 'Mine', can_push: 'true' });
        expect(await keysOf(id)).toMatchObject([{ title: 'Public', can_push: true }]);
        await send(one, { title: 'Ours' }, 'root');
        expect(await keysOf(id)).toMatchObject([{ title: 'Ours', can_push: false }]);
      });

      it('that can’t be taken are said at their field, and nothing is done', async () => {
        const { line } = makeKey();
        await give((await newProject(eve)).id, eve, { key: line });
        const { secret } = makeKey();
        const before = await keysOf();
        for (const [fields, field, problem] of [
          [{ key: 'words' }, 'key', 'The key is not a public key: paste the one line of a file that ends in .pub'],
          [{ key: line }, 'key', 'The key is in use already: a key is that of one person, or a deploy key'],
          [{ key: rsaLine(1024) }, 'key', 'The key must be at least 2048 bits'],
          [
            { key: secret },
            'key',
            'The key is a private key, which nobody else may see: make another pair, and paste its file that ends in .pub',
          ],
          [{ title: ' ' }, 'title', "The title can't be blank"],
          [{ title: 'x'.repeat(256) }, 'title', 'The title is too long (maximum is 255 characters)'],
          [{ expires_at: '2001-01-01' }, 'expires_at', 'The expiry must be in the future'],
          [{ expires_at: '2001-02-30' }, 'expires_at', expect.stringContaining('The expiry is not a date')],
        ] as const) {
          const { status, html } = await add(fields);
          expect([status, problemAt(html, field)]).toEqual([400, problem]);
          expect(html).toContain(`href="#${field}"`);
        }
        expect(await keysOf()).toEqual(before);
      });

      it('that were private are not sent back, whoever they are for', async () => {
        const { secret } = makeKey();
        const putty = `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAsecret\n`;
        for (const page of [KEYS, '/profile/keys'])
          for (const key of [secret, putty]) {
            const { status, html } = await send(page, { act: 'add', title: 'Kept', key });
            expect([page, status, html.includes('is a private key')]).toEqual([page, 400, true]);
            expect([html.includes(key.split('\n')[1]!), html.includes('value="Kept"')]).toEqual([false, true]);
          }
      });

      it('have a title of at most 255 characters when they are changed, too', async () => {
        const { id, path } = await newProject();
        const key = await give(id);
        const one = `/${path}/-/settings/deploy_keys/${key.id}`;
        const { status, html } = await send(one, { title: 'x'.repeat(256), can_push: 'true' });
        expect([status, problemAt(html, 'title')]).toEqual([400, 'The title is too long (maximum is 255 characters)']);
        expect(await keysOf(id)).toMatchObject([{ title: 'Mirror', can_push: false }]);
      });

      const giveMany = (id: ProjectId, number: number, title = 'One of many') =>
        service.service.container.get(TOKENS.unitOfWork).execute(async ({ keys }) => {
          for (let index = 0; index < number; index += 1) {
            const fingerprints = { sha256: `${id}-${index}`, md5: String(index) };
            const now = service.clock.now();
            const fields = { title, publicKey: 'ssh-ed25519 AAAA', creatorId: ada.id, isPublic: false };
            const key = await keys.addDeployKey({ ...fields, ...fingerprints, expiresAt: null, createdAt: now });
            await keys.enable(key.id, id, false, now);
          }
        });

      it('are at most a thousand in a project where many are given at once, new ones and others', async () => {
        const [{ id }, other] = [await newProject(), await newProject()];
        const known = [await give(other.id), await give(other.id), await give(other.id)];
        await giveMany(id, MOST - 2, 'One beside them');
        const given = await Promise.all([
          ...known.map((key) => call('POST', `/projects/${id}/deploy_keys/${key.id}/enable`)),
          ...known.map(() => call('POST', `/projects/${id}/deploy_keys`, { title: 'x', key: makeKey().line })),
        ]);
        expect(given.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422]);
      });

      it('are at most a thousand in a project', async () => {
        const [{ id, path }, other] = [await newProject(), await newProject()];
        const known = await give(other.id);
        await giveMany(id, MOST);
        const page = `/${path}/-/settings/deploy_keys`;
        for (const values of [
          { act: 'enable', key_id: String(known.id) },
          { act: 'add', title: 'x', key: makeKey().line },
        ]) {
          const { status, html } = await send(page, values);
          expect([status, html.includes('A project has at most 1000 deploy keys')]).toEqual([400, true]);
        }
        const byApi = await call('POST', `/projects/${id}/deploy_keys`, { title: 'x', key: makeKey().line });
        expect(byApi.status).toBe(422);
        expect(manyIn(await read(page))).toBe(20);
        expect(await read(`${page}?page=50`)).not.toContain('rel="next"');
      });
    });

    describe('tokens', () => {
      const make = (page: string, fields: Record<string, string> = {}, who = 'ada') =>
        send(page, { name: 'Server', username: '', expires_at: '', scopes: 'read_repository', ...fields }, who);
      const secretIn = (html: string): string => /id="new-token"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '';
      const commandIn = (html: string): string =>
        (/id="clone-command"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&#x2F;', '/');
      const tokensOf = async (place: string) =>
        (await call<TokenBody[]>('GET', `${place}/deploy_tokens`, undefined, root)).body;
      /** Runs the command of a page as somebody would who pastes the token where git asks for a password. */
      const run = async (command: string, secret: string) => {
        const folder = temporaryFolder();
        const answers = join(folder, 'answers');
        writeFileSync(answers, `#!/bin/sh\necho '${secret}'\n`);
        chmodSync(answers, 0o700);
        const { code } = await tryGit(command.split(' ').slice(1), { cwd: folder, env: { GIT_ASKPASS: answers } });
        return { code, tree: new WorkTree(join(folder, 'mill')) };
      };

      beforeAll(async () => {
        const actions = [{ action: 'create', file_path: 'README.md', content: '# Mill\n' }];
        const commit = { branch: 'main', commit_message: 'First', actions };
        expect((await call('POST', `/projects/${project.id}/repository/commits`, commit)).status).toBe(201);
      });

      it('of a project are shown once with a command that clones, are listed, and open nothing once they are revoked', async () => {
        const made = await make(TOKENS_OF_PROJECT, { expires_at: '2999-01-01' });
        expect([made.status, made.to, noticeIn(made.html)]).toEqual([
          303,
          TOKENS_OF_PROJECT,
          'Deploy token “Server” made.',
        ]);
        const secret = secretIn(made.html);
        expect(secret).toMatch(/^[\w-]{43}$/);
        const [token] = await tokensOf(`/projects/${project.id}`);
        expect(token).toMatchObject({ name: 'Server', expires_at: '2999-01-01T00:00:00.000Z' });
        const command = commandIn(made.html);
        expect(command).toBe(`git clone ${service.url.replace('//', `//${token!.username}@`)}/${PLACE}.git`);
        const cloned = await run(command, secret);
        expect([cloned.code, await cloned.tree.git('log', '--format=%s')]).toEqual([0, 'First\n']);
        const again = await read(TOKENS_OF_PROJECT);
        expect([secretIn(again), again.includes(secret), again.includes(token!.username)]).toEqual(['', false, true]);
        const revoke = `${TOKENS_OF_PROJECT}/${token!.id}/revoke`;
        expect(await read(revoke)).toContain('Revoke the deploy token Server?');
        const revoked = await send(revoke, {});
        expect([revoked.to, noticeIn(revoked.html)]).toEqual([TOKENS_OF_PROJECT, 'Deploy token “Server” revoked.']);
        expect((await run(command, secret)).code).toBe(128);
        expect((await browserOf('ada').get(revoke)).status).toBe(404);
      });

      it('of a group clone every project below it, by a name that was chosen', async () => {
        const made = await make(TOKENS_OF_GROUP, { username: 'builder' });
        expect(made.to).toBe(TOKENS_OF_GROUP);
        const command = commandIn(made.html);
        expect(command).toBe(`git clone ${service.url.replace('//', '//builder@')}/works/PROJECT.git`);
        expect((await run(command.replace('PROJECT', 'mill'), secretIn(made.html))).code).toBe(0);
        const [token] = await tokensOf(`/groups/${groupId}`);
        // It belongs to the group: the project has no such token.
        expect((await browserOf('ada').get(`${TOKENS_OF_PROJECT}/${token!.id}/revoke`)).status).toBe(404);
        await send(`${TOKENS_OF_GROUP}/${token!.id}/revoke`, {});
        expect(await tokensOf(`/groups/${groupId}`)).toEqual([]);
      });

      it('are nowhere but on the page that shows them, which nobody keeps', async () => {
        const made = await make(TOKENS_OF_PROJECT);
        const secret = secretIn(made.html);
        expect(made.shown.headers.get('cache-control')).toBe('no-store');
        expect(made.shown.headers.get('content-security-policy')).toContain("script-src 'self'");
        const sent = [...made.answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
        expect([sent.includes(secret), await made.answer.text().then((text) => text.includes(secret))]).toEqual([
          false,
          false,
        ]);
        const flash = made.answer.headers.getSetCookie().find((cookie) => cookie.startsWith('gatehouse_flash='));
        expect(flash).toContain(`Path=${TOKENS_OF_PROJECT}; HttpOnly`);
        expect(JSON.stringify(service.logger.lines)).not.toContain(secret);
        const plain = await browserOf('ada').get(TOKENS_OF_PROJECT);
        expect(plain.headers.get('content-security-policy')).not.toContain('script-src');
      });

      it('that open nothing come without a command', async () => {
        const { html } = await make(TOKENS_OF_PROJECT, { scopes: 'read_registry' });
        expect([secretIn(html).length, commandIn(html)]).toEqual([43, '']);
      });

      it('that have expired say so', async () => {
        const fields = { name: 'Old', scopes: ['read_repository'], expires_at: '2001-01-01' };
        await call('POST', `/projects/${project.id}/deploy_tokens`, fields);
        expect(await read(TOKENS_OF_PROJECT)).toMatch(/<bdi>Old<\/bdi><\/strong> <span class="badge off">Expired/);
      });

      it('that can’t be made are said at their field, with what was typed, and nothing is done', async () => {
        for (const page of [TOKENS_OF_PROJECT, TOKENS_OF_GROUP]) {
          const place = page === TOKENS_OF_GROUP ? `/groups/${groupId}` : `/projects/${project.id}`;
          const before = await tokensOf(place);
          for (const [fields, field, problem] of [
            [{ name: ' ' }, 'name', "The name can't be blank"],
            [{ name: 'x'.repeat(256) }, 'name', 'The name is too long (maximum is 255 characters)'],
            [{ username: 'a b' }, 'username', expect.stringContaining('The user name can contain only letters')],
            [{ username: 'gitlab+deploy-token-1' }, 'username', expect.stringContaining('another token is given')],
            [{ scopes: '' }, 'scopes', expect.stringContaining('The scopes can only contain read_repository')],
            [{ scopes: 'api' }, 'scopes', expect.stringContaining('The scopes can only contain read_repository')],
            [{ expires_at: '2001-01-01' }, 'expires_at', 'The expiry must be in the future'],
            [{ expires_at: 'soon' }, 'expires_at', expect.stringContaining('The expiry is not a date')],
          ] as const) {
            const { status, html } = await make(page, fields);
            expect([page, status, problemAt(html, field)]).toEqual([page, 400, problem]);
            expect([html.includes(`href="#${field}"`), html.includes(`id="${field}"`)]).toEqual([true, true]);
          }
          const none = await send(page, { name: 'Kept <b>' });
          expect([none.status, problemAt(none.html, 'scopes')]).toEqual([400, "The scopes can't be blank"]);
          expect(none.html).toContain('value="Kept &lt;b&gt;"');
          expect(await tokensOf(place)).toEqual(before);
        }
      });

      const makeMany = (id: ProjectId, number: number) =>
        service.service.container.get(TOKENS.unitOfWork).execute(async ({ deployTokens }) => {
          for (let index = 0; index < number; index += 1)
            await deployTokens.add({
              place: { kind: 'project', id },
              name: 'One of many',
              username: null,
              scopes: ['read_repository'],
              expiresAt: null,
              digest: `${id}-${index}`,
              createdAt: service.clock.now(),
            });
        });

      it('are at most a thousand where many are made at once', async () => {
        const { id } = await newProject();
        await makeMany(id, MOST - 1);
        const fields = { name: 'x', scopes: ['read_repository'] };
        const made = await Promise.all(
          Array.from({ length: 6 }, () => call('POST', `/projects/${id}/deploy_tokens`, fields)),
        );
        expect(made.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
      });

      it('are at most a thousand in a project or a group', async () => {
        const { id, path } = await newProject();
        await makeMany(id, MOST);
        const page = `/${path}/-/settings/deploy_tokens`;
        const { status, html } = await make(page);
        expect([status, html.includes('A project has at most 1000 deploy tokens')]).toEqual([400, true]);
        const fields = { name: 'x', scopes: ['read_repository'] };
        expect((await call('POST', `/projects/${id}/deploy_tokens`, fields)).status).toBe(422);
        expect(manyIn(html)).toBe(20);
      });
    });

    describe('are for who may manage them by API', () => {
      const FORMS = [
        [KEYS, { act: 'add', title: 'x' }],
        [TOKENS_OF_PROJECT, { name: 'x', scopes: 'read_repository' }],
        [TOKENS_OF_GROUP, { name: 'x', scopes: 'read_repository' }],
      ] as const;
      /** Keys and tokens of the project, and tokens of its group. */
      const lists = () => [
        `/projects/${project.id}/deploy_keys`,
        `/projects/${project.id}/deploy_tokens`,
        `/groups/${groupId}/deploy_tokens`,
      ];
      const statusesOf = async (who: string, pages: readonly string[]) => {
        const statuses: number[] = [];
        for (const page of pages) statuses.push((await browserOf(who).get(page)).status);
        return statuses;
      };
      const countAll = async () => {
        const counts: number[] = [];
        for (const path of lists()) counts.push((await call<object[]>('GET', `${path}?per_page=100`)).body.length);
        return counts;
      };

      it.each([
        ['root', [200, 200, 200]],
        ['ada', [200, 200, 200]],
        ['maintainer', [200, 200, 404]],
        ['developer', [403, 403, 404]],
        ['guest', [403, 403, 404]],
        ['eve', [404, 404, 404]],
        ['visitor', [303, 303, 303]],
      ])('%s', async (name, expected) => {
        const fields = { title: 'x', key: makeKey().line, name: 'x', scopes: ['read_repository'] };
        const ids: number[] = [];
        for (const path of lists()) ids.push((await call('POST', path, fields)).body.id);
        const [key, ...tokens] = ids;
        const of = FORMS.map(([page]) => page);
        expect(await statusesOf(name, of)).toEqual(expected);
        const ones = [
          `${KEYS}/${key}`,
          `${TOKENS_OF_PROJECT}/${tokens[0]}/revoke`,
          `${TOKENS_OF_GROUP}/${tokens[1]}/revoke`,
        ];
        expect(await statusesOf(name, ones)).toEqual(expected);
        const before = await countAll();
        const own = await read(name === 'visitor' ? '/users/sign_in' : '/profile/account', name);
        const authenticity_token = hiddenField(own, 'authenticity_token');
        for (const [page, values] of FORMS)
          await browserOf(name).post(page, { ...values, key: makeKey().line, authenticity_token });
        expect(await countAll()).toEqual(before.map((count, at) => count + (expected[at] === 200 ? 1 : 0)));
      });

      it('and nothing is done without the token of the form', async () => {
        const before = await keysOf();
        const sent = await browserOf('ada').post(KEYS, { act: 'add', title: 'x', key: makeKey().line });
        expect([sent.status, await keysOf()]).toEqual([403, before]);
      });

      it('and stand in the settings that those see', async () => {
        const [mine, theirs] = [await read(`/${PLACE}/-/settings`), await read(`/${PLACE}`, 'developer')];
        for (const page of [KEYS, TOKENS_OF_PROJECT])
          expect([mine.includes(`href="${page}"`), theirs.includes(`href="${page}"`)]).toEqual([true, false]);
        expect(await read('/groups/works/-/settings')).toContain(`href="${TOKENS_OF_GROUP}"`);
      });
    });

    it('are managed in an archived project, too, as they are by API', async () => {
      const { id, path } = await newProject();
      await call('POST', `/projects/${id}/archive`);
      const settings = `/${path}/-/settings`;
      expect((await browserOf('ada').get(`${settings}/repository`)).status).toBe(403);
      const added = await send(`${settings}/deploy_keys`, { act: 'add', title: 'Server', key: makeKey().line });
      expect(added.to).toBe(`${settings}/deploy_keys`);
      const made = await send(`${settings}/deploy_tokens`, { name: 'Server', scopes: 'read_repository' });
      expect([made.to, added.html.includes(`href="${settings}/deploy_tokens"`)]).toEqual([
        `${settings}/deploy_tokens`,
        true,
      ]);
    });
  });
};

withGit('deploy keys and deploy tokens in the pages', suite);
