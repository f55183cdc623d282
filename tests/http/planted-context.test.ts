import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import { CONTEXTS } from '../../src/infrastructure/composition/contexts.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { plantedContext } from '../support/planted-context.js';
import { until } from '../support/until.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('a context that is one entry in the list of contexts', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let projectId: number;

  beforeAll(async () => {
    service = await TestService.startWith(
      await openTestDatabase(),
      {},
      {
        passwordHasher: createArgon2PasswordHasher(),
        contexts: [...CONTEXTS, plantedContext],
      },
    );
    await service.service.database.transact(({ query }) =>
      query.schema.createTable('planted_words', (table) => {
        table.increments('id');
        table.integer('project_id').notNullable();
        table.text('word').notNullable();
      }),
    );
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'Engine', visibility: 'public' },
    });
    projectId = body.id;
    // The service may have taken the job already, and be at it.
    await service.service.container.get(TOKENS.jobRunner).runDue();
    const words = `/projects/${projectId}/planted_words`;
    await until(async () => (await service.call<string[]>('GET', words, { token: ada.token })).body.includes('done'));
  });

  afterAll(() => service.close());

  it('hears events, asks for jobs, and does them', async () => {
    const { status, body } = await service.call('GET', `/projects/${projectId}/planted_words`, { token: ada.token });
    expect([status, body]).toEqual([200, ['created', 'done']]);
  });

  it('has a route with the permission that it declares', async () => {
    const { status } = await service.call('GET', `/projects/${projectId}/planted_words`, { token: grace.token });
    expect(status).toBe(403);
  });

  it('has its route in the OpenAPI document', async () => {
    const { body } = await service.call<{ paths: object }>('GET', '/openapi.json');
    expect(Object.keys(body.paths)).toContain('/projects/{id}/planted_words');
  });

  it('has a page, before those that catch every path', async () => {
    const response = await fetch(`${service.url}/-/planted_words/${projectId}`);
    expect([response.status, await response.text()]).toEqual([200, 'created done']);
  });

  it('cleans up with the others', async () => {
    await service.service.container.get(TOKENS.cleanUp)();
    const { body } = await service.call('GET', `/projects/${projectId}/planted_words`, { token: ada.token });
    expect(body).toEqual([]);
  });
});
