import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliverMail, type DeliverMailParts } from '../../src/application/notifications/deliver-mail.js';
import { KnexSubjects } from '../../src/adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import { KnexAudience } from '../../src/adapters/outbound/persistence/knex/notifications/knex-audience.js';
import { KnexCauseRepository } from '../../src/adapters/outbound/persistence/knex/notifications/knex-cause-repository.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describeEachDatabase('mails that are sent together', (openTestDatabase) => {
  let parts: ContractParts;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
  });

  afterAll(() => parts.close());

  it('are sent but for the one whose cause can’t be read', async () => {
    const ada = await parts.addUser('ada');
    const projectId = await parts.addProject(ada);
    const ids = await parts.work(async ({ causes, mailOutbox }) => {
      const cause = { kind: 'moved_project', projectId, actorId: ada.id, details: {}, at: NOW } as const;
      const added = await causes.add([1, 2, 3].map(() => ({ ...cause, expiresAt: after(3_600) })));
      const mails = added.map(
        (causeId) => ({ causeId, userId: ada.id, reason: 'watching', expiresAt: after(3_600) }) as const,
      );
      await mailOutbox.addNotifications(mails, NOW);
      return added;
    });
    await parts.database.transact(({ query }) =>
      query('notification_causes').where({ id: ids[1]! }).update({ details: '{' }),
    );
    const sent: number[] = [];
    const deliver = new DeliverMail({
      unitOfWork: { execute: parts.work.bind(parts) },
      audience: new KnexAudience(parts.database.reader, new KnexSubjects(parts.database.reader, [])),
      causes: new KnexCauseRepository(parts.database.reader),
      composeNotification: {
        compose: ({ cause }: { cause: { id: number } }) => Promise.resolve({ causeId: cause.id }),
      },
      mailer: {
        send: ({ causeId }: { causeId: number }) => {
          sent.push(causeId);
          return Promise.resolve({ outcome: 'sent' });
        },
      },
      clock: { now: () => NOW },
      counters: { count: () => {} },
      logger: silent,
    } as unknown as DeliverMailParts);
    expect(await deliver.runDue()).toBe(2);
    expect(sent.sort((one, other) => one - other)).toEqual([ids[0], ids[2]]);
    const left = await parts.database.reader.query('queued_mails').where('state', 'waiting').select('cause_id');
    expect(left).toEqual([{ cause_id: ids[1] }]);
  });
});
