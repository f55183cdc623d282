import { Invalid } from '../shared/domain-error.js';

/** Comments that one person may have on one subject without having published them. */
const MAX_DRAFTS = 200;
/** They are read, and published, in one. */
const MAX_BYTES_OF_DRAFTS = 2_000_000;

export interface DraftsSize {
  readonly drafts: number;
  readonly bytes: number;
}

/** @throws Invalid at `note` where somebody would keep more for themselves than they may. */
export const checkDrafts = ({ drafts, bytes }: DraftsSize): void => {
  if (drafts > MAX_DRAFTS) throw new Invalid({ note: [`is beyond the ${MAX_DRAFTS} of a review: publish it first`] });
  if (bytes > MAX_BYTES_OF_DRAFTS) throw new Invalid({ note: ['makes the review too long: publish it first'] });
};
