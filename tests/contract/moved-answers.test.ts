import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { Crawler } from '../support/crawler.js';
import { describeDatabase } from '../support/databases.js';
import { fillProject, makesFor } from '../support/filled-project.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { PageRoutes } from '../support/page-routes.js';
import { playRounds } from '../support/rounds.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { makeKey } from '../support/ssh-keys.js';
import { hostileText, move } from '../support/stores.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** What one of many pages of a kind shows comes from the same rows by the same questions. */
const PAGES_OF_KIND = 3;
const TOP = ['/', '/explore/projects', '/explore/groups', '/search?search=mill', '/profile/account'];

interface Installation {
  readonly admin: TestUser;
  readonly owner: TestUser;
  readonly browser: FormBrowser;
  readonly project: number;
  readonly group: number;
}

/** Something of everything, with texts that one encoding or another would break. */
const fill = async (service: TestService, seed: number): Promise<Installation> => {
  const admin = await service.addUser('root', { admin: true, password: PASSWORD });
  const owner = await service.addUser('owner', { password: PASSWORD });
  const texts = fc.sample(hostileText, { numRuns: 40, seed });
  let turn = 0;
  // Controls are refused in places: what else there is stays.
  const words = (usual: string): string =>
    `${usual} ${(texts[(turn += 1) % texts.length] ?? '').replaceAll(/\p{Cc}/gu, ' ')}`.trim();
  const make = makesFor(service, owner);
  const group = await make('/groups', { name: 'Works', path: 'works', visibility: 'public' });
  const project = await fillProject(
    service,
    owner,
    { name: 'Mill Ω', path: 'mill', visibility: 'public', namespace_id: group.id },
    words,
  );
  const below = `/projects/${project}`;
  await make(`${below}/members`, { user_id: admin.id, access_level: 30 });
  await make(`/groups/${group.id}/members`, { user_id: admin.id, access_level: 30 });
  await make(`${below}/issues/1/notes`, { body: words('Look at the *second* one @root') });
  for (const place of ['issues/1', 'merge_requests/1', 'issues/1/notes/3'])
    await service.call('POST', `${below}/${place}/award_emoji`, { token: owner.token, json: { name: 'thumbsup' } });
  await make(`${below}/releases/v1/assets/links`, { name: 'Binary', url: 'https://files.example/mill' });
  await make(`${below}/deploy_keys`, { title: words('Robot'), key: makeKey().line });
  await make(`${below}/access_tokens`, { name: words('Bot'), scopes: ['read_api'], access_level: 20 });
  await make(`/groups/${group.id}/access_tokens`, { name: words('Bot'), scopes: ['read_api'] });
  await make(`${below}/deploy_tokens`, { name: words('Robot'), scopes: ['read_repository'] });
  await make(`/groups/${group.id}/deploy_tokens`, { name: words('Robot'), scopes: ['read_repository'] });
  await make('/user/keys', { title: words('Laptop'), key: makeKey().line });
  await make('/user/emails', { email: 'other@example.com' });
  await make('/snippets', { title: words('Plan'), file_name: 'plan.md', content: '# Plan', visibility: 'public' });
  await makesFor(service, admin)('/applications', {
    name: words('Engine'),
    redirect_uri: 'https://app.example/callback',
    scopes: 'api',
  });
  return { admin, owner, browser: await signedIn(service, 'owner'), project, group: group.id };
};

/** What is named by words that no list tells. */
const NAMED: Readonly<Record<string, string>> = {
  file_path: 'README.md',
  format: 'zip',
  iid: '1',
  merge_request_iid: '1',
  ref: 'main',
  type: 'licenses',
};
const QUERIES: readonly (readonly [RegExp, string])[] = [
  [/\/search$/, '?scope=projects&search=mill'],
  [/\/compare$/, '?from=main&to=work%2Fpumps'],
  [/\/merge_base$/, '?refs[]=main&refs[]=work%2Fpumps'],
  [/\/changelog$/, '?version=1.0.0'],
  [/\/repository\/files\//, '?ref=main'],
];
/** A snapshot has the files of a repository, to which what answers elsewhere may add: they are no rows, and stay where they are. */
const OF_FILES = /\/snapshot$/;
const KEYS = ['iid', 'tag_name', 'key', 'name', 'id'] as const;
const LIST_OF: Readonly<Record<string, string>> = { '/snippets': '/snippets/all' };

/** The addresses of the API, each with the first thing that the list of its kind has. */
class Addresses {
  readonly #lists = new Map<string, unknown>();

  constructor(
    private readonly service: TestService,
    private readonly installation: Installation,
  ) {}

  async all(): Promise<readonly string[]> {
    const routes = this.service.service.container
      .get(TOKENS.routes)
      .filter(({ method, path }) => method === 'get' && !OF_FILES.test(path));
    const addresses: string[] = [];
    for (const { path } of routes)
      addresses.push((await this.#of(path)) + (QUERIES.find(([pattern]) => pattern.test(path))?.[1] ?? ''));
    return addresses;
  }

  async #of(path: string): Promise<string> {
    let address = '';
    for (const segment of path.split('/').slice(1)) {
      const [, before = '', name] = /^([^:]*)(?::(\w+))?$/.exec(segment) ?? [];
      address += `/${before}${name === undefined ? '' : encodeURIComponent(await this.#valueOf(name, address))}`;
    }
    return address;
  }

  async #valueOf(name: string, list: string): Promise<string> {
    const { project, group, owner } = this.installation;
    const known = { '/projects': project, '/groups': group, '/users': owner.id }[list];
    if (known !== undefined) return String(known);
    if (NAMED[name] !== undefined) return NAMED[name];
    const all = await this.#listed(LIST_OF[list] ?? list);
    const [first] = (Array.isArray(all) ? all : []) as Readonly<Record<string, string | number>>[];
    const isSecondary = name.endsWith('_id') || name === 'id' || name === 'sha';
    const key = isSecondary ? 'id' : KEYS.find((each) => name.endsWith(each) && first?.[each] !== undefined);
    return String(first?.[key ?? 'name'] ?? first?.['id'] ?? 1);
  }

  async #listed(list: string): Promise<unknown> {
    if (!this.#lists.has(list))
      this.#lists.set(list, (await this.service.call('GET', list, { token: this.installation.owner.token })).body);
    return this.#lists.get(list);
  }
}

type Answers = Readonly<Record<string, readonly [status: number, body: string, total: string | null]>>;

/** A key by chance is offered there. */
const BY_CHANCE = '/profile/account/two_factor';
const REQUEST = /Request [0-9a-f-]{36}/g;

/** Wherever it is that the service listens, and whatever it calls the request. */
const wherever = (service: TestService, body: unknown): string =>
  (typeof body === 'string' ? body : JSON.stringify(body))
    .replaceAll(service.url, 'http://gatehouse.example')
    .replaceAll(REQUEST, 'Request');

const answersOfApi = async (
  service: TestService,
  { admin, owner }: Installation,
  addresses: readonly string[],
): Promise<Answers> => {
  const all: Record<string, readonly [number, string, string | null]> = {};
  const asked = [admin, owner].flatMap((user) => addresses.map((address) => ({ ...user, address })));
  await playRounds(asked.length, async (round) => {
    const { username = '', token = '', address = '' } = asked[round - 1] ?? {};
    const { status, body, headers } = await service.call('GET', address, { token });
    all[`${username} ${address}`] = [status, wherever(service, body), headers.get('x-total')];
  });
  return all;
};

const answersOfPages = async (
  service: TestService,
  { cookies }: FormBrowser,
  paths: readonly string[],
): Promise<Answers> => {
  const all: Record<string, readonly [number, string, string | null]> = {};
  const browser = new FormBrowser(service.url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  await playRounds(paths.length, async (round) => {
    const path = paths[round - 1] ?? '';
    const response = await browser.get(path);
    all[path] = [response.status, wherever(service, await response.text()), response.headers.get('location')];
  });
  return all;
};

/** Those that differ: all that is the same would say nothing. */
const differing = (before: Answers, after: Answers) =>
  Object.keys({ ...before, ...after })
    .filter((address) => JSON.stringify(before[address]) !== JSON.stringify(after[address]))
    .map((address) => [address, before[address], after[address]]);

/** An installation with the addresses that there is something to read at. */
const prepare = async (databaseUrl: string, seed: number) => {
  const service = await TestService.start(databaseUrl);
  try {
    const installation = await fill(service, seed);
    const addresses = await new Addresses(service, installation).all();
    const routes = new PageRoutes(service.service.container.get(TOKENS.pagesRouter));
    const kindOf = (address: string): string =>
      `${routes.of(address) ?? address} ${/[?&](\w+)=/.exec(address)?.[1] ?? ''}`;
    const crawler = new Crawler(installation.browser, service.url, { atMost: { most: PAGES_OF_KIND, kindOf } });
    await crawler.crawl(TOP);
    return {
      installation,
      addresses,
      seen: [...crawler.seen].filter((page) => page !== BY_CHANCE),
      clock: service.clock,
    };
  } finally {
    await service.close();
  }
};

withGit('an installation that was moved', () => {
  const [from = 'sqlite', to = from] = selectedDatabases();
  describeDatabase(from, 'moved there', (openSource) =>
    describeDatabase(to, 'and back', (openTarget) => {
      it('answers every address of reading as it did before, to whoever was signed in', async () => {
        await fc.assert(
          fc.asyncProperty(fc.integer(), async (seed) => {
            const [source, target, back] = [await openSource(), await openTarget(), await openSource()];
            const { installation, addresses, seen, clock } = await prepare(source, seed);
            const { admin, owner, browser } = installation;
            const answers = async (databaseUrl: string, pagesToo: boolean): Promise<readonly [Answers, Answers]> => {
              const service = await TestService.start(databaseUrl);
              try {
                service.clock.advance(clock.now().getTime() - service.clock.now().getTime());
                return [
                  await answersOfApi(service, installation, addresses),
                  pagesToo ? await answersOfPages(service, browser, seen) : {},
                ];
              } finally {
                await service.close();
              }
            };
            const [api, pages] = await answers(source, true);
            await move(source, target);
            const [apiThere, pagesThere] = await answers(target, true);
            expect(differing(api, apiThere)).toEqual([]);
            expect(differing(pages, pagesThere)).toEqual([]);
            // Where it came from pages ask the same database for the same rows.
            expect(await move(target, back)).toMatchObject({ verification: { equal: true } });
            const [apiBack] = await answers(back, false);
            expect(differing(api, apiBack)).toEqual([]);
            const answered = addresses.filter((address) =>
              [admin, owner].some(({ username }) => api[`${username} ${address}`]?.[0] === 200),
            );
            // Not all things are there, and those that are not are looked for as well.
            expect(answered.length / addresses.length).toBeGreaterThan(0.8);
            expect(pages['/profile/account']?.[0]).toBe(200);
          }),
          { numRuns: 1, endOnFailure: true },
        );
      });
    }),
  );
});
