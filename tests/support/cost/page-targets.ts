import { readdirSync, readFileSync } from 'node:fs';
import type { Router } from 'express';
import { FormBrowser, PASSWORD } from '../form-browser.js';
import { textField } from './fields.js';
import type { AskApi } from './api-targets.js';
import type { Area, Caller, Target } from './target.js';
import type { World } from './world.js';

const FORM_BODY = 65_536;
const FRESH_MS = 500;

/** As Express keeps what was registered. */
interface Layer {
  readonly route?: {
    readonly path: string | RegExp | readonly string[];
    readonly methods: Readonly<Record<string, boolean>>;
  };
  readonly handle: { readonly stack?: readonly Layer[] };
}

export interface Registered {
  readonly method: string;
  readonly path: string;
}

const METHODS = /^(?:get|post|put|patch|delete)$/;

/** Every method and path that a router and those within it know. */
const registeredIn = (stack: readonly Layer[]): Registered[] =>
  stack.flatMap(({ route, handle }) => {
    if (route === undefined) return registeredIn(handle.stack ?? []);
    const paths = ([] as (string | RegExp)[]).concat(route.path as string);
    return Object.keys(route.methods)
      .filter((method) => METHODS.test(method))
      .flatMap((method) => paths.map((path) => ({ method: method.toUpperCase(), path: String(path) })));
  });

export const routesOf = (...routers: readonly Router[]): readonly Registered[] => {
  const all = registeredIn(routers.map((router) => ({ handle: router as unknown as Layer['handle'] })));
  const known = new Map(all.map((each) => [`${each.method} ${each.path}`, each]));
  return [...known.values()];
};

/** What stands in brackets that begin in a certain way, with up to two more pairs of them inside. */
const inBrackets = (beginning: string): RegExp =>
  new RegExp(String.raw`\(${beginning}(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`, 'g');

/** A path that was registered as a regular expression, as the others are written: `(?<path>…)` is `*path`. */
export const withoutExpressions = (pattern: string): string =>
  pattern.startsWith('/^')
    ? pattern
        .replace(/^\/\^|\$\/$/g, '')
        .replaceAll(inBrackets(String.raw`\?=`), '')
        .replaceAll(inBrackets(String.raw`\?<(\w+)>`), (_, name: string) => (name === 'path' ? '*path' : `:${name}`))
        .replaceAll(/\(\?:[^()]*\)\?|\\\/\?/g, '')
        .replaceAll(/\\(.)/g, '$1')
    : pattern;

const pathFrom = (world: World, pattern: string): string =>
  withoutExpressions(pattern)
    .replace('/groups/*path', `/groups/${world.groupPath}`)
    .replace('*path', world.projectPath)
    .replace('/integrations/:id', `/integrations/${world.spareIntegrationId}`)
    .replace(/(?<=^\/profile\/(?:applications|personal_access_tokens)\/):id/, String(world.ownedId))
    .replace(/(?<=-\/snippets\/):id/, String(pattern.includes('path') ? world.ids['snippet_id'] : world.snippetId))
    .replace(/(?<=-\/(?:tree|commits|new)\/):rest/, 'main')
    .replace(':rest', 'main/first.txt')
    .replace(':ref/:about', 'main/pipeline')
    .replace(':from', 'main')
    .replace(':to', 'topic')
    .replace(':file', 'first.txt')
    .replace(':sha', String(world.ids['sha']))
    .replace(':username', 'person')
    .replace(':token', 'abcdef')
    .replace(/:(?:iid|id)\b/, '1')
    .replace(/:\w+/g, '1');

const PAGES = new URL('../../../src/adapters/inbound/http/pages/', import.meta.url);

/** Every name that pages look for in an address. */
const namesInQueries = (): readonly string[] => {
  const sources = readdirSync(PAGES, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.ts'));
  const texts = sources.map((name) => readFileSync(new URL(name, PAGES), 'utf8'));
  return [
    ...new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/query(?:\['|\.|(?:Text|Choice)\(context, ')(\w+)/g)].map(([, name = '']) => name),
      ),
    ),
  ];
};

const FORM = /<form[^>]*?action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g;
const NAME = /<(?:input|select|textarea|button)[^>]*?\bname="([^"]+)"/g;

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${withoutExpressions(pattern).replaceAll(/\*\w+/g, '.+').replaceAll(/:\w+/g, '[^/]+')}$`).test(path);

/** The names of the fields of each form that the pages show to these browsers, by the path that it is sent to. */
const formsOf = async (
  browsers: readonly FormBrowser[],
  paths: readonly string[],
): Promise<Map<string, Set<string>>> => {
  const forms = new Map<string, Set<string>>();
  for (const [browser, path] of browsers.flatMap((browser) => paths.map((path) => [browser, path] as const))) {
    const html = await (await browser.get(path)).text();
    for (const [, action = '', inside = ''] of html.matchAll(FORM)) {
      const [to = ''] = (action === '' ? path : action).split('?');
      const names = forms.get(to) ?? new Set<string>();
      for (const [, name = ''] of inside.matchAll(NAME)) names.add(name);
      forms.set(to, names);
    }
  }
  return forms;
};

/** Browsers of those who call pages; who has lost their session signs in again. */
export class Browsers {
  readonly #browsers = new Map<Caller, FormBrowser>();
  readonly #fresh = new Map<Caller, { readonly until: number; readonly headers: Record<string, string> }>();

  constructor(
    private readonly url: string,
    private readonly world: World,
  ) {}

  /** The cookie and the token of forms; looked at again now and then, as a request may have ended the session. */
  async headers(caller: Caller): Promise<Record<string, string>> {
    const known = this.#fresh.get(caller);
    if (known !== undefined && performance.now() < known.until) return known.headers;
    const headers = await this.#read(caller);
    this.#fresh.set(caller, { until: performance.now() + FRESH_MS, headers });
    return headers;
  }

  async #read(caller: Caller): Promise<Record<string, string>> {
    const browser = await this.of(caller);
    const token = await browser.formToken(caller === 'nobody' ? '/users/sign_in' : '/profile/account');
    if (token === '' && caller !== 'nobody') {
      this.#browsers.delete(caller);
      return this.#read(caller);
    }
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Cookie: cookie, 'X-CSRF-Token': token };
  }

  async of(caller: Caller): Promise<FormBrowser> {
    const known = this.#browsers.get(caller);
    if (known !== undefined) return known;
    const browser = new FormBrowser(this.url);
    await browser.get('/users/sign_in');
    if (caller !== 'nobody') {
      const { id, username } = this.world[caller];
      // Hostile forms gave wrong passwords, which lock an account.
      const headers = { 'PRIVATE-TOKEN': this.world.administrator.token };
      await fetch(`${this.url}/api/v4/users/${id}/unblock`, { method: 'POST', headers });
      const { status } = await browser.signIn(username, PASSWORD);
      if (status !== 303) throw new Error(`The ${caller} could not sign in: ${status}`);
    }
    this.#browsers.set(caller, browser);
    return browser;
  }
}

/** Every page and form, and whatever else is registered beside the API. */
export const pageTargets = async (
  routes: readonly Registered[],
  area: Area,
  world: World,
  browsers: Browsers,
): Promise<Target[]> => {
  const gets = routes.filter(({ method }) => method === 'GET').map(({ path }) => pathFrom(world, path));
  const forms = await formsOf([await browsers.of('administrator'), await browsers.of('nobody')], gets);
  const everyName = [...new Set([...forms.values()].flatMap((names) => [...names]))];
  const queryNames = namesInQueries();
  const namesFor = ({ method, path }: Registered): readonly string[] => {
    if (method === 'GET') return queryNames;
    const found = [...forms].filter(([to]) => matches(path, to)).flatMap(([, names]) => [...names]);
    return found.length > 0 ? [...new Set(found)] : everyName;
  };
  return routes.map((registered): Target => {
    const { method, path } = registered;
    return {
      name: `${method} ${withoutExpressions(path)}`,
      area,
      method,
      fields: namesFor(registered)
        .filter((name) => name !== 'authenticity_token')
        .map(textField),
      bodyLimit: FORM_BODY,
      takes: 'form',
      path: () => Promise.resolve(pathFrom(world, path)),
      pathWith: (segment) => {
        const written = withoutExpressions(path);
        return /[*:]/.test(written) ? written.replaceAll(/[*:]\w+/g, () => segment) : undefined;
      },
      headers: (caller) => browsers.headers(caller),
      companions: {},
    };
  });
};

const ALERT_FIELDS = [
  ...['title', 'description', 'start_time', 'end_time', 'service', 'monitoring_tool', 'hosts', 'severity'],
  ...['fingerprint', 'gitlab_environment_name', 'alerts', 'groupLabels', 'commonLabels', 'status'],
];
const INTAKE_BODY = 1_048_576;

/** Where alerts arrive, which is asked before every router: as somebody without a key, and with one. */
export const intakeTargets = ({ integration, prometheus, endpoint }: World): Target[] =>
  (
    [
      ['/*path/alerts/notify.json', integration],
      ['/*path/prometheus/alerts/notify.json', prometheus],
      ['/*path/alerts/notify/:name/:identifier.json', endpoint],
    ] as const
  ).map(([path, { url, token }]) => ({
    name: `POST ${path}`,
    area: 'intake',
    method: 'POST',
    fields: ALERT_FIELDS.map(textField),
    bodyLimit: INTAKE_BODY,
    takes: 'json',
    path: () => Promise.resolve(new URL(url).pathname),
    pathWith: (segment) => path.replaceAll(/[*:]\w+/g, () => segment),
    headers: (caller) => Promise.resolve(caller === 'nobody' ? {} : { Authorization: `Bearer ${token}` }),
    companions: {},
  }));

const OLD = [
  'GET /projects/1/issues',
  'POST /projects/1/issues',
  'PUT /anything',
  'DELETE /projects/1',
  'GET /projects/search/a',
];

/** Addresses of the version that was removed: any method and path is answered. */
export const oldApiTargets = (): Target[] =>
  OLD.map((each) => {
    const [method = '', path = ''] = each.split(' ');
    return {
      name: `${method} /api/v3${path}`,
      area: 'old api',
      method,
      fields: ['search', 'iid', 'private_token', 'labels'].map(textField),
      bodyLimit: INTAKE_BODY,
      takes: 'json',
      path: () => Promise.resolve(`/api/v3${path}`),
      pathWith: (segment) => `/api/v3/${segment}`,
      headers: () => Promise.resolve({}),
      companions: {},
    };
  });

/** Calls the API of a running service as its administrator. */
export const askAs =
  (url: string, token: string): AskApi =>
  async (method, path, json) => {
    const isForm = json instanceof FormData;
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
      ...(json === undefined ? {} : { body: isForm ? json : JSON.stringify(json) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
