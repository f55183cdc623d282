import { NotPossible } from '../shared/domain-error.js';

/** What one transaction copies, for which others wait. */
const MOST_NOTES = 5_000;
const MOST_BYTES = 5_000_000;

/** @throws NotPossible where an issue has more to take along than one transaction copies. */
export const refuseTooMuch = ({ notes, bytes }: { readonly notes: number; readonly bytes: number }): void => {
  if (notes > MOST_NOTES || bytes > MOST_BYTES)
    throw new NotPossible(
      `An issue with more than ${MOST_NOTES} comments, or ${MOST_BYTES / 1_000_000} MB of them, can’t be copied.`,
    );
};
