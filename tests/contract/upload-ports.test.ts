import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KnexUploadReader } from '../../src/adapters/outbound/persistence/knex/uploads/knex-upload-reader.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { describeEachDatabase } from '../support/databases.js';

const PART = 48 * 1_024;

describeEachDatabase('attached files', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexUploadReader;
  let ada: Awaited<ReturnType<ContractParts['addUser']>>;
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexUploadReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    projectId = await addProject();
  });
  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada, { visibility: 'public', defaultBranch: null });
  const add = async (content: Uint8Array, fileName = 'a.bin', authorId: UserId | null = ada.id) => {
    const upload = { projectId, authorId, secret: randomBytes(16).toString('hex'), fileName, createdAt: after(1) };
    const id = await parts.work(({ uploads }) => uploads.add({ ...upload, content }));
    return { ...upload, id, size: content.length };
  };
  const contentOf = async (upload: { readonly id: number; readonly size: number }): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.content(upload)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const rows = async (id: number) => Number((await count(id))?.['count']);
  const count = (id: number) =>
    parts.database.reader.query('upload_parts').where({ upload_id: id }).count({ count: '*' }).first();

  it.each([0, 1, PART - 1, PART, PART + 1, 8 * PART, 70 * PART + 17])(
    'come back as they were: %d bytes',
    async (size) => {
      const content = randomBytes(size);
      const upload = await add(content);
      expect((await contentOf(upload)).equals(content)).toBe(true);
      expect(Buffer.from(await reader.beginning(upload.id)).equals(content.subarray(0, PART))).toBe(true);
      expect(await rows(upload.id)).toBe(Math.ceil(size / PART));
    },
  );

  it.each([
    [0, 0],
    [PART - 1, PART],
    [PART, PART],
    [3, 9 * PART + 5],
    [10 * PART + 16, 10 * PART + 16],
  ])('come in part as they were: from %d to %d', async (first, last) => {
    const content = randomBytes(10 * PART + 17);
    const upload = await add(content);
    const chunks: Uint8Array[] = [];
    for await (const chunk of reader.content(upload, { first, last })) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(content.subarray(first, last + 1))).toBe(true);
    expect(chunks.length).toBe(Math.floor(last / PART) - Math.floor(first / PART) + 1);
  });

  it('are found in their project, by number or by secret and name together', async () => {
    const upload = await add(Buffer.from('a'), 'ä b.txt');
    const { id, secret, fileName, ...rest } = upload;
    const other = await addProject();
    expect(await reader.find(projectId, { id })).toEqual({ id, secret, fileName, ...rest });
    expect(await reader.find(projectId, { secret, fileName })).toEqual(upload);
    expect(await reader.find(projectId, { secret, fileName: 'a b.txt' })).toBeUndefined();
    expect(await reader.find(projectId, { secret: '0'.repeat(32), fileName })).toBeUndefined();
    expect([await reader.find(other, { id }), await reader.find(other, { secret, fileName })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are listed with who attached them, the newest first', async () => {
    const [first, second] = [await add(Buffer.from('a')), await add(Buffer.from('bc'), 'b.txt', null)];
    const { items, total } = await reader.list(projectId, { page: 1, perPage: 20 });
    expect(items).toEqual([
      { ...second, author: null },
      { ...first, author: { id: ada.id, username: 'ada', name: 'ada' } },
    ]);
    expect(total).toBe(2);
    expect((await reader.list(projectId, { page: 2, perPage: 1 })).items).toMatchObject([{ id: first.id }]);
  });

  it('are counted in bytes, project by project', async () => {
    expect(await reader.sizeOf(projectId)).toBe(0);
    await add(Buffer.alloc(5));
    await add(Buffer.alloc(7));
    expect(await reader.sizeOf(projectId)).toBe(12);
    expect(await parts.work(({ uploads }) => uploads.holdSizes(projectId))).toEqual({ files: 2, bytes: 12 });
    expect(await reader.sizeOf(await addProject())).toBe(0);
  });

  it('of many who add to a project at once, each counts those before it', async () => {
    const counted = await Promise.all(
      Array.from({ length: 6 }, () =>
        parts.work(async ({ uploads }) => {
          const { bytes: before } = await uploads.holdSizes(projectId);
          const secret = randomBytes(16).toString('hex');
          const upload = { projectId, authorId: ada.id, secret, fileName: 'a', createdAt: NOW };
          await uploads.add({ ...upload, content: Buffer.alloc(10) });
          return before;
        }),
      ),
    );
    expect(counted.sort((one, other) => one - other)).toEqual([0, 10, 20, 30, 40, 50]);
  });

  it('are removed with their bytes, one or some of a project at a time', async () => {
    const uploads = [await add(Buffer.alloc(PART + 1)), await add(Buffer.alloc(10)), await add(Buffer.alloc(10))];
    const [one, two, three] = uploads.map(({ id }) => id) as [number, number, number];
    await parts.work((stores) => stores.uploads.remove(two));
    expect([await rows(one), await rows(two), await rows(three)]).toEqual([2, 0, 1]);
    const forget = () => parts.work((stores) => stores.uploads.removeOfProject(projectId, PART));
    expect([await forget(), await forget(), await forget()]).toEqual([1, 1, 0]);
    expect([await rows(one), await rows(three)]).toEqual([0, 0]);
  });

  it('that are removed while they are read end with an error, and not as if they were whole', async () => {
    const upload = await add(Buffer.alloc(20 * PART));
    const reading = reader.content(upload)[Symbol.asyncIterator]();
    await reading.next();
    await parts.work(({ uploads }) => uploads.remove(upload.id));
    const rest = async () => {
      for (let next = await reading.next(); next.done !== true;) next = await reading.next();
    };
    await expect(rest()).rejects.toThrow('removed while it was read');
  });
});
