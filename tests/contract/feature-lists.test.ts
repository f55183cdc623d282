import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  visibleProjects,
  whetherPermitted,
  wherePermitted,
} from '../../src/adapters/outbound/persistence/knex/visibility/visible.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { VISIBILITIES } from '../../src/domain/shared/visibility.js';
import {
  ALL_ENABLED,
  FEATURE_LEVELS,
  PROJECT_FEATURES,
  type FeatureLevel,
  type FeatureLevels,
} from '../../src/domain/workspace/project-features.js';
import {
  decideInProject,
  featureOf,
  permissionsBehind,
  PROJECT_PERMISSIONS,
  type ProjectPermission,
} from '../../src/domain/workspace/workspace-policy.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const TODAY = '2026-03-01';
const PERMISSIONS = (Object.keys(PROJECT_PERMISSIONS) as ProjectPermission[]).filter(
  (permission) => featureOf(permission) !== undefined || permissionsBehind(permission).length > 0,
);

/** All but the repository alike. */
const featuresOf = (own: FeatureLevel, repository: FeatureLevel): FeatureLevels => ({
  ...(Object.fromEntries(PROJECT_FEATURES.map((feature) => [feature, own])) as unknown as FeatureLevels),
  repository,
});

/** Each with issues and merge requests that differ. */
const DIFFERING: readonly FeatureLevels[] = FEATURE_LEVELS.flatMap((issues) =>
  FEATURE_LEVELS.filter((level) => level !== issues).map((level) => ({
    ...ALL_ENABLED,
    issues,
    merge_requests: level,
  })),
);
const SETTINGS = [
  ...FEATURE_LEVELS.flatMap((own) => FEATURE_LEVELS.map((repository) => featuresOf(own, repository))),
  ...DIFFERING,
];

describeEachDatabase('features of projects in lists', (openTestDatabase) => {
  let parts: ContractParts;
  let namespaceId: NamespaceId;
  let member: UserId;
  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ({ namespaceId } = await parts.addUser('ada'));
    ({ id: member } = await parts.addUser('grace'));
  });
  afterAll(() => parts.close());

  const add = (visibility: (typeof VISIBILITIES)[number], features?: Partial<FeatureLevels>): Promise<ProjectId> =>
    parts.addProject({ namespaceId }, { visibility, defaultBranch: null, ...(features && { features }) });
  const kept = async (id: ProjectId): Promise<FeatureLevels | undefined> =>
    (await parts.work(({ projects }) => projects.take(id)))?.features;

  it('are kept as they were set, and are enabled where nobody set any', async () => {
    const id = await add('public');
    expect(await kept(id)).toEqual(ALL_ENABLED);
    await parts.work(({ projects }) =>
      projects.update(id, { features: { issues: 'private', builds: 'disabled' } }, NOW),
    );
    await parts.work(({ projects }) => projects.update(id, { features: { issues: 'disabled' } }, NOW));
    await parts.work(({ projects }) => projects.update(id, { description: 'Still' }, NOW));
    expect(await kept(id)).toEqual({ ...ALL_ENABLED, issues: 'disabled', builds: 'disabled' });
    const other = await add('public', { snippets: 'private' });
    expect(await kept(other)).toEqual({ ...ALL_ENABLED, snippets: 'private' });
  });

  it('are judged as where one project is asked for', async () => {
    const { query } = parts.database.reader;
    const projects = new Map<ProjectId, Parameters<typeof decideInProject>[1]>();
    for (const visibility of VISIBILITIES)
      for (const features of SETTINGS) projects.set(await add(visibility, features), { visibility, features });
    const ids = [...projects.keys()];
    for (const level of [0, 10, 20, 30, 40]) {
      await parts.database.schema('project_members').where({ user_id: member }).delete();
      if (level > 0)
        await parts.database.schema('project_members').insert(
          ids.map((id) => ({
            ...{ project_id: id, user_id: member, access_level: level, expires_at: null },
            created_at: parts.database.reader.dialect.writeInstant(NOW),
          })),
        );
      for (const viewer of [
        { userId: null, admin: false, today: TODAY },
        { userId: member, admin: false, today: TODAY },
        { userId: member, admin: true, today: TODAY },
      ])
        for (const permission of PERMISSIONS) {
          const asker = { signedIn: viewer.userId !== null, admin: viewer.admin };
          const own = viewer.userId === null ? 0 : level;
          const meant = ids.filter((id) => decideInProject(asker, projects.get(id)!, own, permission) === 'granted');
          const found = (await wherePermitted(visibleProjects(query, viewer), viewer, permission)
            .whereIn('projects.id', ids)
            .orderBy('projects.id')
            .select('projects.id')) as { readonly id: ProjectId }[];
          expect([permission, level, asker, found.map(({ id }) => id)]).toEqual([permission, level, asker, meant]);
          const told = (await visibleProjects(query, viewer)
            .whereIn('projects.id', ids)
            .orderBy('projects.id')
            .select('projects.id', { may: whetherPermitted(query, viewer, permission) })) as {
            readonly id: ProjectId;
            readonly may: number;
          }[];
          expect(told.filter(({ may }) => may === 1).map(({ id }) => id)).toEqual(meant);
        }
    }
  });
});
