import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { drained } from '../../streams/drained.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { assertObjectId } from './command.js';
import { GitFailed, type Git } from './git.js';
import type { Child } from './runner/runner.js';

/** An id and the end of its line. */
const RECORD = 41;
const ID_BYTES = 20;
const HEADER_BYTES = 8;
const FANOUT = 256;
/** Beyond as many objects git is asked which of them a pack has. */
const MOST_KNOWN = 200_000;

/** The ids that the index of a pack lists. */
export const readPackIds = async (index: string): Promise<ReadonlySet<ObjectId>> => {
  const file = await open(index, 'r');
  try {
    const fanout = Buffer.alloc(FANOUT * 4);
    await file.read(fanout, 0, fanout.length, HEADER_BYTES);
    const count = fanout.readUInt32BE((FANOUT - 1) * 4);
    if (count > MOST_KNOWN) return new Set();
    const ids = Buffer.alloc(count * ID_BYTES);
    await file.read(ids, 0, ids.length, HEADER_BYTES + fanout.length);
    const found = new Set<ObjectId>();
    for (let at = 0; at < ids.length; at += ID_BYTES) found.add(ids.toString('hex', at, at + ID_BYTES));
    return found;
  } finally {
    await file.close();
  }
};

export interface Borrower {
  readonly store: string;
  /** Where its own objects are. */
  readonly folder: string;
  readonly owned: ReadonlySet<ObjectId>;
  readonly deadlineMs: number;
}

/**
 * Walks from tips to what branches and tags of the store lead to, and copies into a pack of the borrower whatever on the way is neither
 * its own nor reachable: housekeeping may be about to let go of that. False when something on the way is missing.
 * @throws GitFailed when git was killed, or could not write the pack.
 */
export const takeBorrowed = async (git: Git, borrower: Borrower, tips: readonly ObjectId[]): Promise<boolean> => {
  const { store, folder, owned, deadlineMs } = borrower;
  const options = { quarantine: folder, deadlineMs };
  const fixed = ['rev-list', '--objects', '--no-object-names', '--stdin', '--not', '--exclude=refs/keep/*', '--all'];
  const walk = await git.start(store, { fixed }, options);
  walk.stdin.end(tips.map((tip) => `${assertObjectId(tip)}\n`).join(''));
  let packer: Child | undefined;
  try {
    for await (const ids of idsOf(walk)) {
      const borrowed = ids.filter((id) => !owned.has(id));
      if (borrowed.length === 0) continue;
      packer ??= await git.start(store, { fixed: packing(folder) }, options);
      packer.stdout.resume();
      if (!packer.stdin.write(`${borrowed.join('\n')}\n`)) await drained(packer.stdin);
    }
    packer?.stdin.end();
    const [walked, packed] = await Promise.all([walk.ended, packer?.ended]);
    // One that was killed has said nothing about what is missing.
    if (walked.code === null) throw new GitFailed('rev-list', walked);
    if (walked.code !== 0) return false;
    if (packed !== undefined && packed.code !== 0) throw new GitFailed('pack-objects', packed);
    return true;
  } finally {
    walk.kill();
    packer?.kill();
  }
};

/** What its own pack has already, git leaves out. */
const packing = (folder: string): readonly string[] => [
  'pack-objects',
  '--quiet',
  '--non-empty',
  '--honor-pack-keep',
  '--delta-base-offset',
  join(folder, 'pack', 'pack'),
];

async function* idsOf(walk: Child): AsyncGenerator<readonly ObjectId[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of walk.stdout as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % RECORD);
    const ids: ObjectId[] = [];
    for (let at = 0; at < whole; at += RECORD) ids.push(bytes.toString('latin1', at, at + RECORD - 1));
    yield ids;
    rest = bytes.subarray(whole);
  }
}
