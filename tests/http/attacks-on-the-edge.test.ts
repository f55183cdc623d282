import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Route } from '../../src/adapters/inbound/http/route.js';
import { ACTIONS, TARGET_TYPES } from '../../src/domain/activity/activity-event.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { BusyProject } from '../support/activity.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { AttackTable } from '../support/attack-table.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { OAuthClient, signedIn } from '../support/oauth-client.js';
import { JUDGED, QUICK_MS } from '../support/quick.js';
import { sendRaw, statusesIn, timeJson } from '../support/raw-http.js';
import { move, mover, sealed, withEnds } from '../support/stores.js';
import { TestService, type TestUser } from '../support/test-service.js';

const HOUR = 3_600_000;
const LONG = 100_000;
const TRIES = 5;
const DISCLOSURES = /select |insert |sqlite|postgres|knex|node_modules|\/src\/|\.ts:|\.js:|@example\.com|at \w+ \(/i;

/** Texts that patterns which go back and forth, or count twice, take long for. */
const HOSTILE = [
  'a'.repeat(LONG),
  ' '.repeat(LONG),
  `${'a@'.repeat(LONG / 2)}!`,
  `https://${'a.'.repeat(LONG / 2)}`,
  `${'1'.repeat(LONG)}x`,
  `${'a-'.repeat(LONG / 2)}/`,
  `2026-01-01${'T'.repeat(LONG)}`,
  `${'\n\t'.repeat(LONG / 2)}x`,
];

/** All of them for every parameter in `make prove`; else one, in turns, so that all of them come to many parameters. */
const hostileTo = (parameter: number): readonly string[] =>
  JUDGED ? HOSTILE : HOSTILE.slice(parameter % HOSTILE.length).slice(0, 1);

/** Routes of what the case of long texts does not make: code, releases, keys, tokens of machines, webhooks. */
const NOT_MADE_HERE: readonly RegExp[] = [
  // Code, what is said of it, and what hangs on its refs.
  /\/:id\/repository\/(?:archive|blobs\/|branches\/|commits\/|contributors|files\/|tags\/|tree)/,
  /\/:id\/(?:statuses\/:sha|pipelines\/:pipeline_id|ci\/lint)/,
  /\/:id\/(?:protected_branches|protected_tags)\/:name/,
  /\/:id\/releases\/(?::tag_name|permalink)/,
  /\/merge_requests\/:merge_request_(?:iid|id)/,
  /\/:id\/jobs\/:job_id/,
  / \/job$/,
  /\/runners\/:runner_id/,
  /\/(?:environments|deployments)\/:\w+/,
  // What jobs share has no name before a job says it.
  /\/resource_groups\/:key/,
  // Keys, tokens, variables, webhooks, applications.
  /\/(?:access_tokens|badges|deploy_keys|deploy_tokens|keys|hooks|remote_mirrors|pipeline_schedules|freeze_periods|triggers|variables)\/:\w+/,
  /\/applications\/:id\/renew-secret/,
  // Invitations, requests for access, and lists of boards.
  /\/invitations\/:email/,
  /\/access_requests\/:user_id/,
  /\/boards\/:board_id\/lists\/:list_id/,
  // Snippets, and templates of that name.
  /\/snippets\/:(?:id|snippet_id)/,
  /\/uploads\/:(?:upload_id|secret)/,
  /\/templates\/\w+\/:(?:key|name)/,
  // What is said, given and told about an issue.
  /\/:(?:award_id|discussion_id|event_id|issue_link_id|todo_id)/,
  /\/(?:todos|suggestions)\/:id/,
];

describeEachDatabase('attacks on the edge of the API', (openTestDatabase) => {
  const table = new AttackTable('E');
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let stranger: TestUser;
  let project: BusyProject;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    ada = await service.addUser('ada', { password: PASSWORD });
    stranger = await service.addUser('stranger', { password: PASSWORD });
    project = await BusyProject.create(service, ada, 'engine');
  });

  afterAll(() => service.close());

  const get = <Body = unknown>(path: string, { token } = ada) => service.call<Body>('GET', path, { token });

  const withService = async <Result>(
    changes: Partial<Config>,
    work: (of: TestService, user: TestUser) => Promise<Result>,
  ): Promise<Result> => {
    const other = await TestService.start(await openTestDatabase(), changes);
    try {
      return await work(other, await other.addUser('ada', { password: PASSWORD }));
    } finally {
      await other.close();
    }
  };

  table.attack('E2', 'settings of what is not visible are not there', async () => {
    const paths = ['error_tracking/settings', 'alert_settings', 'alert_integrations'];
    for (const path of paths) {
      const there = await get(`/projects/${project.id}/${path}`, stranger);
      const nowhere = await get(`/projects/999999/${path}`, stranger);
      expect([path, there.status, there.body]).toEqual([path, 404, { message: '404 Project Not Found' }]);
      expect([there.status, there.body]).toEqual([nowhere.status, nowhere.body]);
    }
    return `404, and the same as for what does not exist: ${paths.join(', ')}`;
  });

  table.attack('E5', 'no address of e-mail is in a feed', async () => {
    const open = await BusyProject.create(service, ada, 'open', 'public');
    const { iid } = (await open.call('POST', '/issues', { title: 'Leak' })).body;
    await open.call('POST', `/issues/${iid}/notes`, { body: 'Here' });
    for (const path of ['/users/ada/events', `/projects/${open.id}/events`, '/events?scope=all']) {
      const { status, body } = await get(path, stranger);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/@|email/i);
    }
    const page = await (await signedIn(service, 'stranger')).get('/users/ada/activity');
    expect([page.status, (await page.text()).includes('@example.com')]).toEqual([200, false]);
    for (const path of ['/ada.atom', '/users/ada/activity.atom', '/ada/open.atom', '/dashboard/projects.atom'])
      expect([path, (await fetch(service.url + path)).status]).toEqual([path, 404]);
    return 'neither by REST nor on the page; Atom is not offered';
  });

  table.attack('E6', 'an error says nothing of what is inside', async () => {
    const seen: string[] = [];
    const remember = async (response: Response) => seen.push(`${response.status} ${await response.text()}`);
    await withService({}, async (broken, user) => {
      await broken.service.database.schema.schema.renameTable('activity_events', 'somewhere_else');
      const headers = { 'PRIVATE-TOKEN': user.token };
      await remember(await fetch(`${broken.url}/api/v4/events`, { headers }));
      await remember(await fetch(`${broken.url}/users/ada/activity`));
      expect(seen.map((each) => each.slice(0, 3))).toEqual(['500', '500']);
    });
    const headers = { 'PRIVATE-TOKEN': ada.token, 'Content-Type': 'application/json' };
    for (const body of ['{', '[', '{"title":{"a":', '\u0000'])
      await remember(await fetch(`${service.url}/api/v4/projects`, { method: 'POST', headers, body }));
    for (const path of ['/events?before=x', '/users/%00/events', '/projects/%ff/events', '/events?cursor=%00', '/%'])
      await remember(await fetch(`${service.url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': ada.token } }));
    for (const each of seen) expect(each).not.toMatch(DISCLOSURES);
    return `${seen.length} refusals and faults without an address, a path, SQL or a stack`;
  });

  table.attack('E8', 'pages are clamped or refused, and cursors belong to one list and one caller', async () => {
    const seen = async (query: string, who = ada) => {
      const { status, headers } = await get(`/events?${query}`, who);
      return [query, status, headers.get('x-per-page'), headers.get('x-page')];
    };
    expect(await seen('per_page=1000000')).toEqual(['per_page=1000000', 200, '100', '1']);
    expect(await seen('page=-1')).toEqual(['page=-1', 200, '20', '1']);
    for (const page of ['9e18', '9223372036854775808', '1e309', 'Infinity', '0x10'])
      expect(await seen(`page=${page}`)).toEqual([`page=${page}`, 400, null, null]);
    await project.record({}, {}, {});
    const { headers } = await get(`/projects/${project.id}/events?pagination=keyset&per_page=1`, root);
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const forged = Buffer.from('{"at":0,"id":1,"caller":1}').toString('base64url');
    for (const [path, who] of [
      [`/projects/${project.id}/events?per_page=1&cursor=${cursor}`, ada],
      [`/events?scope=all&cursor=${cursor}`, root],
      [`/projects/${project.id}/events?cursor=${forged}`, root],
      [`/projects/${project.id}/events?cursor=${cursor.slice(0, -4)}`, root],
    ] as const) {
      const { status, body } = await get(path, who);
      expect([path, status, body]).toEqual([path, 400, { error: 'cursor is invalid' }]);
    }
    return 'per_page at most 100, page at least 1, 400 for what is no number; 400 cursor is invalid';
  });

  table.attack('E9', 'a word outside the list is refused with the list', async () => {
    const lists = { action: ACTIONS, target_type: TARGET_TYPES, sort: ['asc', 'desc'] };
    for (const [name, allowed] of Object.entries(lists))
      for (const value of [
        String(allowed[0]).toUpperCase(),
        `${allowed[0]} `,
        'other',
        `${allowed[0]},${allowed[1]}`,
      ]) {
        const { status, body } = await get(`/events?${name}=${encodeURIComponent(value)}`);
        expect([value, status, body]).toEqual([value, 400, { error: `${name} does not have a valid value`, allowed }]);
      }
    return '400 with allowed, upper case too';
  });

  table.attack(
    'E11',
    'error tracking is for maintainers, and where it is not set up there is nothing to switch',
    async () => {
      const developer = await service.addUser('developer');
      await project.addMember(developer, 'developer');
      const switchOn = (who: TestUser) => project.call('PATCH', '/error_tracking/settings', { active: true }, who);
      expect((await switchOn(developer)).status).toBe(403);
      expect((await switchOn(ada)).status).toBe(404);
      return '403 below maintainer, 404 without settings';
    },
  );

  table.attack('E13', 'no origin may use what a browser keeps', async () => {
    const paths = [
      '/api/v4/events',
      '/oauth/token',
      '/oauth/userinfo',
      '/api/v3/projects',
      '/users/ada/activity',
      '/-/health',
    ];
    const person = await signedIn(service, 'ada');
    for (const path of paths)
      for (const origin of ['null', 'https://evil.example', service.url])
        for (const method of ['GET', 'OPTIONS']) {
          const response = await person.send(path, {
            method,
            headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
          });
          const { headers } = response;
          expect([path, headers.get('access-control-allow-credentials')]).toEqual([path, null]);
          expect([null, '*']).toContain(headers.get('access-control-allow-origin'));
        }
    return `never Access-Control-Allow-Credentials, nor an origin by name, at ${paths.length} addresses`;
  });

  /** What the path of a route names, so that its guard is passed and its parameters are read. */
  const pathTo = async () => {
    const { body: issue } = await project.call('POST', '/issues', { title: 'Long' });
    const { body: note } = await project.call('POST', `/issues/${issue.iid}/notes`, { body: 'Long' });
    const { body: milestone } = await project.call('POST', '/milestones', { title: 'Long' });
    const { body: label } = await project.call('POST', '/labels', { name: 'long', color: '#ff0000' });
    const other = await service.addUser('other');
    const alerting = AlertingProject.of(service, ada, project.id);
    const integration = await alerting.integrate();
    await sendAlert(integration, { title: 'Long' });
    await project.call('PUT', '/error_tracking/settings', { api_url: 'https://errors.example/api/0/projects/a/b' });
    const group = await service.call<{ id: number }>('POST', '/groups', {
      token: root.token,
      json: { name: 'Long', path: 'long' },
    });
    await project.addMember(other, 'guest');
    const member = { user_id: other.id, access_level: 10 };
    await service.call('POST', `/groups/${group.body.id}/members`, { token: root.token, json: member });
    const labelOfGroup = await service.call<{ id: number }>('POST', `/groups/${group.body.id}/labels`, {
      token: root.token,
      json: { name: 'long', color: '#ff0000' },
    });
    const milestoneOfGroup = await service.call<{ id: number }>('POST', `/groups/${group.body.id}/milestones`, {
      token: root.token,
      json: { title: 'Long' },
    });
    const ids: Readonly<Record<string, number>> = {
      user_id: other.id,
      project_id: project.id,
      iid: issue.iid,
      note_id: note.id,
      milestone_id: milestone.id,
      label_id: label.id,
      integration_id: integration.id,
    };
    const inGroups: Readonly<Record<string, number>> = {
      ...ids,
      label_id: labelOfGroup.body.id,
      milestone_id: milestoneOfGroup.body.id,
    };
    const heads: Readonly<Record<string, number>> = { groups: group.body.id, projects: project.id, users: other.id };
    return ({ path }: Route) =>
      path.replace(/:(\w+)/g, (_, name: string) =>
        String(
          name === 'id'
            ? (heads[path.split('/')[1] ?? ''] ?? 1)
            : ((path.startsWith('/groups/') ? inGroups : ids)[name] ?? 1),
        ),
      );
  };

  table.attack(
    'E14',
    'no text takes long to read, however long it is',
    async () => {
      const address = await pathTo();
      let [asked, slowest, parameters] = [0, 0, 0];
      const notFound: string[] = [];
      const quickest = async (method: string, url: string, json: object): Promise<number> => {
        let best = Infinity;
        for (let tries = 0; tries < TRIES && best >= QUICK_MS; tries += 1) {
          const { status, milliseconds } = await timeJson(method, url, root.token, json);
          if (status >= 500) throw new Error(`${method} ${url} ${JSON.stringify(json).slice(0, 60)} → ${status}`);
          best = Math.min(best, milliseconds);
        }
        asked += 1;
        return best;
      };
      // What removes, and what ends the token that asks, is not asked for.
      const isSafe = ({ method, path }: Route) => method !== 'delete' && !path.endsWith('/rotate');
      const routes = service.service.container.get(TOKENS.routes).filter(isSafe);
      for (const route of routes) {
        const url = `${service.url}/api/v4${address(route)}`;
        const named = new Set([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
        const { status } = await timeJson(route.method.toUpperCase(), url, root.token, {});
        if (status === 404) notFound.push(`${route.method} ${route.path}`);
        for (const name of Object.keys(route.parameters.properties).filter((each) => !named.has(each)))
          for (const text of hostileTo((parameters += 1))) {
            const took = await quickest(route.method.toUpperCase(), url, { [name]: text });
            const what = [route.method, route.path, name, JSON.stringify(text.slice(0, 3))].join(' ');
            expect([what, took < QUICK_MS ? 'quick' : took]).toEqual([what, 'quick']);
            slowest = Math.max(slowest, took);
          }
      }
      // What they would need is not made here: they are asked all the same, and look for it in vain.
      expect(notFound.filter((route) => !NOT_MADE_HERE.some((place) => place.test(route)))).toEqual([]);
      expect(NOT_MADE_HERE.filter((place) => !notFound.some((route) => place.test(route)))).toEqual([]);
      const tooLong = await fetch(`${service.url}/api/v4/users/${'a'.repeat(LONG)}/events`);
      expect(tooLong.status).toBe(431);
      return `${asked} texts for ${parameters} parameters of ${routes.length} routes, the slowest in ${Math.ceil(slowest)} ms`;
    },
    600_000,
  );

  table.attack('E15', 'a request is what its length says, and no other hides in it', async () => {
    const { port } = service.service;
    const hidden = 'GET /api/v4/version HTTP/1.1\r\nHost: x\r\n\r\n';
    const post = (headers: string, body: string) =>
      `POST /api/v4/projects HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
    const smuggled = [
      post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding:\n chunked', `0\r\n\r\n${hidden}`),
      post('Content-Length: 0\r\nContent-Length: 44', hidden),
      post('Content-Length: +0', hidden),
      post('Content-Length: 0x0', hidden),
      post('Content-Length: -1', hidden),
      post('Transfer-Encoding: chunked', `0;\n\r\n\r\n${hidden}`),
      post('Transfer-Encoding: chunked', `ffffffffffffffffff\r\n${hidden}`),
      `GET /api/v4/version HTTP/1.1\r\nHost: x\nX: y\r\n\r\n${hidden}`,
      `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n${hidden}`,
    ];
    for (const text of smuggled) {
      const statuses = statusesIn(await sendRaw(port, text));
      expect([text.slice(0, 120), statuses.at(-1), statuses.filter((status) => status === 200)]).toEqual([
        text.slice(0, 120),
        400,
        [],
      ]);
    }
    const large = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\n${'X-Large: aaaaaaaaaa\r\n'.repeat(2_000)}\r\n${hidden}`;
    expect(statusesIn(await sendRaw(port, large))).toEqual([431]);
    const ask = ({ token }: TestUser, rest = '') =>
      `GET /api/v4/user HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${token}\r\n${rest}\r\n`;
    const piped = await sendRaw(
      port,
      `${ask(ada)}${ask(stranger)}GET /api/v4/user HTTP/1.1\r\nHost: x\r\n\r\n${ask(ada, 'Connection: close\r\n')}`,
    );
    expect(statusesIn(piped)).toEqual([200, 200, 401, 200]);
    expect([...piped.matchAll(/"username":"(\w+)"/g)].map(([, name]) => name)).toEqual(['ada', 'stranger', 'ada']);
    return `400 for ${smuggled.length} ways to hide a request, 431 for large headers, each of a pipeline its own answer`;
  });

  table.attack('E16', 'who asks too often is the same whatever address he claims', async () => {
    const LIMIT = 4;
    const limits = { api: LIMIT, alerts: 'off', signIn: LIMIT } as const;
    const statuses = async (of: TestService, addresses: readonly string[], token?: string) => {
      const answers: number[] = [];
      for (const address of addresses) {
        const headers = { 'X-Forwarded-For': address };
        answers.push(
          (await of.call('GET', '/projects', { headers, ...(token === undefined ? {} : { token }) })).status,
        );
      }
      return answers;
    };
    const rotating = (make: (index: number) => string) => Array.from({ length: LIMIT + 2 }, (_, index) => make(index));
    const refused = [...Array<number>(LIMIT).fill(200), 429, 429];
    await withService({ rateLimits: limits, trustProxy: false }, async (direct) => {
      expect(
        await statuses(
          direct,
          rotating((index) => `192.0.2.${index}`),
        ),
      ).toEqual(refused);
    });
    await withService({ rateLimits: limits, trustProxy: 1 }, async (proxied, user) => {
      expect(
        await statuses(
          proxied,
          rotating((index) => `198.51.100.${index}, 192.0.2.1`),
        ),
      ).toEqual(refused);
      expect(
        await statuses(
          proxied,
          rotating((index) => `2001:db8:0:1::${index}`),
        ),
      ).toEqual(refused);
      expect(
        await statuses(
          proxied,
          rotating((index) => `2001:db8:0:1:${index}::1`),
        ),
      ).toEqual(Array(LIMIT + 2).fill(429));
      expect(
        await statuses(
          proxied,
          rotating((index) => (index % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')),
        ),
      ).toEqual(refused);
      expect(await statuses(proxied, ['192.0.2.7', '2001:db8:0:2::1'])).toEqual([429, 200]);
      const second = await proxied.addToken(user.id, ['api']);
      expect(
        await statuses(
          proxied,
          rotating((index) => `203.0.113.${index}`),
          user.token,
        ),
      ).toEqual(refused);
      expect(await statuses(proxied, ['203.0.113.200'], second)).toEqual([429]);
      const signIn = async (index: number) => {
        const person = new FormBrowser(proxied.url);
        const authenticity_token = await person.formToken('/users/sign_in');
        const body = new URLSearchParams({ login: 'nobody', password: 'wrong', authenticity_token });
        const headers = { 'X-Forwarded-For': `198.51.100.${index}, 192.0.2.99` };
        return (await person.send('/users/sign_in', { method: 'POST', body, headers })).status;
      };
      const attempts: number[] = [];
      for (let index = 0; index < LIMIT + 2; index += 1) attempts.push(await signIn(index));
      expect(attempts.slice(LIMIT)).toEqual([429, 429]);
    });
    return 'counted by user, else by the address that the nearest proxy saw, IPv6 by /64';
  });

  table.attack('E17', 'nobody listens for ever', async () => {
    const { status, headers } = await service.call('GET', '/events', {
      token: ada.token,
      headers: { Accept: 'text/event-stream' },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    for (const path of ['/events/stream', '/events/live', '/stream'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const upgrade = 'GET /api/v4/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(statusesIn(await sendRaw(service.service.port, upgrade, /\r\n\r\n/))).toEqual([401]);
    return 'not offered: a list is answered and ends, and nothing is upgraded';
  });

  table.attack('E18', 'no storage is half switched', async () => {
    const [source, target] = [await openTestDatabase(), await openTestDatabase()];
    await withEnds([source, target], async (one, other) => {
      one.whileLocked = () => Promise.reject(new Error('the power went'));
      await expect(mover(one, other, { sealedSuccessor: sealed(target) }).execute()).rejects.toThrow('the power went');
    });
    await (await TestService.start(source)).close();
    await expect(TestService.start(target)).rejects.toThrow(/^This database is being filled from/);
    expect(await move(source, target)).toMatchObject({ resumed: true });
    await withEnds([source, target], async (one, other) => {
      expect([(await one.control()).role, (await other.control()).role]).toEqual(['left', 'primary']);
    });
    return 'of a move that was interrupted one database serves, it goes on when it is asked for again, and afterwards the other one alone takes writes';
  });

  table.attack('E19', 'a clock that jumps ends nothing early and keeps nothing for ever', async () =>
    withService({ rateLimits: { api: 30, alerts: 'off', signIn: 'off' } }, async (jumping, user) => {
      const { clock } = jumping;
      const person = await signedIn(jumping, 'ada');
      const client = await OAuthClient.register(jumping);
      const reads = async (token: string) =>
        (await jumping.call('GET', '/user', { headers: { Authorization: `Bearer ${token}` } })).status;
      const isSignedIn = async () => (await person.get('/profile/account')).status === 200;
      const first = await client.tokens(person);
      clock.advance(HOUR);
      expect([await reads(first.access_token), await isSignedIn()]).toEqual([200, true]);
      const ahead = await client.tokens(person);
      clock.advance(-2 * HOUR);
      for (const { access_token } of [first, ahead]) expect(await reads(access_token)).toBe(200);
      expect([await reads(user.token), await isSignedIn()]).toEqual([200, true]);
      clock.advance(HOUR + 2 * HOUR - 1_000);
      expect(await reads(first.access_token)).toBe(200);
      clock.advance(1_000);
      expect([await reads(first.access_token), await reads(ahead.access_token)]).toEqual([401, 200]);
      clock.advance(HOUR);
      expect(await reads(ahead.access_token)).toBe(401);
      const code = await client.code(person);
      clock.advance(HOUR);
      expect((await client.redeem(code)).status).toBe(400);
      const spend = async (times: number) => {
        let last = 0;
        for (let time = 0; time < times; time += 1)
          last = (await jumping.call('GET', '/user', { token: user.token })).status;
        return last;
      };
      expect(await spend(40)).toBe(429);
      for (const jump of [HOUR, -2 * HOUR, HOUR]) {
        clock.advance(jump);
        expect([jump, await spend(1)]).toEqual([jump, 429]);
      }
      const watched = await AlertingProject.create(service, ada, 'watched');
      const integration = await watched.integrate();
      for (const end_time of ['2016-12-31T23:59:60Z', '2026-03-29T02:30:00+01:00'])
        expect((await sendAlert(integration, { title: 'Leap', start_time: end_time, end_time })).status).toBe(200);
      return 'tokens and codes end at their instant and no later than the jump; limits go by a clock that never jumps';
    }),
  );

  table.attack(
    'E20',
    'what is built is what the lock file names, and scripts of packages run by name alone',
    async () => {
      const read = async <T>(name: string) =>
        JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8')) as T;
      interface Locked {
        readonly resolved?: string;
        readonly integrity?: string;
        readonly hasInstallScript?: true;
      }
      const { packages } = await read<{ packages: Record<string, Locked> }>('package-lock.json');
      const { allowScripts } = await read<{ allowScripts: Record<string, boolean> }>('package.json');
      const locked = Object.entries(packages).filter(([path]) => path !== '');
      for (const [path, { resolved, integrity }] of locked)
        expect([path, resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'), integrity]).toEqual(
          [path, true, expect.stringMatching(/^sha512-/)],
        );
      const withScripts = locked
        .filter(([, { hasInstallScript }]) => hasInstallScript === true)
        .map(([path]) => path.replace(/^.*node_modules\//, ''));
      for (const name of withScripts) expect(Object.keys(allowScripts)).toContain(name);
      return `${locked.length} packages by digest from one registry; ${withScripts.length} have scripts, each decided by name`;
    },
  );

  table.complete();
});
