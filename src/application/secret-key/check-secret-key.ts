import type { Clock } from '../shared/ports/clock.js';
import { tryOpen, type Boxes, type KeyBoxes } from './boxes.js';
import type { KeySentinel, KeySentinels } from './ports/key-sentinels.js';
import type { SealedValues } from './ports/sealed-values.js';
import { readSealedValues } from './read-sealed-values.js';

/** The text that a sentinel seals: what matters is that it opens. */
const TEXT = 'gatehouse';

/**
 * - `fits`: the keys open everything in the database.
 * - `wrong`: they open none of it.
 * - `incomplete`: they open some of it: a rotation has not ended, and the other key of it is missing.
 */
export type KeyCheck = 'fits' | 'wrong' | 'incomplete';

/**
 * Holds the keys of a start against the database, which remembers every key that its values may be sealed with. A database without
 * sentinels takes the keys of this start for its own, unless one of its values shows that they are not.
 */
export class CheckSecretKey {
  constructor(
    private readonly sentinels: KeySentinels,
    private readonly values: SealedValues,
    private readonly clock: Clock,
  ) {}

  /** Whether the database belongs to a key already. */
  async isKeyed(): Promise<boolean> {
    if ((await this.sentinels.list()).length > 0) return true;
    return (await readSealedValues(this.values).next()).done !== true;
  }

  /** Asks the sentinels alone, and writes nothing: of a database that nobody has served from yet any key is right. */
  async look(boxes: Boxes): Promise<KeyCheck> {
    const present = await this.sentinels.list();
    return present.length === 0 ? 'fits' : checkSentinels(present, boxes);
  }

  async execute(boxes: Boxes): Promise<KeyCheck> {
    const present = await this.sentinels.list();
    const check = present.length === 0 ? await this.#checkValues(boxes) : checkSentinels(present, boxes);
    if (check !== 'fits') return check;
    if (isComplete(present, boxes)) return 'fits';
    // Another start may have come first, with other keys.
    const decision: { check: KeyCheck } = { check };
    await this.sentinels.addMissing((found) => {
      decision.check = checkSentinels(found, boxes);
      return decision.check === 'fits' ? missingTexts(found, boxes) : [];
    }, this.clock.now());
    return decision.check;
  }

  async #checkValues(boxes: Boxes): Promise<KeyCheck> {
    const seen = { opened: false, closed: false };
    for await (const [{ purpose }, batch] of readSealedValues(this.values)) {
      for (const { sealed } of batch) {
        const opens = [boxes.current, boxes.previous].some((key) => tryOpen(key?.[purpose], sealed) !== undefined);
        seen[opens ? 'opened' : 'closed'] = true;
      }
    }
    if (!seen.closed) return 'fits';
    return seen.opened ? 'incomplete' : 'wrong';
  }
}

const opens = (key: KeyBoxes | undefined, { sealed }: KeySentinel): boolean =>
  tryOpen(key?.sentinel, sealed) !== undefined;

const checkSentinels = (present: readonly KeySentinel[], { current, previous }: Boxes): KeyCheck => {
  const known = present.filter((sentinel) => opens(current, sentinel) || opens(previous, sentinel));
  if (known.length === present.length) return 'fits';
  return known.length === 0 ? 'wrong' : 'incomplete';
};

const isComplete = (present: readonly KeySentinel[], { current }: Boxes): boolean =>
  present.some((sentinel) => opens(current, sentinel));

/** The first start of all may find values of the previous key. */
const missingTexts = (present: readonly KeySentinel[], boxes: Boxes): readonly string[] => {
  if (isComplete(present, boxes)) return [];
  const keys = present.length === 0 ? [boxes.current, boxes.previous] : [boxes.current];
  return keys.flatMap((key) => (key === undefined ? [] : [key.sentinel.seal(TEXT)]));
};
