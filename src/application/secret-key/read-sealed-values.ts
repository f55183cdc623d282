import type { SealedColumn, SealedValue, SealedValues } from './ports/sealed-values.js';

const BATCH = 100;

/** A batch of one column at a time, through all columns. */
export async function* readSealedValues(
  values: SealedValues,
): AsyncGenerator<readonly [SealedColumn, readonly SealedValue[]], void, undefined> {
  for (const column of values.columns) {
    let batch = await values.readAfter(column, 0, BATCH);
    while (batch.length > 0) {
      yield [column, batch];
      batch = batch.length < BATCH ? [] : await values.readAfter(column, batch.at(-1)!.id, BATCH);
    }
  }
}
