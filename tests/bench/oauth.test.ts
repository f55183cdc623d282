import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { interleave, type Measurement } from '../support/interleave.js';
import { LOAD_GENERATOR, sendOnce, underLoad } from '../support/load.js';
import { CALLBACK, OAuthClient } from '../support/oauth-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';
import { TestService } from '../support/test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

const SECONDS = 2;
/** The peer's own store holds 1,000 entries, so codes are made and exchanged by the hundred. */
const CODES = 100;
const BATCHES = 4;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const peer = (name: string) => fileURLToPath(new URL(`./peers/${name}.js`, import.meta.url));
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

describeEachDatabase('the cost of OAuth', (openTestDatabase) => {
  const secretKey = randomBytes(32);
  let url: string;
  let seeded: TestService;
  let service: ServiceProcess;
  let oidcProvider: ServiceProcess;
  let bare: ServiceProcess | undefined;
  let client: OAuthClient;
  let userId: number;
  let token: string;

  beforeAll(async () => {
    url = await openTestDatabase();
    seeded = await TestService.start(url, {}, secretKey);
    userId = (await seeded.addUser('ada', { password: 'a-difference-engine' })).id;
    client = await OAuthClient.register(seeded);
    const answer = await client.token({
      grant_type: 'password',
      username: 'ada',
      password: 'a-difference-engine',
      scope: 'read_user',
    });
    token = answer.body.access_token;
    service = await ServiceProcess.start({
      DATABASE_URL: url,
      SECRET_KEY: secretKey.toString('base64'),
      NODE_ENV: 'production',
    });
    oidcProvider = await ServiceProcess.run([peer('oidc-provider')], { NODE_ENV: 'production' });
    if (url.startsWith('sqlite:')) {
      bare = await ServiceProcess.run([peer('bare-lookup')], { BENCH_DATABASE: url.slice('sqlite:'.length) });
    }
  });

  afterAll(async () => {
    for (const process of [service, oidcProvider, bare]) await process?.end('SIGTERM');
    await seeded.close();
  });

  /** Codes that a person has just approved, made behind the endpoint. */
  const approvedCodes = async (): Promise<string[]> => {
    const { authorize, applicationReader } = seeded.service.container.get(OAUTH_TOKENS.oauth);
    const application = await applicationReader.find(client.application.id);
    if (application === undefined) throw new Error('The application is gone.');
    const person = { userId: userId as UserId, authenticatedAt: new Date() };
    const request = {
      application,
      redirectUri: CALLBACK,
      responseType: 'code',
      scopes: ['read_user'],
      state: undefined,
      codeChallenge: undefined,
      nonce: undefined,
      prompts: [],
      maxAge: undefined,
    } as const;
    const approvals = await Promise.all(Array.from({ length: CODES }, () => authorize.approve(request, person)));
    return approvals.flatMap((approval) => (approval.responseType === 'code' ? [approval.code] : []));
  };

  const fromPeer = async (what: 'codes' | 'tokens'): Promise<string[]> => {
    const response = await fetch(`${oidcProvider.url}/bench`, {
      method: 'POST',
      body: JSON.stringify({ what, count: CODES }),
    });
    return (await response.json()) as string[];
  };

  const exchange = async (
    address: string,
    credentials: Record<string, string>,
    makeCodes: () => Promise<readonly string[]>,
  ): Promise<number> => {
    const fields = { ...credentials, grant_type: 'authorization_code', redirect_uri: CALLBACK };
    const batches: number[] = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const bodies = (await makeCodes()).map((code) => form({ ...fields, code }));
      batches.push(await sendOnce({ url: address, headers: FORM }, bodies));
    }
    return median(batches);
  };

  it('is measured beside oidc-provider: on SQLite at most half of its own for token info, and no more for the current user', async () => {
    const bearer = { Authorization: `Bearer ${token}` };
    const peerClient = { client_id: 'bench', client_secret: 'bench-secret-bench-secret-bench-secret' };
    const measurements = new Map<string, Measurement>([
      ['token info', () => underLoad({ url: `${service.url}/oauth/token/info`, headers: bearer }, SECONDS)],
      [
        'oidc-provider introspection',
        async () => {
          const [peerToken = ''] = await fromPeer('tokens');
          const body = form({ ...peerClient, token: peerToken });
          return underLoad(
            { url: `${oidcProvider.url}/token/introspection`, method: 'POST', headers: FORM, body },
            SECONDS,
          );
        },
      ],
      ['GET /user', () => underLoad({ url: `${service.url}/api/v4/user`, headers: bearer }, SECONDS)],
      [
        'introspection',
        () =>
          underLoad(
            {
              url: `${service.url}/oauth/introspect`,
              method: 'POST',
              headers: FORM,
              body: form({ ...client.credentials, token }),
            },
            SECONDS,
          ),
      ],
      ['code exchange', () => exchange(`${service.url}/oauth/token`, client.credentials, approvedCodes)],
      ['oidc-provider code exchange', () => exchange(`${oidcProvider.url}/token`, peerClient, () => fromPeer('codes'))],
      ...(bare === undefined
        ? []
        : [['bare lookup', () => underLoad({ url: bare?.url ?? '', headers: bearer }, SECONDS)] as const]),
    ]);
    const measured = await interleave(measurements);
    const peers: [string, string][] = [
      ['token info', 'oidc-provider introspection'],
      ['introspection', 'oidc-provider introspection'],
      ['GET /user', 'oidc-provider introspection'],
      ['code exchange', 'oidc-provider code exchange'],
      ...(bare === undefined
        ? []
        : ([
            ['token info', 'bare lookup'],
            ['GET /user', 'bare lookup'],
          ] as [string, string][])),
    ];
    const ratios = peers.map(([name, against]) => measured.describeRatio(name, against));
    process.stdout.write(
      `${expect.getState().currentTestName ?? ''}, by ${LOAD_GENERATOR}\n${measured.describe('/s')}${ratios.join('')}`,
    );
    if (bare === undefined) return;
    expect(measured.ratio('token info', 'oidc-provider introspection')).toBeGreaterThanOrEqual(2);
    expect(measured.ratio('GET /user', 'oidc-provider introspection')).toBeGreaterThanOrEqual(1);
  });
});
