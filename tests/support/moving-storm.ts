import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MailServer } from './mail-server.js';
import { AlertingProject, sendAlert, type IntegrationBody } from './alerting.js';
import { PASSWORD } from './form-browser.js';
import { OAuthClient, signedIn } from './oauth-client.js';
import { ServiceProcess } from './service-process.js';
import { TestService, type TestUser } from './test-service.js';
import { until } from './until.js';

const SENDERS = 12;
const KINDS = 20;
const RUNNERS_UP_MS = 5;
/** Between one comment, of which somebody is mailed, and the next. */
const COMMENTS_MS = 40;
const P99 = 0.99;

/** What those who use an installation have in hand before its storage moves. */
interface Prepared {
  readonly owner: TestUser;
  /** Comments on an issue of the owner, who is mailed. */
  readonly commenter: TestUser;
  readonly issue: number;
  readonly projectId: number;
  readonly integration: IntegrationBody;
  readonly client: Readonly<Record<string, string>>;
  readonly refreshTokens: readonly string[];
  readonly cookie: string;
}

/** What serves first, where that is another version than the one that is built here. */
export interface EarlierProgram {
  /** Its `main.js`. */
  readonly program?: string;
  /** Called once what the storm needs is in the database. */
  readonly beforeServing?: () => Promise<void>;
}

const prepare = async (databaseUrl: string, key: Buffer<ArrayBuffer>): Promise<Prepared> => {
  const service = await TestService.start(databaseUrl, {}, key);
  try {
    const owner = await service.addUser('ada', { password: PASSWORD });
    const place = await AlertingProject.create(service, owner, 'engine');
    await place.call('PUT', '/alert_settings', { create_incident: false });
    const { body: issue } = await place.call<{ iid: number }>('POST', '/issues', { title: 'Cogs jam' });
    const commenter = await service.addUser('grace');
    await place.call('POST', '/members', { user_id: commenter.id, access_level: 30 });
    const integration = await place.integrate();
    const person = await signedIn(service, 'ada');
    const client = await OAuthClient.register(service);
    const refreshTokens = [(await client.tokens(person)).refresh_token, (await client.tokens(person)).refresh_token];
    const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
    const people = { owner, commenter, issue: issue.iid };
    return { ...people, projectId: place.id, integration, client: client.credentials, refreshTokens, cookie };
  } finally {
    await service.close();
  }
};

/** Built services under everyday traffic, which counts what was acknowledged and what failed. */
export class MovingStorm {
  /** How often each kind of alert was acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** The comments that were acknowledged. */
  readonly commented: number[] = [];
  /** What was answered otherwise than it should be. */
  readonly failures: string[] = [];
  /** How long the slowest write and the slowest read took, in milliseconds. */
  readonly slowest = { write: 0, read: 0 };
  #latencies: number[] = [];
  answered = 0;
  /** Where everybody goes, where a proxy is before the nodes. */
  front: string | undefined;
  #goesOn = true;
  /** Whether the service is being killed or started. */
  #down = false;
  #running: Promise<unknown> = Promise.resolve();
  #accessToken = '';
  #turn = 0;

  private constructor(
    readonly settings: Readonly<Record<string, string>>,
    private readonly prepared: Prepared,
    private readonly nodes: ServiceProcess[],
    private readonly mailServer: MailServer,
  ) {}

  /** @param ports where the nodes listen, where that matters. */
  static async start(
    databaseUrl: string,
    nodes: number,
    ports: readonly number[] = [],
    { program, beforeServing }: EarlierProgram = {},
  ): Promise<MovingStorm> {
    const key = randomBytes(32);
    const mailServer = await MailServer.start();
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      RATE_LIMIT_ALERTS: 'off',
      SMTP_URL: mailServer.url.reveal(),
    };
    const prepared = await prepare(databaseUrl, key);
    await beforeServing?.();
    const processes: ServiceProcess[] = [];
    for (let node = 0; node < nodes; node += 1) {
      const ofNode = { ...settings, PORT: String(ports[node] ?? 0) };
      processes.push(
        await (program === undefined ? ServiceProcess.start(ofNode) : ServiceProcess.run([program, 'serve'], ofNode)),
      );
    }
    const storm = new MovingStorm(settings, prepared, processes, mailServer);
    storm.#running = storm.#blow();
    return storm;
  }

  /** Waits until some more of everything was answered. */
  async more(answers = 200): Promise<void> {
    const from = this.answered;
    while (this.answered < from + answers && this.failures.length === 0) await sleep(RUNNERS_UP_MS);
  }

  /** Kills the only service there is, and starts it with its settings of before: what fails meanwhile is no failure. */
  async killAndRestart(): Promise<void> {
    await this.without(async () => {
      await this.nodes[0]?.end('SIGKILL');
      this.nodes[0] = await ServiceProcess.start(this.settings);
    });
  }

  /** While something is away that everybody needs: what fails meanwhile is no failure. */
  async without(outage: () => Promise<void>): Promise<void> {
    this.#down = true;
    await outage();
    for (const { url } of this.nodes) await until(async () => (await fetch(`${url}/-/readiness`)).status === 200);
    await this.#onTheWay();
    this.#down = false;
  }

  /** Ends a node as an update does, and starts it again where it was. Answers its exit code. */
  async replace(node: number): Promise<number | null | undefined> {
    const before = this.nodes[node];
    const code = await before?.end('SIGTERM');
    this.nodes[node] = await ServiceProcess.start({ ...this.settings, PORT: new URL(before?.url ?? '').port });
    return code;
  }

  /** Kills a node of several. What was on its way there fails, and is no failure; whatever is asked afterwards is one again. */
  async kill(node: number): Promise<void> {
    this.#down = true;
    await this.nodes[node]?.end('SIGKILL');
    await this.#onTheWay();
    this.#down = false;
  }

  /** Ends the traffic, but not the services. */
  async calm(): Promise<void> {
    this.#goesOn = false;
    await this.#running;
  }

  /** How often each alert that is stored was counted. */
  async stored(): Promise<ReadonlyMap<string, number>> {
    const path = `/api/v4/projects/${this.prepared.projectId}/alert_management_alerts?per_page=100`;
    const alerts = (await (await this.#get(path, this.#asOwner())).json()) as { title: string; events: number }[];
    return new Map(alerts.map(({ title, events }) => [title, events]));
  }

  /** Of which comments somebody was mailed, once all have been that were acknowledged; sorted, and twice what was mailed twice. */
  async mailed(): Promise<readonly number[]> {
    // People are mailed of other things, too.
    const numbers = (): number[] =>
      this.mailServer.mails.flatMap(({ text }) =>
        [...(text ?? '').matchAll(/Number (\d+)\./g)].map(([, number]) => Number(number)),
      );
    await until(() => Promise.resolve(numbers().length >= this.commented.length));
    return numbers().sort((one, other) => one - other);
  }

  /** How long 99 of 100 answers took at most since this was asked last, in milliseconds. */
  p99(): number {
    const latencies = this.#latencies.sort((one, other) => one - other);
    this.#latencies = [];
    return Math.round(latencies[Math.floor(latencies.length * P99)] ?? 0);
  }

  /** What the service says to the last access token, and to the session that was begun before. */
  async stillSignedIn(): Promise<readonly number[]> {
    const byToken = await this.#get('/api/v4/user', { Authorization: `Bearer ${this.#accessToken}` });
    const bySession = await this.#get('/profile/account', { cookie: this.prepared.cookie });
    return [byToken.status, bySession.status];
  }

  async close(): Promise<void> {
    await this.calm();
    for (const node of this.nodes) await node.end('SIGKILL');
    await this.mailServer.down();
  }

  /** Waits until each of those who were on their way has been answered, and has asked once more. */
  #onTheWay(): Promise<void> {
    return this.more(4 * SENDERS);
  }

  async #blow(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: SENDERS }, (_, sender) => this.#sendAlerts(sender)),
      ...this.prepared.refreshTokens.map((token) => this.#refresh(token)),
      this.#again(() => this.#read(`/api/v4/events?per_page=20`, this.#asOwner())),
      this.#again(() => this.#read(`/api/v4/projects/${this.prepared.projectId}`, this.#asOwner())),
      this.#comment(),
      this.#again(() => this.#read('/profile/account', { cookie: this.prepared.cookie })),
    ]);
  }

  async #again(act: () => Promise<void>, pauseMs?: number): Promise<void> {
    while (this.#goesOn) {
      const startedAt = performance.now();
      try {
        await act();
      } catch (error) {
        this.#fail(String(error));
      }
      this.answered += 1;
      this.#latencies.push(performance.now() - startedAt);
      // Whoever asked stands back a while, so that others get on as well.
      await sleep(pauseMs ?? Math.min(performance.now() - startedAt, RUNNERS_UP_MS));
    }
  }

  async #sendAlerts(sender: number): Promise<void> {
    let number = sender;
    await this.#again(async () => {
      const title = `kind ${(number += SENDERS) % KINDS}`;
      const url = this.#node() + new URL(this.prepared.integration.url).pathname;
      const startedAt = performance.now();
      const { status } = await sendAlert({ ...this.prepared.integration, url }, { title, fingerprint: title });
      this.slowest.write = Math.max(this.slowest.write, performance.now() - startedAt);
      if (status === 200) this.acknowledged.set(title, (this.acknowledged.get(title) ?? 0) + 1);
      else this.#fail(`an alert: ${status}`);
    });
  }

  async #refresh(first: string): Promise<void> {
    let token = first;
    await this.#again(async () => {
      const response = await fetch(`${this.#node()}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...this.prepared.client, grant_type: 'refresh_token', refresh_token: token }),
      });
      if (response.status !== 200) return this.#fail(`a refresh: ${response.status} ${await response.text()}`);
      const body = (await response.json()) as { access_token: string; refresh_token: string };
      token = body.refresh_token;
      this.#accessToken = body.access_token;
      // At once, and by whichever node: what was just given is good, and what was given up is not.
      await this.#read('/api/v4/user', { Authorization: `Bearer ${this.#accessToken}` });
    });
  }

  async #comment(): Promise<void> {
    const { projectId, issue, commenter } = this.prepared;
    let number = 0;
    await this.#again(async () => {
      const response = await fetch(`${this.#node()}/api/v4/projects/${projectId}/issues/${issue}/notes`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': commenter.token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ body: `Number ${(number += 1)}.` }),
      });
      await response.arrayBuffer();
      if (response.status === 201) this.commented.push(number);
      else this.#fail(`a comment: ${response.status}`);
    }, COMMENTS_MS);
  }

  async #read(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const startedAt = performance.now();
    const response = await this.#get(path, headers);
    await response.arrayBuffer();
    this.slowest.read = Math.max(this.slowest.read, performance.now() - startedAt);
    if (response.status !== 200) this.#fail(`${path}: ${response.status}`);
  }

  #fail(how: string): void {
    if (!this.#down) this.failures.push(how);
  }

  #get(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(this.#node() + path, { headers, redirect: 'manual' });
  }

  #asOwner(): Readonly<Record<string, string>> {
    return { 'PRIVATE-TOKEN': this.prepared.owner.token };
  }

  /** Each in turn. */
  #node(): string {
    if (this.front !== undefined) return this.front;
    const node = this.nodes[(this.#turn += 1) % this.nodes.length];
    return node?.url ?? '';
  }
}
