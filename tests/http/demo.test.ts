import { expect, it } from '@jest/globals';
import { prepareDemo, prepareFirstStart } from '../../src/infrastructure/first-start.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('the demo', (openTestDatabase) => {
  it('leaves alone what has its group already, and makes nothing by halves', async () => {
    const service = await TestService.start(await openTestDatabase(), { demo: true });
    try {
      const { token } = await service.addUser('root', { admin: true });
      const made = await service.call('POST', '/groups', { token, json: { name: 'Engines', path: 'engines' } });
      expect(made.status).toBe(201);
      await expect(prepareDemo(service.service)).rejects.toThrow(
        new Error('The demo is for an empty installation; this one has a group "engines" already.'),
      );
      expect(await prepareFirstStart(service.service)).toEqual({});
      expect((await service.call('GET', '/users', { token })).body).toEqual([
        expect.objectContaining({ username: 'root' }),
      ]);
    } finally {
      await service.close();
    }
  });
});
