import { NO_OBJECT, type ObjectId } from '../../domain/repositories/object-id.js';
import type { ExaminedChange, RefChange } from '../../domain/repositories/push-decision.js';
import { refPartsOf } from '../../domain/repositories/ref-name.js';
import type { Staged } from './ports/object-stores.js';

/** Undefined when something that a ref would need is missing. */
export const examineAll = async (
  staged: Staged,
  changes: readonly RefChange[],
  connected: (tips: readonly ObjectId[]) => Promise<boolean>,
): Promise<readonly ExaminedChange[] | undefined> => {
  const tips = changes.flatMap(({ to }) => to ?? []);
  // Beside each other: what is found of a tip counts for nothing where something is missing.
  const [whole, found] = await Promise.allSettled([connected([...new Set(tips)]), examineEach(staged, changes)]);
  if (whole.status === 'rejected') throw whole.reason;
  if (!whole.value) return undefined;
  if (found.status === 'rejected') throw found.reason;
  return found.value;
};

const examineEach = async (
  staged: Staged,
  changes: readonly RefChange[],
): Promise<readonly ExaminedChange[] | undefined> => {
  const examined: ExaminedChange[] = [];
  for (const change of changes) {
    const found = await examineOne(staged, change);
    if (found === undefined) return undefined;
    examined.push(found);
  }
  return examined;
};

const examineOne = async (staged: Staged, change: RefChange): Promise<ExaminedChange | undefined> => {
  const { from, to, ref } = change;
  if (to === null) return { ...change, fastForward: true };
  const tip = await staged.examine(to);
  if (tip === undefined) return undefined;
  const isBranch = refPartsOf(ref)?.kind === 'branch' && tip.type === 'commit';
  return { ...change, type: tip.type, fastForward: from === null || !isBranch || (await follows(staged, from, to)) };
};

const follows = async (staged: Staged, from: ObjectId, to: ObjectId): Promise<boolean> => {
  // What isn't in the store can't be where the ref is: the move will fail.
  if (from === NO_OBJECT || (await staged.examine(from)) === undefined) return false;
  return (await staged.distance(from, to)).ahead === 0;
};
