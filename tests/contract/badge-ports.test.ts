import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KnexBadgeReader } from '../../src/adapters/outbound/persistence/knex/badges/knex-badge-reader.js';
import { KnexCodeStateReader } from '../../src/adapters/outbound/persistence/knex/badges/knex-code-state-reader.js';
import type { BadgePlace } from '../../src/domain/badges/badge.js';
import type { PipelineSource, PipelineStatus } from '../../src/domain/pipelines/pipeline.js';
import type { ObjectId } from '../../src/domain/repositories/object-id.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const ALL = { page: 1, perPage: 20 };

describeEachDatabase('the ports of badges', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    await parts.database.transact(({ query }) => query('badges').delete());
    projectId = await parts.addProject(ada);
  });
  afterAll(() => parts.close());

  describe('of what people put on pages', () => {
    const FIELDS = { name: 'State', linkUrl: 'https://a.example', imageUrl: 'https://a.example/a.svg' };
    const reader = () => new KnexBadgeReader(parts.database.reader);
    const add = (place: BadgePlace, fields: object = {}) =>
      parts.work(({ badges }) => badges.add(place, { ...FIELDS, ...fields }, NOW));
    const ofProject = (): BadgePlace => ({ kind: 'project', id: projectId });

    it('read a badge as it was added and changed, and leave what is not changed', async () => {
      const badge = await add(ofProject());
      expect(badge).toEqual({ id: expect.any(Number), place: ofProject(), ...FIELDS });
      const changed = { ...badge, name: null, imageUrl: 'https://b.example/b.svg' };
      const { name, imageUrl } = changed;
      expect(await parts.work(({ badges }) => badges.update(ofProject(), badge.id, { name, imageUrl }))).toEqual(
        changed,
      );
      expect(await parts.work(({ badges }) => badges.update(ofProject(), badge.id, {}))).toEqual(changed);
      const of = { projectId, namespaceId: ada.namespaceId };
      expect(await reader().find(of, badge.id)).toEqual(changed);
      expect(await parts.work(({ badges }) => badges.holdCount(ofProject()))).toBe(1);
      expect(await parts.work(({ badges }) => badges.remove(ofProject(), badge.id))).toBe(true);
      expect(await parts.work(({ badges }) => badges.remove(ofProject(), badge.id))).toBe(false);
      expect(await reader().find(of, badge.id)).toBeUndefined();
    });

    it('list those of a project with those of all that hold it, in order, and by name', async () => {
      const group: BadgePlace = { kind: 'group', id: ada.namespaceId };
      const other = await parts.addUser('grace');
      await add({ kind: 'group', id: other.namespaceId });
      const [first, second] = [await add(group), await add(ofProject(), { name: 'Own' })];
      await add({ kind: 'project', id: await parts.addProject(ada) });
      const of = { projectId, namespaceId: ada.namespaceId };
      expect((await reader().list({ of, page: ALL })).items).toEqual([first, second]);
      expect((await reader().list({ of, name: 'Own', page: ALL })).items).toEqual([second]);
      expect((await reader().list({ of: { groupId: ada.namespaceId }, page: ALL })).items).toEqual([first]);
      expect(await reader().find(of, first.id)).toEqual(first);
      expect(await reader().find({ groupId: ada.namespaceId }, second.id)).toBeUndefined();
    });

    it('change and remove none of another place', async () => {
      const badge = await add({ kind: 'group', id: ada.namespaceId });
      expect(await parts.work(({ badges }) => badges.update(ofProject(), badge.id, { name: null }))).toBeUndefined();
      expect(await parts.work(({ badges }) => badges.remove(ofProject(), badge.id))).toBe(false);
    });
  });

  describe('of how code stands', () => {
    const reader = () => new KnexCodeStateReader(parts.database.reader);
    const of = (ref = 'main') => ({ projectId, ref });

    const pipeline = async (status: PipelineStatus, ref = 'main', source: PipelineSource = 'push') => {
      const commit = { projectId, sha: 'a'.repeat(40) as ObjectId, ref, tag: false };
      const { id } = await parts.work(({ pipelines }) =>
        pipelines.add({ ...commit, source, userId: ada.id, createdAt: NOW }),
      );
      const standing = { status, updatedAt: NOW, startedAt: null, finishedAt: null, told: null };
      await parts.work(({ pipelines }) => pipelines.saveStanding(id, standing));
      return id;
    };

    it('tell how the newest pipeline of a ref stands, whose parts count for nothing', async () => {
      expect(await reader().pipelineStatus(of(), 'counted')).toBeUndefined();
      await pipeline('failed');
      await pipeline('success', 'a/b');
      await pipeline('running', 'main', 'parent_pipeline');
      expect(await reader().pipelineStatus(of(), 'counted')).toBe('failed');
      expect(await reader().pipelineStatus(of('a/b'), 'counted')).toBe('success');
      await pipeline('skipped');
      expect(await reader().pipelineStatus(of(), 'counted')).toBe('skipped');
      expect(await reader().pipelineStatus(of(), 'ignored')).toBe('failed');
    });

    it('tell the mean coverage of the newest pipeline that succeeded, and that of one job', async () => {
      expect(await reader().coverage(of(), undefined)).toBeUndefined();
      const older = await pipeline('success');
      const said = (pipelineId: number, name: string, coverage: number | null) =>
        parts.work(({ commitStatuses }) =>
          commitStatuses.add({
            ...{ pipelineId, name, coverage, status: 'success', stage: 'test', authorId: ada.id, allowFailure: false },
            ...{ targetUrl: null, description: null, createdAt: NOW, startedAt: null, finishedAt: null },
          }),
        );
      await said(older, 'unit', 9_000);
      await said(older, 'browser', 8_001);
      await said(older, 'lint', null);
      await said(await pipeline('failed'), 'unit', 100);
      expect(await reader().coverage(of(), undefined)).toBe(8_501);
      expect(await reader().coverage(of(), 'unit')).toBe(9_000);
      expect(await reader().coverage(of(), 'lint')).toBeUndefined();
      expect(await reader().coverage(of(), 'none')).toBeUndefined();
      await pipeline('success');
      expect(await reader().coverage(of(), undefined)).toBeUndefined();
    });
  });
});
