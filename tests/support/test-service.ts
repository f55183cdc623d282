import { randomBytes } from 'node:crypto';
import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import { OfferedPassword } from '../../src/application/identity/ports/password-hasher.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import type { Scope } from '../../src/domain/shared/scope.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { Service, type ServiceOptions } from '../../src/infrastructure/service.js';
import { AdjustableClock } from './adjustable-clock.js';
import { answersMatchDeclarations } from './answers-match-declarations.js';
import { RecordingLogger } from './recording-logger.js';
import { testConfig } from './test-config.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

export interface TestUser {
  readonly id: UserId;
  readonly username: string;
  /** A personal access token of this user. */
  readonly token: string;
}

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface ApiRequest {
  readonly token?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** One for all services of a test file, so that those on one database share it. */
export const SECRET_KEY = randomBytes(32);

const sensitive = (key: Buffer): Sensitive => new Sensitive(key.toString('base64'));

/** The composed application in this process, on a free port, with a clock that the test moves; nothing is scheduled beside it. */
export class TestService {
  readonly secrets: string[] = [];

  private constructor(
    readonly service: Service,
    readonly url: string,
    readonly clock: AdjustableClock,
    /** What limits go by. */
    readonly steadyClock: AdjustableClock,
    readonly logger: RecordingLogger,
  ) {}

  static start(
    databaseUrl: string,
    changes: Partial<Config> = {},
    secretKey = SECRET_KEY,
    passwordHasher = createArgon2PasswordHasher({ concurrency: 4, queue: 64 }),
  ): Promise<TestService> {
    return TestService.startWith(databaseUrl, { secretKey: sensitive(secretKey), ...changes }, { passwordHasher });
  }

  static async startWith(databaseUrl: string, changes: Partial<Config>, options: ServiceOptions): Promise<TestService> {
    const [clock, steadyClock] = [new AdjustableClock(), new AdjustableClock()];
    const logger = new RecordingLogger();
    const service = await Service.open(testConfig(databaseUrl, { secretKey: sensitive(SECRET_KEY), ...changes }), {
      scheduled: false,
      ...options,
      clock,
      steadyClock,
      logger,
      probes: { onAnswer: answersMatchDeclarations },
    });
    return new TestService(service, await service.listen(), clock, steadyClock, logger);
  }

  /** Where this process itself listens; `url` is where clients go. */
  get nodeUrl(): string {
    return `http://127.0.0.1:${this.service.port}`;
  }

  /** A confirmed user with a token, made behind the API. */
  async addUser(
    username: string,
    { admin = false, scopes = ['api'] as readonly Scope[], password = null as string | null } = {},
  ): Promise<TestUser> {
    const { container } = this.service;
    const now = this.clock.now();
    const passwordHash =
      password === null ? null : await container.get(TOKENS.passwordHasher).hash(new OfferedPassword(password, 'test'));
    const id = await container.get(TOKENS.unitOfWork).execute(async ({ users, emails, namespaces }) => {
      const user = await users.add({
        username,
        name: `${username} Example`,
        state: 'active',
        admin,
        passwordHash,
        createdAt: now,
      });
      await emails.add({
        userId: user.id,
        address: `${username}@example.com`,
        primary: true,
        confirmedAt: now,
        recoverySince: now,
        createdAt: now,
      });
      await namespaces.addPersonal({ ownerId: user.id, username, name: user.name, createdAt: now });
      return user.id;
    });
    return { id, username, token: await this.addToken(id, scopes) };
  }

  /** An OAuth token of a user, given to an application for their password. */
  async addOAuthToken(username: string, password: string, scope: string): Promise<string> {
    const { applications } = this.service.container.get(OAUTH_TOKENS.oauth);
    const redirectUris = 'https://app.example/callback';
    const { uid, secret } = await applications.register(null, {
      name: 'CLI',
      confidential: true,
      scopes: scope,
      redirectUris,
    });
    const basic = Buffer.from(`${uid}:${secret}`).toString('base64');
    const response = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'password', username, password, scope }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    this.secrets.push(secret, token);
    return token;
  }

  async addToken(userId: UserId, scopes: readonly Scope[], expiresAt: string | null = null): Promise<string> {
    const { container } = this.service;
    const token = container.get(TOKENS.secretSource).token();
    this.secrets.push(token);
    const digest = container.get(TOKENS.secretDigester).digest(token);
    await container
      .get(TOKENS.unitOfWork)
      .execute(({ personalAccessTokens }) =>
        personalAccessTokens.add({ userId, digest, name: 'test', scopes, expiresAt, createdAt: this.clock.now() }),
      );
    return token;
  }

  /** Calls the API; `path` is relative to `/api/v4`. */
  call<Body = unknown>(method: string, path: string, request: ApiRequest = {}): Promise<Answer<Body>> {
    return this.#call(this.url, method, path, request);
  }

  /** The same, past whatever stands before this process. */
  nodeCall<Body = unknown>(method: string, path: string, request: ApiRequest = {}): Promise<Answer<Body>> {
    return this.#call(this.nodeUrl, method, path, request);
  }

  async #call<Body>(
    url: string,
    method: string,
    path: string,
    { token, json, form, headers }: ApiRequest,
  ): Promise<Answer<Body>> {
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { 'PRIVATE-TOKEN': token }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
    };
  }

  close(): Promise<void> {
    return this.service.close();
  }
}
