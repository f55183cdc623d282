import type { FormBrowser } from './form-browser.js';

/** Pages that differ in their query alone, of which so many are followed. */
const QUERIES_OF_PATH = 5;
/** Each documents an operation of the API, and nothing else differs: so many are followed, and `api-docs.test.ts` opens all. */
const OPERATIONS = '/api/docs/';
const MOST_PAGES = 3_000;

/** A link or form that leads nowhere, and the page that has it. */
export interface DeadEnd {
  readonly on: string;
  readonly to: string;
  readonly status: number;
}

const decoded = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<');

const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link]) => decoded(link ?? ''));

const formsIn = (html: string) =>
  [...html.matchAll(/<form\b([^>]*)>/g)].map(([, attributes = '']) => ({
    method: /\smethod="([^"]*)"/.exec(attributes)?.[1] ?? 'get',
    action: decoded(/\saction="([^"]*)"/.exec(attributes)?.[1] ?? ''),
  }));

/** What a crawl leaves out, and what is done with each page of it. */
interface CrawlOptions {
  /** Of pages that are of the same kind only so many are opened. */
  readonly atMost?: { readonly most: number; readonly kindOf: (address: string) => string };
  readonly look?: (address: string, html: string) => void;
}

/** Without what an application asks for it says that this is missing. */
const CONSENT = '/oauth/authorize';

/** Opens every page that a viewer is led to, and asks for every form on them: what is there for them answers, or refuses what has no token. */
export class Crawler {
  readonly seen = new Set<string>();
  readonly deadEnds: DeadEnd[] = [];
  /** What can be looked at: each answered with HTML, at this very address. */
  readonly shown: string[] = [];
  readonly #queries = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly forms = new Set<string>();
  readonly #waiting: { readonly on: string; readonly to: string }[] = [];

  constructor(
    private readonly viewer: FormBrowser,
    private readonly origin: string,
    private readonly options: CrawlOptions = {},
  ) {}

  async crawl(from: readonly string[]): Promise<void> {
    for (const to of from) this.#queue('', to);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.seen.size > MOST_PAGES) throw new Error(`There are more than ${MOST_PAGES} pages.`);
      await this.#visit(next.on, next.to);
    }
  }

  /** Pages by their path, without queries. */
  get paths(): ReadonlySet<string> {
    return new Set([...this.seen].map((page) => page.split('?', 1)[0] ?? ''));
  }

  #queue(on: string, link: string): void {
    const url = new URL(link, this.origin + on);
    if (url.origin !== this.origin || !/^https?:$/.test(url.protocol)) return;
    const to = url.pathname + url.search;
    if (this.seen.has(to) || this.#hasEnoughOf(to)) return;
    const isOperation = url.pathname.startsWith(OPERATIONS);
    const alike = isOperation ? OPERATIONS : url.pathname;
    const known = this.#queries.get(alike) ?? 0;
    if ((url.search !== '' || isOperation) && known >= QUERIES_OF_PATH) return;
    this.#queries.set(alike, known + 1);
    this.seen.add(to);
    this.#waiting.push({ on, to });
  }

  #hasEnoughOf(to: string): boolean {
    const { atMost } = this.options;
    if (atMost === undefined) return false;
    const kind = atMost.kindOf(to);
    const known = this.#kinds.get(kind) ?? 0;
    this.#kinds.set(kind, known + 1);
    return known >= atMost.most;
  }

  async #visit(on: string, to: string): Promise<void> {
    const response = await this.viewer.get(to);
    const { status } = response;
    const location = response.headers.get('location');
    if (status >= 400) this.deadEnds.push({ on, to, status });
    if (status >= 300 && location !== null) this.#queue(on, location);
    const html = await response.text();
    if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return;
    if (status === 200) this.shown.push(to);
    this.options.look?.(to, html);
    for (const link of linksIn(html)) this.#queue(to, link);
    for (const { method, action } of formsIn(html)) {
      // Forms of the page that documents the API are sent by its script.
      if (to.startsWith('/api/docs')) break;
      const target = new URL(action === '' ? to : action, this.origin + to);
      if (method === 'get') this.#queue(to, target.pathname);
      else await this.#askForForm(to, target.pathname + target.search);
    }
  }

  async #askForForm(on: string, action: string): Promise<void> {
    if (this.forms.has(action)) return;
    this.forms.add(action);
    // What it answers may be loaded again; but who decides on an application is led on to that.
    if (action !== CONSENT) this.#queue(on, action);
    // Without a decision it is what a client asks.
    const { status } = await this.viewer.post(action, action === CONSENT ? { decision: 'authorize' } : {});
    // Without its token a form is refused, whoever sends it, before anything else is looked at.
    if (status !== 403) this.deadEnds.push({ on, to: `POST ${action}`, status });
  }
}
