import type { DraftNote, DraftNoteReader } from '../../../../../application/collaboration/ports/draft-ports.js';
import type { Version } from '../../../../../application/review/ports/merge-request-ports.js';
import { isOfDiff } from '../../../../../domain/shared/diff-position.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { addressOfNote } from '../comments/comment-page.js';
import { placedAt, type PlacedAt } from '../comments/line-threads.js';
import type { PageContext } from '../page-context.js';
import { ONE_OF_SEVERAL, PageTexts, type ShownText } from '../page-texts.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import type { FoundMergeRequest } from './merge-request-pages-parts.js';

/** A draft as a page shows it. */
export interface ShownDraft extends DraftNote {
  /** Whether the thread is gone that it answers: once published, it stands alone. */
  readonly stray: boolean;
  readonly shown: ShownText;
}

/** What the reader of a page has drafted of a merge request, and nobody else sees. */
export interface PendingReview {
  readonly drafts: readonly ShownDraft[];
  /** Those that answer the thread that begins with a note. */
  readonly answersTo: (firstNoteId: number) => readonly ShownDraft[];
  /** Those that answer none, or one that is gone. */
  readonly alone: readonly ShownDraft[];
  /** Those on lines of the version that is shown. */
  readonly lines: PlacedAt<ShownDraft>;
}

interface Parts {
  readonly draftNoteReader: DraftNoteReader;
  readonly markdown: ProjectMarkdown;
}

/** Where a draft is shown. */
export const addressOfDraft = (page: string, { id, answers, place }: DraftNote): string => {
  if (answers !== null) return `${addressOfNote(page, answers).replace(/#.*/, '')}#draft_${id}`;
  return place === null ? `${page}#draft_${id}` : `${page}/diffs#draft_${id}`;
};

const showDrafts = async (
  { draftNoteReader, markdown }: Parts,
  { browser }: PageContext,
  { place, mergeRequest }: FoundMergeRequest,
): Promise<readonly ShownDraft[]> => {
  const { user } = browser;
  // What was drafted before the project was archived is still there to be read.
  const open = { ...place.project, archived: false };
  if (user === undefined || !isOffered(open, place.level, 'open_merge_requests')) return [];
  const drafts = await draftNoteReader.all(mergeRequest.id, user.id);
  if (drafts.length === 0) return [];
  const answered = [...new Set(drafts.flatMap(({ answers }) => answers ?? []))];
  const answerable = await draftNoteReader.answerable(mergeRequest.id, answered);
  const texts = new PageTexts();
  const shown = drafts.map(({ body }) => texts.show(body, ONE_OF_SEVERAL));
  const rendered = await markdown.renderAll(shown, browser, place);
  return drafts.map((draft, index) => ({
    ...draft,
    stray: draft.answers !== null && !answerable.has(draft.answers),
    shown: rendered[index] ?? shown[index]!,
  }));
};

/** @param version the one that is shown, of a page of changes. */
export const pendingReviewOf = async (
  parts: Parts,
  context: PageContext,
  found: FoundMergeRequest,
  version?: Version,
): Promise<PendingReview> => {
  const drafts = await showDrafts(parts, context, found);
  const placed = drafts.flatMap((draft) =>
    draft.place !== null && version !== undefined && isOfDiff(draft.place.position, version)
      ? [[draft, draft.place.position] as const]
      : [],
  );
  const answers = Map.groupBy(drafts, ({ stray, answers: answered }) => (stray ? null : answered));
  return {
    drafts,
    answersTo: (firstNoteId) => answers.get(firstNoteId) ?? [],
    alone: answers.get(null) ?? [],
    lines: placedAt(placed),
  };
};
