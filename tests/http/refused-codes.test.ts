import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { newProof, OAuthClient, signedIn, type TokenAnswer } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

const MINUTE = 60_000;

describeEachDatabase('why a code or a refresh token is refused', (openTestDatabase) => {
  let service: TestService;
  let person: FormBrowser;
  let client: OAuthClient;
  let other: OAuthClient;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('ada', { password: PASSWORD });
    person = await signedIn(service, 'ada');
    [client, other] = [await OAuthClient.register(service), await OAuthClient.register(service)];
  });

  afterAll(() => service.close());

  /** The reasons in the log since a line, and those of the metric that aren't 0. */
  const toldSince = async (line: number, counter: string) => {
    const logged = service.logger.lines.slice(line).flatMap(({ fields }) => fields['reason'] ?? []);
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    const series = new RegExp(`^gatehouse_${counter}\\{reason="(\\w+)"\\} [1-9]`, 'gm');
    return { logged, counted: [...metrics.matchAll(series)].map(([, reason]) => reason).sort() };
  };
  const errors = (answers: readonly TokenAnswer[]) => [...new Set(answers.map(({ body }) => body.error))];

  it('is in the log and the metric in the same word, and the client is not told', async () => {
    const line = service.logger.lines.length;
    const { verifier, challenge } = newProof();
    const challenged = () => client.code(person, { code_challenge: challenge, code_challenge_method: 'S256' });
    const expired = await client.code(person);
    service.clock.advance(10 * MINUTE);
    const answers = [
      await client.redeem('made-up'),
      await client.redeem(expired),
      await other.redeem(await client.code(person)),
      await client.redeem(await client.code(person), { redirect_uri: 'https://app.example/other' }),
      await client.redeem(await client.code(person), { code_verifier: verifier }),
      await client.redeem(await challenged(), { code_verifier: newProof().verifier }),
    ];
    expect(errors(answers)).toEqual(['invalid_grant']);
    const reasons = [
      'unknown',
      'expired',
      'other_client',
      'other_redirect_uri',
      'verifier_unexpected',
      'verifier_differs',
    ];
    expect(await toldSince(line, 'code_refusals_total')).toEqual({ logged: reasons, counted: [...reasons].sort() });
  });

  it('is said while somebody else writes, since a refusal writes nothing', async () => {
    const writing = Promise.withResolvers<undefined>();
    const held = service.service.container.get(TOKENS.unitOfWork).execute(() => writing.promise);
    const answers = [await client.redeem('made-up'), await client.refresh('made-up')];
    expect(errors(answers)).toEqual(['invalid_grant']);
    writing.resolve(undefined);
    await held;
  });

  it('is said of refresh tokens, too', async () => {
    const line = service.logger.lines.length;
    const tokens = await client.tokens(person);
    const answers = [
      await client.refresh('made-up'),
      await other.refresh(tokens.refresh_token),
      await client.refresh(tokens.refresh_token, { scope: 'api read_user openid profile email sudo' }),
    ];
    expect(errors(answers)).toEqual(['invalid_grant', 'invalid_scope']);
    const reasons = ['unknown', 'other_client', 'scope_exceeded'];
    expect(await toldSince(line, 'refresh_refusals_total')).toEqual({ logged: reasons, counted: [...reasons].sort() });
  });
});
