import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ForgottenPassword } from '../../src/application/identity/forgotten-password.js';
import { OneTimeLinks } from '../../src/application/identity/one-time-links.js';
import type { UnitOfWork } from '../../src/application/shared/unit-of-work.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { randomSecretSource, sha256Digester } from '../../src/adapters/outbound/security/node-secrets.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

/** Notes every call of a repository as `users.find`. */
const watched = (repositories: Repositories, calls: string[]): Repositories =>
  new Proxy(repositories, {
    get: (all, name: keyof Repositories) =>
      new Proxy(all[name] as object, {
        get: (one, method: string) => {
          const value: unknown = Reflect.get(one, method);
          if (typeof value !== 'function') return value;
          calls.push(`${name}.${method}`);
          return value.bind(one) as unknown;
        },
      }),
  });

describeEachDatabase('a forgotten password', (openTestDatabase) => {
  let parts: ContractParts;
  const calls: string[] = [];

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    await parts.addUser('ada');
    const { id } = await parts.addUser('blocked');
    await parts.work(({ users }) => users.update(id, { state: 'blocked' }));
  });

  afterAll(() => parts.close());

  const forgotten = (now = NOW) => {
    const unitOfWork: UnitOfWork<Repositories> = {
      execute: (work) => {
        calls.push('begin');
        return parts.work((repositories) => work(watched(repositories, calls)));
      },
    };
    const links = new OneTimeLinks(randomSecretSource, sha256Digester, () => 'http://localhost', {
      count: () => undefined,
    });
    return new ForgottenPassword(unitOfWork, links, { now: () => now });
  };

  it('makes the request do the same for every address, whoever has it', async () => {
    const seen: string[][] = [];
    for (const address of ['ada@example.com', 'nobody@example.com', 'blocked@example.com']) {
      await forgotten().ask(address);
      seen.push(calls.splice(0));
    }
    expect(new Set(seen.map((each) => each.join()))).toEqual(new Set(['begin,jobs.enqueue']));
  });

  it('leaves to a job what differs', async () => {
    const mailsOf = async (address: string) => {
      await parts.work((repositories) => forgotten().send(repositories, address));
      return (await parts.database.reader.query('queued_mails').where({ recipient: address })) as unknown[];
    };
    expect(await mailsOf('ada@example.com')).toHaveLength(1);
    for (const address of ['nobody@example.com', 'blocked@example.com']) expect(await mailsOf(address)).toEqual([]);
  });

  it('mails one link in five minutes, however many ask at once, and the first stays good', async () => {
    const { id } = await parts.addUser('asked');
    const askAt = async (now: Date): Promise<number> => {
      const ask = () => parts.work((repositories) => forgotten(now).send(repositories, 'asked@example.com'));
      await Promise.all(Array.from({ length: 6 }, ask));
      const links = await parts.database.reader.query('one_time_tokens').where({ user_id: id });
      expect(links).toHaveLength(1);
      return (await parts.database.reader.query('queued_mails').where({ recipient: 'asked@example.com' })).length;
    };
    expect(await askAt(NOW)).toBe(1);
    expect(await askAt(new Date(NOW.getTime() + 299_000))).toBe(1);
    expect(await askAt(new Date(NOW.getTime() + 301_000))).toBe(2);
  });
});
