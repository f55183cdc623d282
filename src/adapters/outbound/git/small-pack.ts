import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';

/** Git itself unpacks what has fewer objects than this. */
const MOST_OBJECTS = 100;
const MOST_BYTES = 512 * 1024;
const MOST_DELTAS = 50;
const HEADER_BYTES = 12;
const HASH_BYTES = 20;
const VERSION = 2;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const [BY_OFFSET, BY_ID] = [6, 7];

export interface HeldObject {
  readonly type: ObjectType;
  readonly content: Buffer;
  /** As it came, where it came whole. */
  readonly deflated?: Buffer;
}

/** What a delta may build on besides the pack; undefined where it isn't there, or is too large. */
export type FindBase = (id: ObjectId, mostBytes: number) => Promise<HeldObject | undefined>;

/** Nothing is wrong with it yet: git is to look at it. */
export class LeftToGit extends Error {}

const leave = (why: string): never => {
  throw new LeftToGit(why);
};

export const idOf = (type: ObjectType, content: Uint8Array): ObjectId =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

interface Packed {
  readonly at: number;
  readonly end: number;
  /** Its kind where it is whole; else what it is a delta of, by id or by place. */
  readonly base: { readonly type: ObjectType } | { readonly id: ObjectId } | { readonly place: number };
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/** A number of seven bits a byte, least first, whose first byte may hold fewer. */
const readNumber = (bytes: Buffer, from: number, bits = 7): { readonly value: number; readonly end: number } => {
  let value = 0;
  let shift = 0;
  let at = from;
  for (; ; at += 1) {
    const byte = bytes[at] ?? leave('A number ends early.');
    const width = at === from ? bits : 7;
    value += (byte & ((1 << width) - 1)) * 2 ** shift;
    shift += width;
    if (byte < 128) return { value, end: at + 1 };
    if (shift > 40) leave('A number is too large.');
  }
};

/** How far before an object that lies which it is a delta of: most first, and no number is written in two ways. */
const readDistance = (bytes: Buffer, from: number): { readonly value: number; readonly end: number } => {
  let value = 0;
  for (let at = from; ; at += 1) {
    const byte = bytes[at] ?? leave('A distance ends early.');
    value = value * 128 + (byte & 127) + (at === from ? 0 : 128);
    if (byte < 128) return { value, end: at + 1 };
    if (at - from > 4) leave('A distance is too large.');
  }
};

const inflate = (bytes: Buffer, size: number): { readonly content: Buffer; readonly consumed: number } => {
  try {
    const { buffer, engine } = inflateSync(bytes, { info: true, maxOutputLength: Math.max(size, 1) }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    if (buffer.length === size) return { content: buffer, consumed: engine.bytesWritten };
  } catch {
    // Broken, or more than it says.
  }
  return leave('An object is not what it says it is.');
};

const readBase = (pack: Buffer, at: number, from: number, kind: number) => {
  if (kind === BY_ID) return { base: { id: pack.toString('hex', from, from + HASH_BYTES) }, end: from + HASH_BYTES };
  if (kind !== BY_OFFSET) return { base: { type: TYPES[kind] ?? leave('A kind that nobody knows.') }, end: from };
  const { value, end } = readDistance(pack, from);
  return { base: { place: at - value }, end };
};

const readPacked = (pack: Buffer, at: number, most: number): Packed => {
  const { value: size, end: headEnd } = readNumber(pack, at, 4);
  const kind = ((pack[at] ?? 0) >> 4) & 7;
  if (size > most) leave('An object is large.');
  const { base, end } = readBase(pack, at, headEnd, kind);
  const { content, consumed } = inflate(pack.subarray(end, pack.length - HASH_BYTES), size);
  return { at, end: end + consumed, base, bytes: content, deflated: pack.subarray(end, end + consumed) };
};

/** One instruction of a delta: bytes of what it builds on, or bytes that it brings. */
interface Piece {
  readonly from: number;
  readonly length: number;
  /** Where the next instruction stands. */
  readonly next: number;
}

const MOST_COPIED = 65_536;

/** Which bytes of a number are written is told by bits of the instruction, from `first` on. */
const readBytes = (delta: Buffer, at: number, first: number, count: number) => {
  const command = delta[at]!;
  let [value, next] = [0, at + 1];
  for (let bit = 0; bit < first; bit += 1) if (command & (1 << bit)) next += 1;
  for (let index = 0; index < count; index += 1) {
    if (!(command & (1 << (first + index)))) continue;
    value += (delta[next] ?? 0) * 256 ** index;
    next += 1;
  }
  return { value, next };
};

const readCopy = (delta: Buffer, at: number): Piece => {
  const { value: from } = readBytes(delta, at, 0, 4);
  const { value: length, next } = readBytes(delta, at, 4, 3);
  return { from, length: length === 0 ? MOST_COPIED : length, next };
};

const readPiece = (delta: Buffer, at: number): Piece & { readonly copies: boolean } => {
  const command = delta[at]!;
  if (command >= 128) return { ...readCopy(delta, at), copies: true };
  return { from: at + 1, length: command, next: at + 1 + command, copies: false };
};

const applyDelta = (base: Buffer, delta: Buffer, most: number): Buffer => {
  const { value: baseSize, end: afterBase } = readNumber(delta, 0);
  const { value: size, end: begin } = readNumber(delta, afterBase);
  if (baseSize !== base.length || size > most) leave('A delta of something else, or of something large.');
  const result = Buffer.alloc(size);
  let written = 0;
  for (let at = begin; at < delta.length;) {
    const { from, length, next, copies } = readPiece(delta, at);
    const source = copies ? base : delta;
    const leadsOut = from + length > source.length || written + length > size || next > delta.length;
    if (length === 0 || leadsOut) leave('A delta that leads nowhere.');
    source.copy(result, written, from, from + length);
    written += length;
    at = next;
  }
  return written === size ? result : leave('A delta that ends early.');
};

/** Objects of one pack, each as a whole. */
class Unpacked {
  readonly found = new Map<ObjectId, HeldObject>();
  readonly #byPlace = new Map<number, HeldObject>();
  #left = MOST_BYTES;

  constructor(
    private readonly packed: readonly Packed[],
    private readonly findBase: FindBase,
  ) {}

  async all(): Promise<ReadonlyMap<ObjectId, HeldObject>> {
    const waiting = new Set(this.packed);
    // What a delta builds on may come behind it.
    for (let round = 0; waiting.size > 0; round += 1) {
      if (round > MOST_DELTAS) leave('Deltas upon deltas.');
      const before = waiting.size;
      for (const each of waiting) if (this.#take(each, this.#baseOf(each))) waiting.delete(each);
      if (waiting.size === before) await this.#takeFromOutside(waiting);
    }
    return this.found;
  }

  #baseOf({ base }: Packed): HeldObject | undefined {
    if ('type' in base) return undefined;
    return 'place' in base ? this.#byPlace.get(base.place) : this.found.get(base.id);
  }

  #take(packed: Packed, base: HeldObject | undefined): boolean {
    const { base: given, bytes, deflated } = packed;
    const whole = 'type' in given ? { type: given.type, content: bytes, deflated } : undefined;
    const built = base && { type: base.type, content: applyDelta(base.content, bytes, this.#left) };
    const object: HeldObject | undefined = whole ?? built;
    if (object === undefined) return false;
    this.#left -= object.content.length;
    if (this.#left < 0) leave('More than a little.');
    const id = idOf(object.type, object.content);
    if (this.found.has(id)) leave('One object twice.');
    this.found.set(id, object);
    this.#byPlace.set(packed.at, object);
    return true;
  }

  async #takeFromOutside(waiting: Set<Packed>): Promise<void> {
    const before = waiting.size;
    for (const each of waiting) {
      if (!('id' in each.base)) continue;
      const base = await this.findBase(each.base.id, MOST_BYTES);
      if (base !== undefined && this.#take(each, base)) waiting.delete(each);
    }
    if (waiting.size === before) leave('A delta of what is not there.');
  }
}

/** The objects of a small pack by their ids. @throws LeftToGit for any that is not small, or not as it should be. */
export const readSmallPack = async (pack: Buffer, findBase: FindBase): Promise<ReadonlyMap<ObjectId, HeldObject>> => {
  if (pack.length < HEADER_BYTES + HASH_BYTES || pack.toString('latin1', 0, 4) !== 'PACK') leave('No pack.');
  const count = pack.readUInt32BE(8);
  if (pack.readUInt32BE(4) !== VERSION || count > MOST_OBJECTS) leave('No pack of a few objects.');
  const packed: Packed[] = [];
  let [at, left] = [HEADER_BYTES, MOST_BYTES];
  for (let index = 0; index < count; index += 1) {
    const next = readPacked(pack, at, left);
    packed.push(next);
    left -= next.bytes.length;
    at = next.end;
  }
  if (at !== pack.length - HASH_BYTES) leave('Something behind its last object.');
  return new Unpacked(packed, findBase).all();
};
