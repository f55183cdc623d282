import { describe, expect, it } from '@jest/globals';
import { describeWriting } from '../support/written-project.js';

const MOST = 1_000;

describeWriting('the rules for branches and tags of a project', (writing) => {
  const giveRules = (id: number, number: number, ending = '') => {
    const at = new Date(0).toISOString();
    const names = Array.from({ length: number }, (_, index) => ({
      project_id: id,
      name: `one-${index}${ending}`,
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

    it('are patterns in a hundred cases at most, none of which has more than ten asterisks', async () => {
      const project = await writing.newProject();
      const make = (name: string) => project.call('POST', `/${kind}`, { name });
      expect((await make('a*'.repeat(11))).status).toBe(422);
      expect((await make('a*'.repeat(10))).status).toBe(201);
      await giveRules(project.id, 99, '*');
      const refused = await make('other-*');
      expect([refused.status, refused.body]).toEqual([
        422,
        { message: 'A project has at most 100 rules of a kind with `*`' },
      ]);
      expect((await make('other')).status).toBe(201);
    });
  });
});
