import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexFreezePeriodReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-freeze-period-reader.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const FIELDS = { freezeStart: '0 23 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'UTC' };

describeEachDatabase('the ports of freeze periods', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexFreezePeriodReader;
  let ada: { id: UserId; namespaceId: NamespaceId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexFreezePeriodReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const add = (projectId: ProjectId) => parts.work(({ freezePeriods }) => freezePeriods.add(projectId, FIELDS, NOW));

  it('keep what is said of one, and in the project that it is of', async () => {
    const [one, other] = [await parts.addProject(ada), await parts.addProject(ada)];
    const [first, second] = [await add(one), await add(one)];
    const kept = { ...FIELDS, id: first, projectId: one, createdAt: NOW, updatedAt: NOW };
    expect(await reader.find(one, first)).toEqual(kept);
    expect(await reader.find(other, first)).toBeUndefined();
    const { items } = await reader.list(one, { page: 1, perPage: 1 });
    expect(items).toEqual([kept]);
    expect((await reader.all(one)).map(({ id }) => id)).toEqual([first, second]);
    expect(await reader.all(other)).toEqual([]);
    const changed = { ...FIELDS, cronTimezone: 'Europe/Berlin' };
    await parts.work(async ({ freezePeriods }) => {
      expect(await freezePeriods.holdAndCount(one)).toBe(2);
      await freezePeriods.change(first, changed, after(1));
      expect(await freezePeriods.find(one, first)).toEqual({ ...kept, ...changed, updatedAt: after(1) });
      expect(await freezePeriods.find(other, first)).toBeUndefined();
      expect(await freezePeriods.remove(other, second)).toBe(false);
      expect(await freezePeriods.remove(one, second)).toBe(true);
    });
    expect((await reader.all(one)).map(({ id }) => id)).toEqual([first]);
  });
});
