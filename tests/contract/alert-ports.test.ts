import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Alert, AlertStatus } from '../../src/domain/alerts/alert.js';
import { decideGrouping } from '../../src/domain/alerts/alert-grouping.js';
import { Conflict } from '../../src/domain/shared/domain-error.js';
import { KnexAlertReader } from '../../src/adapters/outbound/persistence/knex/alerts/knex-alert-reader.js';
import { KnexIntegrationReader } from '../../src/adapters/outbound/persistence/knex/alerts/knex-integration-repository.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

describeEachDatabase('the ports of alerts', (openTestDatabase) => {
  let parts: ContractParts;
  let projectId: ProjectId;
  let integrationId: number;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    const ada = await parts.addUser('ada');
    projectId = await parts.addProject(ada, { path: 'engine', name: 'Engine' });
    const { id } = await parts.work(({ alertIntegrations }) =>
      alertIntegrations.add({
        projectId,
        type: 'generic',
        name: 'Generic',
        active: true,
        identifier: 'abc',
        apiUrl: null,
        samplePayload: null,
        keyDigest: 'digest',
        sealedKey: 'sealed',
        createdAt: NOW,
      }),
    );
    integrationId = id;
  });

  afterAll(() => parts.close());

  const unique = (): string => `fingerprint-${(serial += 1)}`;
  const newAlert = (fingerprint: string | null) =>
    ({
      projectId,
      integrationId,
      fingerprint,
      severity: 'high',
      title: 'Down',
      description: null,
      service: 'db',
      monitoringTool: null,
      hosts: ['a', 'b'],
      environment: 'production',
      startedAt: after(-60),
      payload: '{"a":1.0}',
      issueId: null,
      events: 1,
      createdAt: NOW,
      updatedAt: NOW,
    }) as const;
  /** As arrivals do it: nothing where one of the fingerprint is open. */
  const openWithin = async ({ alerts }: Repositories, fingerprint: string | null): Promise<number | undefined> => {
    const last = await alerts.holdNumbers(projectId);
    const found = await alerts.takeOpen(projectId, fingerprint === null ? [] : [fingerprint]);
    if (found.length > 0) return undefined;
    const [id] = await alerts.open([{ ...newAlert(fingerprint), iid: last + 1 }]);
    return id;
  };
  const open = (fingerprint: string | null): Promise<Alert | undefined> =>
    parts.work(async (repositories) => {
      const id = await openWithin(repositories, fingerprint);
      return id === undefined ? undefined : repositories.alerts.take(id);
    });
  const reader = () => new KnexAlertReader(parts.database.reader);

  describe('alerts', () => {
    it('are kept as they were opened, the payload to the letter', async () => {
      const alert = await open(unique());
      expect(alert).toMatchObject({
        status: 'triggered',
        events: 1,
        severity: 'high',
        hosts: ['a', 'b'],
        endedAt: null,
        startedAt: after(-60),
      });
      expect(await reader().find(projectId, alert?.iid ?? 0)).toEqual({ ...alert, issueIid: null });
      expect(alert?.payload).toBe('{"a":1.0}');
    });

    it('are open once for a fingerprint, whoever races, and take numbers without gaps', async () => {
      const fingerprint = unique();
      const first = (await open(unique()))?.iid ?? 0;
      const opened = await Promise.all(Array.from({ length: 8 }, () => open(fingerprint)));
      expect(opened.filter((alert) => alert !== undefined)).toHaveLength(1);
      expect((await open(unique()))?.iid).toBe(first + 2);
      const [one, two] = [await open(null), await open(null)];
      expect([one?.fingerprint, two?.fingerprint]).toEqual([null, null]);
    });

    it('refuse to be opened beside another of their fingerprint', async () => {
      const fingerprint = unique();
      const first = await open(fingerprint);
      const change = (id: number, status: AlertStatus) =>
        parts.work(({ alerts }) => alerts.changeStatus(id, status, null, NOW));
      await change(first?.id ?? 0, 'resolved');
      await open(fingerprint);
      await expect(change(first?.id ?? 0, 'acknowledged')).rejects.toBeInstanceOf(Conflict);
    });

    it('live as the model of their life says, whatever arrives', async () => {
      const step = fc.constantFrom('repeat', 'end', 'acknowledge', 'ignore', 'resolve');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const fingerprint = unique();
          /** What the model says of every alert of this fingerprint: whether it is open, and its events. */
          const model: { status: AlertStatus; events: number }[] = [];
          for (const each of steps) {
            await parts.work(async (repositories) => {
              const { alerts } = repositories;
              const [held] = await alerts.takeOpen(projectId, [fingerprint]);
              const newest = model.at(-1);
              expect(held !== undefined).toBe(newest !== undefined && newest.status !== 'resolved');
              if (each === 'repeat' || each === 'end') {
                const { outcome } = decideGrouping(held, {
                  endedAt: each === 'end' ? NOW : null,
                  fingerprintSource: fingerprint,
                });
                if (outcome === 'opened') {
                  await openWithin(repositories, fingerprint);
                  model.push({ status: 'triggered', events: 1 });
                } else if (held !== undefined && newest !== undefined) {
                  if (outcome === 'counted') await alerts.countRepeats([{ id: held.id, times: 1, at: NOW }]);
                  else await alerts.resolve([{ id: held.id, endedAt: NOW, at: NOW }]);
                  newest.events += outcome === 'counted' ? 1 : 0;
                  if (outcome === 'resolved') newest.status = 'resolved';
                }
              } else if (held !== undefined && newest !== undefined) {
                newest.status = ({ acknowledge: 'acknowledged', ignore: 'ignored', resolve: 'resolved' } as const)[
                  each
                ];
                await alerts.changeStatus(held.id, newest.status, newest.status === 'resolved' ? NOW : null, NOW);
              }
            });
          }
          const rows = (await parts.database
            .schema('alerts')
            .where({ fingerprint })
            .orderBy('id')
            .select('status', 'events')) as typeof model;
          expect(rows.map(({ status, events }) => ({ status, events: Number(events) }))).toEqual(model);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('integrations', () => {
    it('are found by the address that senders post to', async () => {
      const integrations = new KnexIntegrationReader(parts.database.reader);
      expect(await integrations.findByAddress('ADA/engine', { type: 'generic' })).toMatchObject({
        keyDigest: 'digest',
        sealedKey: 'sealed',
      });
      expect(await integrations.findByAddress('ada/engine', { type: 'prometheus' })).toBeUndefined();
      expect(await integrations.findByAddress('ada/engine', { identifier: 'abc' })).toBeUndefined();
      expect(await integrations.findByAddress('ada/other', { type: 'generic' })).toBeUndefined();
    });
  });

  describe('the delivery log', () => {
    it('remembers a key for one body, and its answer', async () => {
      const claim = (bodyDigest: string) =>
        parts.work(({ alertDeliveries }) =>
          alertDeliveries.claim([
            { integrationId, keyDigest: 'key', bodyDigest, expiresAt: after(60) },
            { integrationId, keyDigest: `another beside ${bodyDigest}`, bodyDigest, expiresAt: after(60) },
          ]),
        );
      const key = { integrationId, keyDigest: 'key' };
      expect(await claim('body')).toEqual([]);
      await parts.work(({ alertDeliveries }) => alertDeliveries.answer([{ ...key, answer: '[1]' }]));
      expect(await claim('other')).toEqual([{ ...key, bodyDigest: 'body', answer: '[1]' }]);
    });

    it('is kept within its bounds, in batches, the latest last', async () => {
      for (let count = 0; count < 10; count += 1) {
        await parts.work(({ alertDeliveries }) =>
          alertDeliveries.add([
            {
              integrationId,
              outcome: 'accepted',
              reason: `number ${count}`,
              status: 200,
              alertIids: [count],
              payload: '{}',
              receivedAt: NOW,
            },
          ]),
        );
      }
      const trim = () =>
        parts.work(({ alertDeliveries }) => alertDeliveries.trim({ requests: 5, payloads: 2, arrivals: 5 }, 3));
      const steps: number[] = [];
      do steps.push(await trim());
      while (steps.at(-1) !== 0 && steps.length < 20);
      expect(Math.max(...steps)).toBeLessThanOrEqual(9);
      const integrations = new KnexIntegrationReader(parts.database.reader);
      const left = await integrations.deliveries(integrationId, { page: 1, perPage: 100 }, 1_000);
      expect(left.items.map(({ reason, payload }) => [reason, payload])).toEqual([
        ['number 9', '{}'],
        ['number 8', '{}'],
        ['number 7', null],
        ['number 6', null],
        ['number 5', null],
      ]);
    });
  });
});
