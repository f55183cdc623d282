import { titleOf } from '../../../domain/repositories/commit-message.js';
import type { ExaminedTip, ObjectInfo, StoredObject } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { parseCommit, parseTag } from './commit-text.js';

const MOST_TAGS = 10;
const MOST_OF_COMMIT = 1024 * 1024;
/** So many commits are followed by their parents; beyond, git walks. */
const MOST_STEPS = 20;

/** Reads what arrived, and the store that it arrived for. */
export interface StagedReader {
  info(id: ObjectId): Promise<ObjectInfo | undefined>;
  contents(id: ObjectId): Promise<StoredObject | undefined>;
}

export const examineTip = async (reader: StagedReader, id: ObjectId): Promise<ExaminedTip | undefined> => {
  const info = await reader.info(id);
  if (info === undefined) return undefined;
  let [current, type] = [id, info.type];
  for (let step = 0; type === 'tag' && step < MOST_TAGS; step += 1) {
    const found = await reader.contents(current);
    if (found === undefined) return undefined;
    ({ target: current, targetType: type } = parseTag(current, found.content));
  }
  const peeled = current === id ? null : current;
  const { size } = (await reader.info(current)) ?? {};
  if (size === undefined) return undefined;
  if (type !== 'commit' || size > MOST_OF_COMMIT) return { type: info.type, peeled, committedAt: null, title: null };
  const found = await reader.contents(current);
  if (found === undefined) return undefined;
  const { committer, message } = parseCommit(current, found.content);
  return { type: info.type, peeled, committedAt: new Date(committer.at), title: titleOf(message.trimStart()) };
};

/** The commits that lead from a tip down to another, each to its only parent. Undefined where they don't, or are many. */
export const stepsDown = async (
  reader: StagedReader,
  tip: ObjectId,
  base: ObjectId,
): Promise<readonly ObjectId[] | undefined> => {
  const steps: ObjectId[] = [];
  let current: ObjectId | undefined = tip;
  while (steps.length <= MOST_STEPS && current !== undefined) {
    if (current === base) return steps;
    steps.push(current);
    const parents: readonly ObjectId[] = (await parentsOf(reader, current)) ?? [];
    current = parents.length === 1 ? parents[0] : undefined;
  }
  return undefined;
};

/** How many they are. */
export const stepsBetween = async (reader: StagedReader, base: ObjectId, tip: ObjectId): Promise<number | undefined> =>
  (await stepsDown(reader, tip, base))?.length;

/** How many commits there are down to the first of all, each with one parent. Undefined where they are many, or some have more. */
export const stepsToRoot = async (reader: StagedReader, tip: ObjectId): Promise<number | undefined> => {
  let current = tip;
  for (let steps = 1; steps <= MOST_STEPS; steps += 1) {
    const parents = await parentsOf(reader, current);
    if (parents?.length === 0) return steps;
    const [parent] = parents ?? [];
    if (parent === undefined || parents?.length !== 1) return undefined;
    current = parent;
  }
  return undefined;
};

/** Undefined for what is no commit, or too large to be looked at. */
const parentsOf = async (reader: StagedReader, id: ObjectId): Promise<readonly ObjectId[] | undefined> => {
  const { type, size = 0 } = (await reader.info(id)) ?? {};
  if (type !== 'commit' || size > MOST_OF_COMMIT) return undefined;
  const found = await reader.contents(id);
  return found && parseCommit(id, found.content).parents;
};
