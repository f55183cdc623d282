import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KnexCiArtifactReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-ci-artifact-reader.js';
import { KnexPackageReader } from '../../src/adapters/outbound/persistence/knex/packages/knex-package-reader.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const keyOf = () => randomBytes(12).toString('hex');
const FIRST = { page: 1, perPage: 20 };

describeEachDatabase('packages', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPackageReader;
  let ada: Awaited<ReturnType<ContractParts['addUser']>>;
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexPackageReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    projectId = await parts.addProject(ada);
  });
  afterAll(() => parts.close());

  const add = (name: string, version = '1.0', status: 'default' | 'hidden' = 'default', at = 1) =>
    parts.work(({ packages }) => packages.add({ projectId, name, version, status, createdAt: after(at) }));
  const addFile = async (packageId: number, fileName = 'a.txt', size = 10) => {
    const digests = { sha256: 'a'.repeat(64), sha1: 'b'.repeat(40), md5: 'c'.repeat(32) };
    const file = { packageId, projectId, fileName, size, ...digests, fileKey: keyOf(), createdAt: after(2) };
    return { id: await parts.work(({ packages }) => packages.addFile(file)), ...file };
  };
  const order = { orderBy: 'created_at', sort: 'asc', page: FIRST } as const;

  it('are found as they were added, by their number and by name and version, in their project alone', async () => {
    const id = await add('tools');
    const made = { id, projectId, name: 'tools', version: '1.0', status: 'default', createdAt: after(1) };
    expect(await reader.find(projectId, id)).toEqual({ ...made, lastDownloadedAt: null });
    await parts.work(async ({ packages }) => {
      expect(await packages.find(projectId, 'tools', '1.0')).toMatchObject({ id });
      expect(await packages.find(projectId, 'Tools', '1.0')).toBeUndefined();
      await packages.noteDownload(id, after(9));
      await packages.setStatus(id, 'hidden');
    });
    expect(await reader.find(projectId, id)).toEqual({ ...made, status: 'hidden', lastDownloadedAt: after(9) });
    const other = await parts.addProject(ada);
    expect(await reader.find(other, id)).toBeUndefined();
    await expect(add('tools')).rejects.toThrow();
  });

  it('are listed in an order that both databases have alike, but for hidden ones', async () => {
    for (const [name, version] of [
      ['b', '1'],
      ['a', '2'],
      ['B', '3'],
      ['_', '1'],
    ] as const)
      await add(name, version);
    await add('hidden', '1', 'hidden');
    const names = async (filter: object) =>
      (await reader.list(projectId, { ...order, ...filter })).items.map(({ name }) => name).join('');
    expect(await names({})).toBe('baB_');
    expect(await names({ orderBy: 'name' })).toBe('B_ab');
    expect(await names({ orderBy: 'version', sort: 'desc' })).toBe('Ba_b');
    expect(await names({ name: 'B' })).toBe('bB');
    expect(await names({ name: '_' })).toBe('_');
    expect(await names({ version: '1' })).toBe('b_');
    expect(await names({ status: 'hidden' })).toBe('hidden');
  });

  it('have files, of which the newest of a name is found by it', async () => {
    const id = await add('tools');
    const [one, two, other] = [await addFile(id), await addFile(id), await addFile(id, 'b.txt')];
    const named = { name: 'tools', version: '1.0', fileName: 'a.txt' };
    expect(await reader.fileNamed(projectId, named)).toEqual(two);
    expect(await reader.fileNamed(projectId, { ...named, version: '2' })).toBeUndefined();
    expect(await reader.fileNamed(projectId, { ...named, fileName: 'A.txt' })).toBeUndefined();
    expect((await reader.files(id, FIRST)).items).toEqual([one, two, other]);
    expect((await reader.files(id, FIRST, 'desc')).items).toEqual([other, two, one]);
    expect([await reader.file(projectId, one.id), await reader.file(await parts.addProject(ada), one.id)]).toEqual([
      one,
      undefined,
    ]);
    expect(await reader.countFiles([id, await add('empty')])).toEqual(new Map([[id, 3]]));
  });

  it('are counted in bytes, and of many who add at once each counts those before it', async () => {
    const id = await add('tools');
    await addFile(id, 'large', 5_000_000_000);
    expect(await reader.sizesOf(projectId)).toEqual({ files: 1, bytes: 5_000_000_000 });
    const counted = await Promise.all(
      Array.from({ length: 5 }, () =>
        parts.work(async ({ packages }) => {
          await packages.hold(projectId);
          const { files } = await packages.sizesOf(projectId);
          const digests = { sha256: '', sha1: '', md5: '' };
          const file = { packageId: id, projectId, fileName: 'a', size: 1, ...digests, fileKey: keyOf() };
          await packages.addFile({ ...file, createdAt: after(1) });
          return files;
        }),
      ),
    );
    expect(counted.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('are removed in steps, and say which files went', async () => {
    const [id, other] = [await add('tools'), await add('other')];
    const [one, two, three] = [await addFile(id), await addFile(id), await addFile(id)];
    await addFile(other);
    const some = () => parts.work(({ packages }) => packages.removeSomeFiles(id, 2));
    expect(await parts.work(({ packages }) => packages.removeFile(other, one.id))).toBeUndefined();
    expect(await parts.work(({ packages }) => packages.removeFile(id, one.id))).toBe(one.fileKey);
    expect([await some(), await some()]).toEqual([[two.fileKey, three.fileKey], []]);
    const remove = () => parts.work(({ packages }) => packages.remove(projectId, id));
    expect([await remove(), await remove()]).toEqual([true, false]);
    const forget = () => parts.work(({ packages }) => packages.removeSomeOfProject(projectId, 1));
    expect([await forget(), await forget(), await forget()]).toEqual([1, 1, 0]);
    expect(await reader.find(projectId, other)).toBeUndefined();
  });

  it('name files, which are no others’ to sweep', async () => {
    const { fileKey } = await addFile(await add('tools'));
    const stranger = keyOf();
    const artifacts = new KnexCiArtifactReader(parts.database.reader);
    expect(await artifacts.unknownOf([fileKey, stranger])).toEqual([stranger]);
  });
});
