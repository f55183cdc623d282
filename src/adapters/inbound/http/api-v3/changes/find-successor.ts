import { API_CHANGES } from './api-changes.js';
import { DROPPED, type ApiChange } from './api-change.js';
import { applyRule } from './apply-rule.js';
import type { OldRequest } from './old-request.js';

export interface Successor {
  /** Every change that concerns the request, in the order in which they were made. */
  readonly changes: readonly ApiChange[];
  /** The request as version 4 has it; where no change moves it, as it was. */
  readonly request: OldRequest;
}

/** Whether version 4 has nothing in its place. */
export const isDropped = ({ changes }: Successor): boolean => changes.some(({ after }) => after === DROPPED);

const applyFirst = ({ rules }: ApiChange, request: OldRequest): OldRequest | undefined => {
  for (const rule of rules) {
    const changed = applyRule(rule, request);
    if (changed !== undefined) return changed;
  }
  return undefined;
};

/** What became of a request to version 3. Each change sees what those before it left, as the releases followed each other. */
export const findSuccessor = (request: OldRequest): Successor =>
  API_CHANGES.reduce<Successor>(
    (successor, change) => {
      const changed = applyFirst(change, successor.request);
      return changed === undefined ? successor : { changes: [...successor.changes, change], request: changed };
    },
    { changes: [], request },
  );
