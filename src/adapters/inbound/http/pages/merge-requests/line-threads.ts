import { together } from '../../../../../application/shared/together.js';
import type { MergeRequestDetails, Version } from '../../../../../application/review/ports/merge-request-ports.js';
import { isOfDiff, type DiffPosition } from '../../../../../domain/shared/diff-position.js';
import { queryText } from '../code/query.js';
import { lineThreadsAt, type LineThreads } from '../comments/line-threads.js';
import { readReactions, type ShownReactions } from '../comments/reactions.js';
import { notesIn, renderThreads, showThreads } from '../comments/threads.js';
import type { PageContext } from '../page-context.js';
import { PageTexts } from '../page-texts.js';
import type { FoundMergeRequest, MergeRequestPagesParts } from './merge-request-pages-parts.js';

/** Threads on one page of changes; all of them are in the conversation. */
const MOST_THREADS = 200;
const MOST_READ = 1_000;

/** Where a discussion is in a version: its place of now, or where it began. */
const placeIn = (
  { position, original, outdated }: { position: DiffPosition; original: DiffPosition; outdated: boolean },
  version: Version,
): DiffPosition | undefined => {
  if (!outdated && isOfDiff(position, version)) return position;
  return isOfDiff(original, version) ? original : undefined;
};

/** The threads on the lines of a version, as far as a page has room for them. */
export const lineThreadsOf = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  { place }: FoundMergeRequest,
  { mergeRequest: { id }, version }: { readonly mergeRequest: MergeRequestDetails; readonly version: Version },
): Promise<{ readonly review: LineThreads; readonly reactions: ShownReactions }> => {
  const placed = await parts.discussionReader.placed(id, { after: 0, limit: MOST_READ });
  const positions = new Map<number, DiffPosition>();
  for (const discussion of placed) {
    const position = placeIn(discussion, version);
    if (position !== undefined) positions.set(discussion.firstNoteId, position);
  }
  const wanted = [...positions.keys()].slice(0, MOST_THREADS);
  const batches = parts.discussionReader.some(id, wanted);
  const { threads, more } = await showThreads({ batches, hasNext: false }, new PageTexts());
  const [rendered, reactions] = await together([
    renderThreads(threads, [], (all) => parts.markdown.renderAll(all, context.browser, place)),
    readReactions(parts, context, { id, kind: 'merge_request', place }, notesIn(threads)),
  ]);
  const review = lineThreadsAt(
    rendered.threads.map((thread) => [thread, positions.get(thread.id)!] as const),
    {
      chosen: queryText(context, 'line'),
      more: more || wanted.length < positions.size || placed.length === MOST_READ,
    },
  );
  return { review, reactions };
};
