import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FormBrowser, PASSWORD } from '../form-browser.js';
import type { World } from './world.js';

/** How long each request of a kind took, in milliseconds; and those that were not answered as they should have been. */
export interface Honest {
  readonly took: Map<string, number[]>;
  failures: string[];
}

interface HonestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Makes the next request of a kind, and hears the answer to it. */
interface Kind {
  readonly next: () => HonestRequest;
  readonly hear?: (text: string) => void;
}

const EVERY_MS = 100;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const ask = (port: number, agent: Agent, { method, path, headers, body }: HonestRequest) =>
  new Promise<{ status: number; text: string }>((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } };
    const outgoing = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('close', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.once('error', (error) => resolve({ status: 0, text: error.message }));
    outgoing.end(body);
  });

/** Those who use the service as it is meant to be used: at a steady rate, whatever it takes. */
export class HonestClients {
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly port: number,
    private readonly kinds: ReadonlyMap<string, Kind>,
  ) {}

  static async create(port: number, url: string, world: World): Promise<HonestClients> {
    const { person, projectId, projectPath } = world;
    const { integration, application } = world.honest;
    const browser = new FormBrowser(url);
    await browser.get('/users/sign_in');
    await browser.signIn(person.username, PASSWORD);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const token = { 'PRIVATE-TOKEN': person.token };
    const get = (path: string, headers: Record<string, string>): Kind => ({
      next: () => ({ method: 'GET', path, headers }),
    });
    const client = { client_id: application.uid, client_secret: application.secret };
    let refresh = await firstRefreshToken(url, world);
    let alerts = 0;
    return new HonestClients(
      port,
      new Map<string, Kind>([
        ['reads of the API', get(`/api/v4/projects/${projectId}/issues?per_page=20`, token)],
        ['GET /user', get('/api/v4/user', token)],
        ['pages', get(`/${projectPath}/-/issues`, { Cookie: cookie })],
        [
          'tokens',
          {
            next: () => ({
              method: 'POST',
              path: '/oauth/token',
              headers: FORM,
              body: new URLSearchParams({ ...client, grant_type: 'refresh_token', refresh_token: refresh }).toString(),
            }),
            hear: (text) => {
              refresh = (JSON.parse(text) as { refresh_token: string }).refresh_token;
            },
          },
        ],
        [
          'alerts',
          {
            next: () => ({
              method: 'POST',
              path: new URL(integration.url).pathname,
              headers: { Authorization: `Bearer ${integration.token}`, 'Content-Type': 'application/json' },
              body: JSON.stringify({ title: `Honest ${(alerts += 1) % 10}`, fingerprint: `honest ${alerts % 10}` }),
            }),
          },
        ],
      ]),
    );
  }

  /** Lets every kind ask for so long. */
  async run(milliseconds: number): Promise<Honest> {
    const honest: Honest = { took: new Map(), failures: [] };
    await Promise.all([...this.kinds].map(([name, kind]) => this.#runKind(name, kind, milliseconds, honest)));
    return honest;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #runKind(name: string, { next, hear }: Kind, milliseconds: number, honest: Honest): Promise<void> {
    const took: number[] = [];
    honest.took.set(name, took);
    const endAt = performance.now() + milliseconds;
    for (let due = performance.now(); due < endAt; due = Math.max(due + EVERY_MS, performance.now() - EVERY_MS)) {
      await sleep(Math.max(0, due - performance.now()));
      const startedAt = performance.now();
      const { status, text } = await ask(this.port, this.#agent, next());
      took.push(performance.now() - startedAt);
      if (status === 200) hear?.(text);
      else honest.failures.push(`${name}: ${status} ${text.slice(0, 200)}`);
    }
  }
}

const firstRefreshToken = async (url: string, { honest: { application }, person }: World): Promise<string> => {
  const browser = new FormBrowser(url);
  await browser.get('/users/sign_in');
  await browser.signIn(person.username, PASSWORD);
  const redirectUri = 'https://app.example/callback';
  const asked = { client_id: application.uid, redirect_uri: redirectUri, response_type: 'code', scope: 'read_user' };
  const path = `/oauth/authorize?${new URLSearchParams(asked).toString()}`;
  const consent = await (await browser.get(path)).text();
  const hidden = [...consent.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const values = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  const answer = await browser.post('/oauth/authorize', { ...values, decision: 'authorize' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: application.uid,
      client_secret: application.secret,
      redirect_uri: redirectUri,
      code,
    }),
  });
  return ((await response.json()) as { refresh_token: string }).refresh_token;
};
