import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';
import { randomName, syncFolder } from './durable-files.js';
import type { HeldObject } from './small-pack.js';

const deflateElsewhere = promisify(deflate);
/** Of a whole pack: another thread takes longer to be asked than so few bytes take here. */
const FEW_BYTES = 32 * 1024;

const KINDS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const VERSION = 2;
const INDEX_NAME = 0xff744f63;
const FANOUT = 256;

interface Written {
  readonly id: ObjectId;
  readonly offset: number;
  readonly crc: number;
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest();

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

/** Kind and size: four bits of the size in the first byte, seven in each that follows. */
const headOf = (type: ObjectType, size: number): Buffer => {
  const bytes: number[] = [];
  let [byte, left] = [(KINDS[type] << 4) | (size & 15), Math.floor(size / 16)];
  while (left > 0) {
    bytes.push(byte | 128);
    [byte, left] = [left & 127, Math.floor(left / 128)];
  }
  return Buffer.from([...bytes, byte]);
};

/** Each object whole, in the order in which they are given (gitformat-pack). */
const encodePack = async (objects: ReadonlyMap<ObjectId, HeldObject>) => {
  const parts = [Buffer.from('PACK'), numbers(VERSION, objects.size)];
  const written: Written[] = [];
  let offset = 12;
  const total = [...objects.values()].reduce((sum, { content }) => sum + content.length, 0);
  const compress = total <= FEW_BYTES ? deflateSync : deflateElsewhere;
  const ready = await Promise.all(
    [...objects].map(async ([id, { type, content, deflated }]) => {
      const bytes = Buffer.concat([headOf(type, content.length), deflated ?? (await compress(content))]);
      return { id, bytes };
    }),
  );
  for (const { id, bytes } of ready) {
    written.push({ id, offset, crc: crc32(bytes) });
    parts.push(bytes);
    offset += bytes.length;
  }
  const whole = Buffer.concat(parts);
  const checksum = hashOf(whole);
  return { pack: Buffer.concat([whole, checksum]), index: encodeIndex(written, checksum) };
};

/** Version 2, for packs below 2 GiB. */
const encodeIndex = (written: readonly Written[], checksum: Buffer): Buffer => {
  const sorted = [...written].sort((one, other) => (one.id < other.id ? -1 : 1));
  const counts = new Array<number>(FANOUT).fill(0);
  for (const { id } of sorted) counts[Number.parseInt(id.slice(0, 2), 16)]! += 1;
  let sum = 0;
  const index = Buffer.concat([
    numbers(INDEX_NAME, VERSION, ...counts.map((count) => (sum += count))),
    Buffer.from(sorted.map(({ id }) => id).join(''), 'hex'),
    numbers(...sorted.map(({ crc }) => crc)),
    numbers(...sorted.map(({ offset }) => offset)),
    checksum,
  ]);
  return Buffer.concat([index, hashOf(index)]);
};

const writeSynced = async (file: string, content: Uint8Array): Promise<void> => {
  const handle = await open(file, 'wx', 0o444);
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
};

/**
 * Writes objects as one pack into a store, on disk with its name when it returns. Maintenance may pack it anew before a ref leads there: what
 * nothing leads to stays for two weeks.
 */
export const writePack = async (folder: string, objects: ReadonlyMap<ObjectId, HeldObject>): Promise<void> => {
  const { pack, index } = await encodePack(objects);
  // Of its own, whatever it holds: see `movePack`.
  const name = join(folder, `pack-${randomBytes(20).toString('hex')}`);
  // Called as git calls its own, which maintenance removes: whatever ends as an index does git reads, also what a crash left half written.
  const unfinished = (kind: string): string => join(folder, randomName(`tmp_${kind}_`));
  // The index last, for git finds packs by it.
  const parts = [
    { as: '.pack', file: unfinished('pack'), content: pack },
    { as: '.idx', file: unfinished('idx'), content: index },
  ];
  try {
    await Promise.all(parts.map(({ file, content }) => writeSynced(file, content)));
    for (const { as, file } of parts) await rename(file, `${name}${as}`);
  } catch (error) {
    for (const { file } of parts) await rm(file, { force: true });
    // Without its index nobody reads it.
    await rm(`${name}.pack`, { force: true });
    throw error;
  }
  await syncFolder(folder);
};
