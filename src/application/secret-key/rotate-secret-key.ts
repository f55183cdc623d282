import { tryOpen, type Boxes } from './boxes.js';
import type { KeySentinels } from './ports/key-sentinels.js';
import type { Replacement, SealedColumn, SealedValue, SealedValues } from './ports/sealed-values.js';
import { readSealedValues } from './read-sealed-values.js';

export interface Rotation {
  /** Values that were sealed with the current key, having been sealed with the previous one. */
  readonly resealed: number;
  /** How many values of which column no key opens, where there are any. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/**
 * Seals with the current key what the previous one sealed, while the service serves with both. It keeps no account of where it is: what
 * the current key opens has been done, so that it may be killed at any moment and run again.
 */
export class RotateSecretKey {
  /** @param pause lets others write between two batches. */
  constructor(
    private readonly values: SealedValues,
    private readonly sentinels: KeySentinels,
    private readonly boxes: Boxes,
    private readonly pause: () => Promise<unknown>,
  ) {}

  async execute(): Promise<Rotation> {
    let resealed = 0;
    for (;;) {
      const pass = await this.#pass();
      resealed += pass.resealed;
      // A value that changed while it was read is found by the next pass.
      if (pass.found === 0) {
        await this.#forgetPreviousKey();
        return { resealed, unreadable: pass.unreadable };
      }
    }
  }

  async #pass(): Promise<Rotation & { readonly found: number }> {
    const unreadable = new Map<string, number>();
    let found = 0;
    for await (const [column, batch] of readSealedValues(this.values)) {
      const closed = batch.filter(({ sealed }) => tryOpen(this.boxes.current[column.purpose], sealed) === undefined);
      const replacements = closed.flatMap((value) => this.#reseal(column, value) ?? []);
      const lost = closed.length - replacements.length;
      if (lost > 0) unreadable.set(column.name, (unreadable.get(column.name) ?? 0) + lost);
      if (replacements.length === 0) continue;
      await this.values.replace(column, replacements);
      found += replacements.length;
      await this.pause();
    }
    return { found, resealed: found, unreadable };
  }

  #reseal({ purpose }: SealedColumn, { id, sealed }: SealedValue): Replacement | undefined {
    const plain = tryOpen(this.boxes.previous?.[purpose], sealed);
    return plain === undefined ? undefined : { id, sealed, resealed: this.boxes.current[purpose].seal(plain) };
  }

  async #forgetPreviousKey(): Promise<void> {
    const { sentinel } = this.boxes.current;
    const others = (await this.sentinels.list()).filter(({ sealed }) => tryOpen(sentinel, sealed) === undefined);
    await this.sentinels.remove(others.map(({ id }) => id));
  }
}
