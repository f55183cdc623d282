import { isFoundOut } from '../../domain/review/merge-request.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { MergeRequestDetails, MergeRequestReader } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

/** What looks. */
export interface LookingParts {
  readonly reader: MergeRequestReader;
  readonly refresh: RefreshMergeRequests;
}

/**
 * A merge request as its branches are now: a push of either says in its own transaction that what was known is out of date.
 * @throws NotFound.
 */
export const lookedAt = async ({ reader, refresh }: LookingParts, id: number): Promise<MergeRequestDetails> => {
  const known = await reader.findById(id);
  if (known === undefined) throw new NotFound();
  if (known.state !== 'opened' || isFoundOut(known)) return known;
  await refresh.execute(id);
  const looked = await reader.findById(id);
  if (looked === undefined) throw new NotFound();
  return looked;
};
