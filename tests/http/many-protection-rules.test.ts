import { describe, expect, it } from '@jest/globals';
import { describeWriting } from '../support/written-project.js';

const MOST = 1_000;

describeWriting('the rules for branches and tags of a project', (writing) => {
  const giveRules = (id: number, number: number) => {
    const at = new Date(0).toISOString();
    const names = Array.from({ length: number }, (_, index) => ({
      project_id: id,
      name: `one-${index}`,
      created_at: at,
    }));
    const { schema } = writing.service.service.database;
    return Promise.all([
      schema.batchInsert(
        'protected_branches',
        names.map((rule) => ({ ...rule, push_level: 40, merge_level: 40, allow_force_push: false })),
        200,
      ),
      schema.batchInsert(
        'protected_tags',
        names.map((rule) => ({ ...rule, create_level: 40 })),
        200,
      ),
    ]);
  };

  describe.each(['protected_branches', 'protected_tags'])('%s', (kind) => {
    it('are at most a thousand, also where many are made at once', async () => {
      const project = await writing.newProject();
      await giveRules(project.id, MOST - 1);
      const made = await Promise.all(
        Array.from({ length: 6 }, (_, index) => project.call('POST', `/${kind}`, { name: `other-${index}` })),
      );
      expect(made.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
      expect(made.find(({ status }) => status === 422)?.body).toEqual({
        message: `A project has at most ${MOST} rules of a kind`,
      });
    });
  });
});
