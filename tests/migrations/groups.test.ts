import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { GroupId, NamespaceId, UserId } from '../../src/domain/shared/identifiers.js';

const migrationOf = async (file: string): Promise<Knex.Migration> =>
  (await import(
    pathToFileURL(fileURLToPath(new URL(`../../migrations/${file}`, import.meta.url))).href
  )) as Knex.Migration;

describeEachDatabase('the migrations of groups', (openTestDatabase) => {
  let parts: ContractParts;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
  });

  afterAll(() => parts.close());

  const unique = (): string => `thing-${(serial += 1)}`;
  const addGroup = (visibility: 'private' | 'internal' | 'public', parentId: GroupId | null = null) => {
    const path = unique();
    return parts.work(({ groups }) =>
      groups.add({ name: path, path, description: '', visibility, parentId, createdAt: NOW }),
    );
  };
  const addProject = (visibility: 'private' | 'internal' | 'public', namespaceId: NamespaceId) => {
    const path = unique();
    const rest = { description: null, defaultBranch: null, mergeWhenPipelineSucceeds: false, creatorId: null };
    return parts.work(({ projects }) =>
      projects.add({ ...rest, name: path, path, visibility, namespaceId, createdAt: NOW }),
    );
  };

  it('narrow what is more visible than a group above it, however deep, and nothing else', async () => {
    const { schema } = parts.database;
    const { up, down } = await migrationOf('20261122020001_narrow_visibility_below_groups.js');
    const { namespaceId: own } = await parts.addUser('ada');
    const [hidden, open] = [await addGroup('private'), await addGroup('public')];
    const first = await addGroup('public', hidden);
    const second = await addGroup('internal', first);
    const inner = await addGroup('internal', open);
    const groups = [hidden, open, first, second, inner];
    const projects = [
      await addProject('public', hidden),
      await addProject('internal', second),
      await addProject('public', open),
      await addProject('public', inner),
      await addProject('private', inner),
      await addProject('public', own),
    ];
    await up(schema);
    const visibilities = async (table: string, ids: readonly number[]) => {
      const rows = (await schema(table)
        .whereIn('id', [...ids])
        .select('id', 'visibility')) as {
        id: number;
        visibility: string;
      }[];
      return ids.map((id) => rows.find((row) => row.id === id)?.visibility);
    };
    const narrowed = [
      ['private', 'public', 'private', 'private', 'internal'],
      ['private', 'private', 'public', 'internal', 'private', 'public'],
    ];
    expect([await visibilities('namespaces', groups), await visibilities('projects', projects)]).toEqual(narrowed);
    await down?.(schema);
    expect([await visibilities('namespaces', groups), await visibilities('projects', projects)]).toEqual(narrowed);
  });

  it('let the owner who would stay longest stay for good where every owner would leave one day', async () => {
    const { schema } = parts.database;
    const { up } = await migrationOf('20261122020002_keep_lasting_owners.js');
    const people = [await parts.addUser('bob'), await parts.addUser('cleo'), await parts.addUser('dora')];
    const [bob, cleo, dora] = people.map(({ id }) => id) as [UserId, UserId, UserId];
    const add = (groupId: GroupId, userId: UserId, accessLevel: number, expiresAt: string | null) =>
      parts.work(({ groupMembers }) => groupMembers.add(groupId, { userId, accessLevel, expiresAt, createdAt: NOW }));
    const [ending, lasting, ended] = [await addGroup('public'), await addGroup('public'), await addGroup('public')];
    const below = await addGroup('public', lasting);
    await add(ending, bob, 50, '2990-01-01');
    await add(ending, cleo, 50, '2990-01-02');
    await add(ending, dora, 40, null);
    await add(lasting, bob, 50, null);
    await add(lasting, cleo, 50, '2990-01-01');
    await add(ended, bob, 50, '2020-01-01');
    await add(below, bob, 50, '2990-01-01');
    await up(schema);
    const endOf = async (groupId: GroupId, userId: UserId): Promise<string | null | undefined> =>
      (await parts.work(({ groupMembers }) => groupMembers.find(groupId, userId)))?.expiresAt;
    expect(await endOf(ending, bob)).toBe('2990-01-01');
    expect(await endOf(ending, cleo)).toBeNull();
    expect(await endOf(lasting, cleo)).toBe('2990-01-01');
    expect(await endOf(ended, bob)).toBe('2020-01-01');
    expect(await endOf(below, bob)).toBe('2990-01-01');
  });
});
