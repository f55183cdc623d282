import { describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/domain/shared/scope.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { ciProjectWith } from '../support/ci-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

interface Way {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Each way in which a token may come. */
const WAYS: Readonly<Record<string, (token: string) => Way>> = {
  'PRIVATE-TOKEN': (token) => ({ headers: { 'PRIVATE-TOKEN': token } }),
  Bearer: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
  private_token: (token) => ({ query: `?private_token=${token}` }),
  access_token: (token) => ({ query: `?access_token=${token}` }),
  Basic: (token) => ({ headers: { Authorization: basic('anybody', token) } }),
};

const TARGET = 'https://files.example/q';

describeWriting('files that programs fetch by a token', (writing) => {
  const FILES = ['archive/v1.0.0/mill-v1.0.0.tar.gz', 'raw/main/README.md', 'releases/v1.0.0/downloads/bin/q'];
  const FOUND = [200, 200, 302];

  const furnish = async (project: WrittenProject) => {
    await project.write('main', { 'README.md': '# Mill\n' });
    const link = { name: 'q', url: TARGET, direct_asset_path: '/bin/q' };
    const made = { tag_name: 'v1.0.0', ref: 'main', assets: { links: [link] } };
    expect((await project.call('POST', '/releases', made)).status).toBe(201);
    return project;
  };
  const newProject = async (fields: object = { visibility: 'private' }) => furnish(await writing.newProject(fields));

  const ask = ({ project }: WrittenProject, file: string, { headers = {}, query = '' }: Way, method = 'GET') =>
    fetch(`${writing.service.url}/${project.path}/-/${file}${query}`, { method, headers, redirect: 'manual' });
  const statuses = async (project: WrittenProject, way: Way, method = 'GET', files = FILES) => {
    const answers = await Promise.all(files.map((file) => ask(project, file, way, method)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return answers.map(({ status }) => status);
  };
  const byHeader = (token: string): Way => ({ headers: { 'PRIVATE-TOKEN': token } });
  const tokenOf = (scopes: readonly Scope[], expiresAt: string | null = null, user = writing.ada) =>
    writing.service.addToken(user.id, scopes, expiresAt);

  it.each(Object.keys(WAYS))('are those of a private project for who reads it, by %s', async (name) => {
    const project = await newProject();
    const way = WAYS[name]!(writing.ada.token);
    for (const method of ['GET', 'HEAD']) expect(await statuses(project, way, method)).toEqual(FOUND);
    expect(await statuses(project, {})).toEqual([404, 404, 404]);
    expect(await statuses(project, WAYS[name]!(writing.grace.token))).toEqual([404, 404, 404]);
    await project.addMember(writing.grace, 10);
    expect(await statuses(project, WAYS[name]!(writing.grace.token))).toEqual([403, 403, 403]);
    await project.call('PUT', `/members/${writing.grace.id}`, { access_level: 20 });
    expect(await statuses(project, WAYS[name]!(writing.grace.token))).toEqual(FOUND);
  });

  it('are what the API says that they are', async () => {
    const project = await newProject();
    const { body } = await project.call<{
      assets: { sources: { url: string }[]; links: { direct_asset_url: string }[] };
    }>('GET', '/releases/v1.0.0');
    const headers = { 'PRIVATE-TOKEN': writing.ada.token };
    for (const { url } of body.assets.sources) expect((await fetch(url, { headers })).status).toBe(200);
    const lead = await fetch(body.assets.links[0]!.direct_asset_url, { headers, redirect: 'manual' });
    expect([lead.status, lead.headers.get('location')]).toEqual([302, TARGET]);
    expect(await (await ask(project, 'raw/main/README.md', { headers })).text()).toBe('# Mill\n');
  });

  it('are read by each scope that reads repositories, and by no other', async () => {
    const project = await newProject();
    for (const scope of ['api', 'read_api', 'read_repository'] as const)
      expect(await statuses(project, byHeader(await tokenOf([scope])))).toEqual(FOUND);
    for (const scope of ['read_user', 'write_repository'] as const)
      expect(await statuses(project, byHeader(await tokenOf([scope])))).toEqual([403, 403, 403]);
    const oauth = await writing.service.addOAuthToken('ada', PASSWORD, 'read_api');
    expect(await statuses(project, WAYS['Bearer']!(oauth))).toEqual(FOUND);
  });

  it('are refused to a token that is not good, also where everybody may read them', async () => {
    const open = await newProject({ visibility: 'public' });
    const lin = await writing.service.addUser('lin');
    const revoked = await tokenOf(['api']);
    await writing.service.call('DELETE', '/personal_access_tokens/self', { token: revoked });
    const root = await writing.service.addUser('root-of-tokens', { admin: true });
    await writing.service.call('POST', `/users/${lin.id}/block`, { token: root.token });
    const expired = await tokenOf(['api'], '2001-01-01');
    for (const project of [open, await newProject()]) {
      for (const token of ['glpat-nobody', revoked, expired])
        for (const way of Object.values(WAYS)) expect(await statuses(project, way(token))).toEqual([401, 401, 401]);
      expect(await statuses(project, byHeader(lin.token))).toEqual([403, 403, 403]);
      for (const header of ['Basic !', 'Bearer', basic('ada', PASSWORD)])
        expect(await statuses(project, { headers: { Authorization: header } })).toEqual([401, 401, 401]);
      const two = { headers: { 'PRIVATE-TOKEN': writing.ada.token }, query: `?private_token=${writing.grace.token}` };
      expect(await statuses(project, two)).toEqual([400, 400, 400]);
      const list = { query: `?private_token[]=${writing.ada.token}` };
      expect(await statuses(project, list)).toEqual([400, 400, 400]);
    }
    expect(await statuses(open, {})).toEqual(FOUND);
    expect(await statuses(open, { query: '?private_token=' })).toEqual(FOUND);
    const session = (await signedIn(writing.service, 'ada')).cookies;
    const cookie = [...session].map(([name, value]) => `${name}=${value}`).join('; ');
    expect(await statuses(open, { headers: { Cookie: cookie, 'PRIVATE-TOKEN': 'glpat-nobody' } })).toEqual([
      ...[401, 401, 401],
    ]);
  });

  it('are shown to a browser whoever else its Basic is for, such as a proxy', async () => {
    const [open, hidden] = [await newProject({ visibility: 'public' }), await newProject()];
    const session = (await signedIn(writing.service, 'ada')).cookies;
    const cookie = [...session].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Cookie: cookie, Authorization: basic('staff', 'of-the-proxy') };
    for (const project of [open, hidden]) expect(await statuses(project, { headers })).toEqual(FOUND);
    const stranger = { headers: { ...headers, Cookie: 'other=1' } };
    expect(await statuses(open, stranger)).toEqual(FOUND);
    expect(await statuses(hidden, stranger)).toEqual([404, 404, 404]);
  });

  it('are all that a token opens beside the API', async () => {
    const project = await newProject();
    const others = ['tree/main', 'blob/main/README.md', 'blame/main/README.md', 'commits/main', 'tags', 'releases'];
    const pages = [...others, 'releases/v1.0.0', 'releases/permalink/latest', 'issues', 'settings/repository'];
    for (const way of Object.values(WAYS)) {
      const answers = await statuses(project, way(writing.ada.token), 'GET', pages);
      expect(answers).toEqual(await statuses(project, {}, 'GET', pages));
      expect(answers).not.toContain(200);
    }
    // And it changes nothing: these addresses take no other method.
    expect(await statuses(project, byHeader(writing.ada.token), 'POST')).toEqual([404, 404, 404]);
  });

  it('come in the name of others only by sudo, as the API has it', async () => {
    const project = await newProject();
    const admin = await writing.service.addUser('root-of-files', { admin: true, scopes: ['api', 'sudo'] });
    expect(await statuses(project, byHeader(admin.token))).toEqual(FOUND);
    const as = (username: string, token = admin.token) => ({ headers: { 'PRIVATE-TOKEN': token, Sudo: username } });
    expect(await statuses(project, as('grace'))).toEqual([404, 404, 404]);
    expect(await statuses(project, as('ada'))).toEqual(FOUND);
    expect(await statuses(project, as('ada', writing.grace.token))).toEqual([403, 403, 403]);
  });

  it('note that the token was used, and set no cookie', async () => {
    const project = await newProject();
    const token = await tokenOf(['api']);
    const answer = await ask(project, 'raw/main/README.md', byHeader(token));
    expect([answer.headers.get('cache-control'), answer.headers.get('set-cookie')]).toEqual([
      'private, no-cache',
      null,
    ]);
    const archive = await ask(project, FILES[0]!, byHeader(token));
    expect(archive.headers.get('cache-control')).toBe('private, no-cache');
    const lead = await ask(project, FILES[2]!, byHeader(token));
    expect([lead.headers.get('cache-control'), lead.headers.get('set-cookie')]).toEqual(['no-store', null]);
    await writing.service.service.container.get(IDENTITY_TOKENS.identity).tokenUses.flush();
    const { body } = await writing.service.call<{ last_used_at: string }>('GET', '/personal_access_tokens/self', {
      token,
    });
    expect(body.last_used_at).toBe(writing.service.clock.now().toISOString());
  });

  it('tell no token that stands in their address', async () => {
    const project = await newProject();
    const { token } = writing.ada;
    const lost = await ask(project, 'raw/main/none', { query: `?private_token=${token}` });
    expect([lost.status, (await lost.text()).includes(token)]).toEqual([404, false]);
    const lead = await ask(project, FILES[2]!, { query: `?private_token=${token}` });
    expect(lead.headers.get('location')).toBe(TARGET);
    expect(JSON.stringify(writing.service.logger.lines)).not.toContain(token);
  });

  it('are those of the newest release, too', async () => {
    const project = await newProject();
    const { path } = project.project;
    const latest = ['releases/permalink/latest/downloads/bin/q'];
    for (const way of Object.values(WAYS)) {
      const { headers, query = '' } = way(writing.ada.token);
      const answer = await ask(project, latest[0]!, { query, ...(headers && { headers }) });
      const to = `/${path}/-/releases/v1.0.0/downloads/bin/q${query}`;
      expect([answer.status, answer.headers.get('location')]).toEqual([302, to]);
    }
    expect(await statuses(project, {}, 'GET', latest)).toEqual([404]);
    expect(await statuses(project, byHeader(writing.grace.token), 'GET', latest)).toEqual([404]);
    // Only what leads to a file.
    expect(await statuses(project, byHeader(writing.ada.token), 'GET', ['releases/permalink/latest/edit'])).toEqual([
      404,
    ]);
  });

  it('are found where a project has gone, by who reads it', async () => {
    const project = await newProject();
    const former = project.project.path;
    const path = `${former.split('/')[1]!}-renamed`;
    await project.call('PUT', '', { path });
    const at = (token: string) =>
      fetch(`${writing.service.url}/${former}/-/raw/main/README.md`, {
        headers: { 'PRIVATE-TOKEN': token },
        redirect: 'manual',
      });
    const moved = await at(writing.ada.token);
    expect([moved.status, moved.headers.get('location')]).toEqual([
      302,
      `/${former.split('/')[0]!}/${path}/-/raw/main/README.md`,
    ]);
    expect((await at(writing.grace.token)).status).toBe(404);
  });

  describe('by a job', () => {
    const BY_JOB: Readonly<Record<string, (token: string) => Way>> = {
      'JOB-TOKEN': (token) => ({ headers: { 'JOB-TOKEN': token } }),
      job_token: (token) => ({ query: `?job_token=${token}` }),
      Basic: (token) => ({ headers: { Authorization: basic('gitlab-ci-token', token) } }),
    };

    it.each(Object.keys(BY_JOB))('are those of its own project while it runs, by %s', async (name) => {
      const { loom, runner } = await ciProjectWith(writing, 'job: { script: x }');
      await loom.call('POST', '/repository/files/README.md', { branch: 'main', content: '#', commit_message: 'Read' });
      const link = { name: 'q', url: TARGET, direct_asset_path: '/bin/q' };
      await loom.call('POST', '/releases', { tag_name: 'v1.0.0', ref: 'main', assets: { links: [link] } });
      const other = await newProject();
      const job = await runner.takeNamed('job');
      const way = BY_JOB[name]!(job.token);
      for (const method of ['GET', 'HEAD']) expect(await statuses(loom, way, method)).toEqual(FOUND);
      expect(await statuses(other, way)).toEqual([404, 404, 404]);
      expect(await statuses(loom, BY_JOB[name]!('glcbt-of-nobody'))).toEqual([401, 401, 401]);
      expect(await statuses(loom, way, 'GET', ['tree/main', 'releases'])).toEqual([404, 404]);
      await runner.end(job, { state: 'success' });
      expect(await statuses(loom, way)).toEqual([401, 401, 401]);
    });
  });
});

describeEachDatabase('programs that fetch files by a token', (openTestDatabase) => {
  it('are counted with the calls of the API, by user, and by address where the token is not good', async () => {
    const rateLimits = { api: 4, alerts: 'off', signIn: 'off' } as const;
    const service = await TestService.start(await openTestDatabase(), { rateLimits });
    try {
      const ada = await service.addUser('ada');
      const times = async (count: number, token?: string) => {
        const answers = [];
        for (let n = 0; n < count; n += 1) {
          const headers = token === undefined ? {} : { 'PRIVATE-TOKEN': token };
          answers.push((await fetch(`${service.url}/ada/mill/-/raw/main/a`, { headers })).status);
        }
        return answers;
      };
      expect((await service.call('GET', '/user', { token: ada.token })).status).toBe(200);
      expect(await times(4, ada.token)).toEqual([404, 404, 404, 429]);
      expect(await times(5, 'glpat-nobody')).toEqual([401, 401, 401, 401, 429]);
      expect(await times(5)).toEqual([404, 404, 404, 404, 404]);
    } finally {
      await service.close();
    }
  });
});
