import type { MergeRequestDetails, Version } from '../../../../../application/review/ports/merge-request-ports.js';
import { isOfDiff, type DiffPosition, type LineNumbers } from '../../../../../domain/shared/diff-position.js';
import { queryText } from '../code/query.js';
import type { ShownDiffFile } from '../code/diff-view.js';
import type { PageContext } from '../page-context.js';
import { PageTexts } from '../page-texts.js';
import type { FoundMergeRequest, MergeRequestPagesParts } from './merge-request-pages-parts.js';
import { renderThreads, showThreads, type ShownThread } from './threads.js';

/** Threads on one page of changes; all of them are in the conversation. */
const MOST_THREADS = 200;
const MOST_READ = 1_000;

interface NumberedLine {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** What stands at the lines of a diff. */
export interface LineThreads {
  /** Those of a line. */
  readonly at: (file: ShownDiffFile, line: NumberedLine | undefined) => readonly ShownThread[];
  /** Whether a file has one, or is to have one. */
  readonly isWithin: (file: ShownDiffFile) => boolean;
  /** What a line is called in addresses. */
  readonly nameOf: (file: ShownDiffFile, line: NumberedLine) => string;
  /** The line that somebody is about to comment on. */
  readonly chosen: string;
  readonly more: boolean;
}

const keyOf = (path: string, { oldLine, newLine }: LineNumbers): string => `${oldLine ?? 0} ${newLine ?? 0} ${path}`;

const nameOf = ({ anchor }: ShownDiffFile, { from, to }: NumberedLine): string =>
  `${anchor.replace('file-', '')}_${from ?? 0}_${to ?? 0}`;

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
): Promise<LineThreads> => {
  const placed = await parts.discussionReader.placed(id, { after: 0, limit: MOST_READ });
  const positions = new Map<number, DiffPosition>();
  for (const discussion of placed) {
    const position = placeIn(discussion, version);
    if (position !== undefined) positions.set(discussion.firstNoteId, position);
  }
  const wanted = [...positions.keys()].slice(0, MOST_THREADS);
  const batches = parts.discussionReader.some(id, wanted);
  const { threads, moreThreads } = await showThreads({ batches, hasNext: false }, new PageTexts());
  const rendered = await renderThreads(threads, [], (all) => parts.markdown.renderAll(all, context.browser, place));
  const byLine = Map.groupBy(rendered.threads, (thread) => {
    const position = positions.get(thread.id)!;
    return keyOf(position.newPath, position);
  });
  const paths = new Set(wanted.map((each) => positions.get(each)!.newPath));
  const chosen = queryText(context, 'line');
  return {
    at: ({ newPath }, line) =>
      (line && byLine.get(keyOf(newPath, { oldLine: line.from ?? null, newLine: line.to ?? null }))) ?? [],
    isWithin: ({ newPath, anchor }) => paths.has(newPath) || chosen.startsWith(`${anchor.replace('file-', '')}_`),
    nameOf,
    chosen,
    more: moreThreads || wanted.length < positions.size || placed.length === MOST_READ,
  };
};
