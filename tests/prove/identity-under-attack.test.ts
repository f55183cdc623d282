import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { median } from '../support/statistics.js';
import { TestService } from '../support/test-service.js';

const SAMPLES = 400;
const SIGN_INS = 15;
const FLOOD = 64;

/** A browser at an address of its own. */
class BrowserAt extends FormBrowser {
  constructor(
    url: string,
    readonly from: string,
  ) {
    super(url);
  }

  override send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', this.from);
    return super.send(path, { ...init, headers });
  }
}

/** How often a value of one list is above one of the other: a half when nothing tells them apart. */
const share = (left: readonly number[], right: readonly number[]): number => {
  const above = left.flatMap((a) => right.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return above.reduce((sum: number, each) => sum + each, 0) / above.length;
};

describeEachDatabase('identity under attack', (openTestDatabase) => {
  it('does not tell by time who has an account, where a password is forgotten', async () => {
    const service = await TestService.start(await openTestDatabase());
    try {
      await service.addUser('ada', { password: PASSWORD });
      const browser = new FormBrowser(service.url);
      const authenticity_token = await browser.formToken('/users/password/new');
      const idle = async () => {
        const { container, database } = service.service;
        do await container.get(TOKENS.jobRunner).runDue();
        while ((await database.reader.query('jobs').first('id')) !== undefined);
      };
      const timed = async (email: string): Promise<number> => {
        const start = performance.now();
        await (await browser.post('/users/password/new', { email, authenticity_token })).text();
        const took = performance.now() - start;
        await idle();
        return took;
      };
      const [known, unknown]: [number[], number[]] = [[], []];
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        // In turns, and each as often first.
        if (sample % 2 === 0) known.push(await timed('ada@example.com'));
        unknown.push(await timed(`nobody${sample}@example.com`));
        if (sample % 2 === 1) known.push(await timed('ada@example.com'));
      }
      const told = share(known, unknown);
      process.stdout.write(
        `forgotten password, ${SAMPLES} each: known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms, ` +
          `known is slower in ${(told * 100).toFixed(1)} % of all pairs\n`,
      );
      // Three standard deviations of the share by chance are 6 % at this number of samples.
      expect(Math.abs(told - 0.5)).toBeLessThan(0.07);
    } finally {
      await service.close();
    }
  }, 300_000);

  it.each([
    ['made-up links', '/users/password/edit', { reset_password_token: 'made-up', password: 'a-good-password' }],
    ['wrong passwords', '/users/sign_in', { login: 'nobody', password: 'wrong' }],
  ])(
    'signs in whoever is honest while %s flood from elsewhere',
    async (kind, action, values) => {
      const hasher = createArgon2PasswordHasher();
      const service = await TestService.start(
        await openTestDatabase(),
        { trustProxy: 'loopback' },
        randomBytes(32),
        hasher,
      );
      try {
        await service.addUser('ada', { password: PASSWORD });
        const signIn = async (): Promise<number> => {
          const start = performance.now();
          expect((await new BrowserAt(service.url, '192.0.2.1').signIn('ada')).status).toBe(303);
          return performance.now() - start;
        };
        const alone: number[] = [];
        for (let time = 0; time < SIGN_INS; time += 1) alone.push(await signIn());
        const flooder = new BrowserAt(service.url, '192.0.2.66');
        const authenticity_token = await flooder.formToken('/users/sign_in');
        const flooding = { on: true };
        const streams = Array.from({ length: FLOOD }, async () => {
          while (flooding.on) await (await flooder.post(action, { ...values, authenticity_token })).text();
        });
        const beside: number[] = [];
        for (let time = 0; time < SIGN_INS; time += 1) beside.push(await signIn());
        flooding.on = false;
        await Promise.all(streams);
        process.stdout.write(
          `${kind}: honest sign-ins ${median(alone).toFixed(0)} ms alone, ${median(beside).toFixed(0)} ms beside ${FLOOD} at once (medians of ${SIGN_INS})\n`,
        );
        expect(median(beside)).toBeLessThan(1_000);
      } finally {
        await service.close();
      }
    },
    300_000,
  );
});
