import type {
  MergeRequestDetails,
  MergeRequestQuery,
  MergeRequestReader,
} from '../../../../../application/review/ports/merge-request-ports.js';
import { isDraft } from '../../../../../domain/review/merge-request.js';
import type { Page } from '../../../../../domain/shared/page.js';

/** As lists show it: without its description, which may be long. */
export type MergeRequestHead = Omit<MergeRequestDetails, 'description'> & { readonly draft: boolean };

const headOf = ({ description: _description, ...head }: MergeRequestDetails): MergeRequestHead => ({
  ...head,
  draft: isDraft(head.title),
});

export const listHeads = async (
  reader: Pick<MergeRequestReader, 'list'>,
  query: MergeRequestQuery,
): Promise<Page<MergeRequestHead>> => {
  const { batches, hasNext } = await reader.list(query);
  const items: MergeRequestHead[] = [];
  for await (const batch of batches) items.push(...batch.map(headOf));
  return { items, hasNext };
};
