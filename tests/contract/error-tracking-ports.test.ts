import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ErrorTrackingSettings } from '../../src/domain/error-tracking/error-tracking-settings.js';
import { NotFound } from '../../src/domain/shared/domain-error.js';
import { KnexErrorTrackingReader } from '../../src/adapters/outbound/persistence/knex/error-tracking/knex-error-tracking-repository.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

describeEachDatabase('the ports of error tracking', (openTestDatabase) => {
  let parts: ContractParts;
  let namespaceId: NamespaceId;
  let creatorId: number;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    const ada = await parts.addUser('ada');
    [namespaceId, creatorId] = [ada.namespaceId, ada.id];
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject({ id: creatorId as UserId, namespaceId });
  const settingsOf = (projectId: ProjectId): ErrorTrackingSettings => ({
    projectId,
    active: true,
    apiUrl: 'https://errors.example/api/0/projects/team/engine',
    projectName: 'Engine',
    trackerExternalUrl: 'https://errors.example/engine',
    tokenStored: true,
  });
  const save = (settings: ErrorTrackingSettings, sealedToken?: string | null, at = NOW) =>
    parts.work(({ errorTracking }) => errorTracking.save(settings, sealedToken, at));
  const find = (projectId: ProjectId) => new KnexErrorTrackingReader(parts.database.reader).find(projectId);
  const row = (projectId: ProjectId) =>
    parts.database.schema('error_tracking_settings').where({ project_id: projectId }).first() as Promise<unknown>;

  it('are absent until they are kept, and then as they were kept', async () => {
    const projectId = await addProject();
    expect(await find(projectId)).toBeUndefined();
    expect(await parts.work(({ errorTracking }) => errorTracking.take(projectId))).toBeUndefined();
    const bare = { ...settingsOf(projectId), projectName: null, trackerExternalUrl: null, tokenStored: false };
    await save(bare, null);
    expect(await find(projectId)).toEqual(bare);
    await save(settingsOf(projectId), 'sealed');
    expect(await find(projectId)).toEqual(settingsOf(projectId));
    expect(await parts.work(({ errorTracking }) => errorTracking.take(projectId))).toEqual(settingsOf(projectId));
    expect(await find(await addProject())).toBeUndefined();
  });

  it('keep the token that is there, replace it or forget it, and never hand it out', async () => {
    const projectId = await addProject();
    const settings = settingsOf(projectId);
    await save(settings, 'sealed');
    await save({ ...settings, active: false }, undefined, after(60));
    expect(await row(projectId)).toMatchObject({ sealed_token: 'sealed' });
    expect(await find(projectId)).toEqual({ ...settings, active: false });
    await save(settings, 'sealed again');
    expect(await row(projectId)).toMatchObject({ sealed_token: 'sealed again' });
    await save(settings, null);
    expect(await row(projectId)).toMatchObject({ sealed_token: null });
    expect(await find(projectId)).toEqual({ ...settings, tokenStored: false });
  });

  it('remember when they were made and when they changed', async () => {
    const projectId = await addProject();
    await save(settingsOf(projectId), null);
    await save(settingsOf(projectId), null, after(60));
    const { created_at: created, updated_at: updated } = (await row(projectId)) as Record<string, unknown>;
    const { dialect } = parts.database.reader;
    expect([dialect.readInstant(created), dialect.readInstant(updated)]).toEqual([NOW, after(60)]);
  });

  it('are changed by one work after the other, also while there are none yet', async () => {
    const projectId = await addProject();
    const append = (letter: string) =>
      parts.work(async ({ errorTracking }) => {
        const before = await errorTracking.take(projectId);
        await errorTracking.save(
          { ...settingsOf(projectId), projectName: (before?.projectName ?? '') + letter },
          null,
          NOW,
        );
      });
    await Promise.all(Array.from('abcdefgh').map(append));
    expect(
      Array.from((await find(projectId))?.projectName ?? '')
        .sort()
        .join(''),
    ).toBe('abcdefgh');
  });

  it('go with their project, and are refused once it has gone', async () => {
    const projectId = await addProject();
    await save(settingsOf(projectId), 'sealed');
    await parts.database.schema('projects').where({ id: projectId }).delete();
    expect(await row(projectId)).toBeUndefined();
    await expect(parts.work(({ errorTracking }) => errorTracking.take(projectId))).rejects.toBeInstanceOf(NotFound);
  });
});
