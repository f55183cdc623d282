import { createHash, randomBytes } from 'node:crypto';
import type { RegisteredApplication } from '../../src/application/oauth/applications.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { FormBrowser } from './form-browser.js';
import { openSession, SESSION_COOKIE } from './opened-session.js';
import type { TestService } from './test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

export const CALLBACK = 'https://app.example/callback';

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in?: number;
    readonly scope: string;
    readonly id_token?: string;
    readonly error?: string;
    readonly error_description?: string;
  } & Readonly<Record<string, unknown>>;
}

export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
}

export const newProof = (verifier = randomBytes(32).toString('base64url')): Proof => ({
  verifier,
  challenge: createHash('sha256').update(verifier).digest('base64url'),
});

/** Parameters of an authorization request that differ; undefined leaves one out. */
type AuthorizeChanges = Readonly<Record<string, string | undefined>>;

type Fields = Readonly<Record<string, string>>;

/** An application that somebody else wrote, as far as the wire goes: what it sends is all in the tests. */
export class OAuthClient {
  private constructor(
    private readonly service: TestService,
    readonly application: RegisteredApplication,
  ) {}

  static async register(
    service: TestService,
    changes: { name?: string; confidential?: boolean; scopes?: string; redirectUris?: string; ownerId?: number } = {},
  ): Promise<OAuthClient> {
    const {
      name = 'Engine',
      confidential = true,
      scopes = 'api read_user openid email',
      redirectUris = CALLBACK,
    } = changes;
    const { applications } = service.service.container.get(OAUTH_TOKENS.oauth);
    const application = await applications.register((changes.ownerId ?? null) as UserId | null, {
      name,
      confidential,
      scopes,
      redirectUris,
    });
    service.secrets.push(application.secret);
    return new OAuthClient(service, application);
  }

  get id(): string {
    return this.application.uid;
  }

  get credentials(): Fields {
    const { uid, secret, confidential } = this.application;
    return confidential ? { client_id: uid, client_secret: secret } : { client_id: uid };
  }

  get basic(): Fields {
    const { uid, secret } = this.application;
    return { Authorization: `Basic ${Buffer.from(`${uid}:${secret}`).toString('base64')}` };
  }

  /** The path of an authorization request. */
  authorizePath(changes: AuthorizeChanges = {}): string {
    const parameters = new URLSearchParams();
    const all: AuthorizeChanges = {
      client_id: this.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read_user',
      state: 'a state',
      ...changes,
    };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) parameters.append(name, value);
    return `/oauth/authorize?${parameters.toString()}`;
  }

  /** What the person's answer to the consent page redirects to. */
  authorize(person: FormBrowser, changes: AuthorizeChanges = {}, decision = 'authorize'): Promise<URL> {
    return decide(person, this.authorizePath(changes), decision);
  }

  async code(person: FormBrowser, changes: AuthorizeChanges = {}): Promise<string> {
    const code = (await this.authorize(person, changes)).searchParams.get('code') ?? '';
    this.service.secrets.push(code);
    return code;
  }

  redeem(code: string, fields: Fields = {}): Promise<TokenAnswer> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...fields });
  }

  refresh(refreshToken: string, fields: Fields = {}): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...fields });
  }

  /** From consent to tokens. */
  async tokens(person: FormBrowser, scope = 'read_user'): Promise<TokenAnswer['body']> {
    const { verifier, challenge } = newProof();
    const code = await this.code(person, { scope, code_challenge: challenge, code_challenge_method: 'S256' });
    const { body } = await this.redeem(code, { code_verifier: verifier });
    return body;
  }

  token(fields: Fields): Promise<TokenAnswer> {
    return this.post('/oauth/token', { ...this.credentials, ...fields });
  }

  async post(path: string, fields: Fields, headers: Fields = {}): Promise<TokenAnswer> {
    const response = await fetch(this.service.url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    });
    const body = JSON.parse((await response.text()) || '{}') as TokenAnswer['body'];
    for (const name of ['access_token', 'refresh_token'] as const) {
      if (name in body) this.service.secrets.push(body[name]);
    }
    return { status: response.status, headers: response.headers, body };
  }
}

/** What a person's answer to the consent page of an authorization request redirects to. */
export const decide = async (person: FormBrowser, authorizePath: string, decision = 'authorize'): Promise<URL> => {
  const page = await person.get(authorizePath);
  const html = await page.text();
  if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${html}`);
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, unescape(value)] as const,
  );
  // The first form of the page signs out.
  const form = Object.fromEntries([...fields, ['decision', decision]]);
  const answer = await person.post('/oauth/authorize', form);
  return new URL(answer.headers.get('location') ?? '');
};

const unescape = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The browser of somebody, who signed in before. */
export const signedIn = async (service: TestService, username: string): Promise<FormBrowser> => {
  const { users } = service.service.container.get(IDENTITY_TOKENS.identityReaders);
  const user = await users.findByUsername(username);
  if (user === undefined) throw new Error(`Nobody is called ${username}.`);
  const person = new FormBrowser(service.url);
  person.cookies.set(SESSION_COOKIE, await openSession(service, user));
  return person;
};
