import { describeDifference } from './compare-stores.js';
import { describeFault } from './look-at-store.js';
import type { Fault } from './ports/stored-rows.js';
import type { Verification } from './verify-stores.js';

export interface Reasons {
  readonly faults?: readonly Fault[];
  readonly verification?: Verification;
}

/** What differs between two stores, in lines. */
export const describeVerification = ({ tables, counters }: Verification): readonly string[] => [
  ...tables.flatMap(({ table, different, here, differences }) =>
    different === 0
      ? []
      : [`${table}: ${different} rows differ; there are ${here.rows} here.`, ...differences.map(describeDifference)],
  ),
  ...counters.map(([table, here, there]) => `${table}: the last number given out is ${here} here, ${there} there.`),
];

/** Why storage is not moved, as sentences for an operator. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';

  constructor(sentence: string, { faults = [], verification }: Reasons = {}) {
    const lines = [...faults.map(describeFault), ...(verification ? describeVerification(verification) : [])];
    super([sentence, ...lines].join('\n'));
  }
}
