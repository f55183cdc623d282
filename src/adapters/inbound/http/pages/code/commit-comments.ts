import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { Discussions } from '../../../../../application/collaboration/discussions.js';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { DiscussionReader } from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { Subjects } from '../../../../../application/collaboration/subjects.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { commitsComparedBy } from '../../../../../application/review/commit-diffs.js';
import type { DiscussedCommitReader } from '../../../../../application/review/ports/discussed-commits.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { together } from '../../../../../application/shared/together.js';
import { mayChangeNote, type ChangeableNote } from '../../../../../domain/collaboration/note.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../../web-urls.js';
import { isShownIn, lineThreadsAt } from '../comments/line-threads.js';
import { readReactions, type ReactionParts } from '../comments/reactions.js';
import {
  notesIn,
  renderThreads,
  showThreads,
  withTasksOfNotes,
  type ShownThread,
  type ShownThreads,
} from '../comments/threads.js';
import { textField } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import { PageTexts } from '../page-texts.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import type { DiffOptions, ShownDiff } from './diff-view.js';
import { queryText } from './query.js';

/** What is said of commits is in the same threads as by the API. */
export interface CommitCommentParts extends ReactionParts {
  readonly subjects: Subjects;
  readonly notes: Notes;
  readonly discussions: Discussions;
  readonly discussionReader: DiscussionReader;
  readonly discussedCommits: DiscussedCommitReader;
  readonly uploads: Uploads;
  readonly markdown: ProjectMarkdown;
  readonly urls: WebUrls;
}

interface ShownCommit {
  readonly commit: Commit;
  readonly diff: ShownDiff;
  readonly options: DiffOptions;
}

const SHOWN_THREADS = { page: 1, perPage: 100 };
const NONE: Pick<ShownThreads, 'threads' | 'more'> = { threads: [], more: false };

/** What the page of a commit shows of what is said of it: at the lines that it is about, and the rest below. */
export const commentsOn = async (
  parts: CommitCommentParts,
  context: PageContext,
  place: Permitted<'read_code'>,
  { commit, diff, options }: ShownCommit,
) => {
  const { project, level } = place;
  const { request, browser } = context;
  const known = await parts.discussedCommits.find(project.id, commit.id);
  const shown =
    known === undefined
      ? NONE
      : await showThreads(await parts.discussionReader.list(known.id, SHOWN_THREADS), new PageTexts());
  const party = browser.user && { userId: browser.user.id, level };
  const takesPart = party !== undefined && isOffered(project, level, 'discuss_code');
  const mayChange = (note: ChangeableNote) => takesPart && mayChangeNote(note, party);
  const [{ threads }, reactions] = await together([
    renderThreads(withTasksOfNotes(shown.threads, mayChange), [], (all) =>
      parts.markdown.renderAll(all, browser, place),
    ),
    known === undefined
      ? Promise.resolve(undefined)
      : readReactions(parts, context, { id: known.id, kind: 'commit', place }, notesIn(shown.threads)),
  ]);
  // Without blanks, lines would stand where the whole diff doesn't show them.
  const isAtLine = options.ignoreWhitespace ? () => false : isShownIn(diff);
  const [atLines, others] = [threads.filter(isAtLine), threads.filter((thread) => !isAtLine(thread))];
  const chosen = queryText(context, 'line');
  return {
    threads: others,
    reactions,
    said: atLines.length > 0,
    moreThreads: shown.more,
    ...(options.ignoreWhitespace ? {} : { review: lineThreadsAt(placed(atLines), { chosen, more: false }) }),
    shown: commitsComparedBy(commit),
    whole: parts.urls.api(`/projects/${project.id}/repository/commits/${commit.id}`),
    readOnly: project.archived,
    mayComment: takesPart,
    mayChangeNote: mayChange,
    body: textField(context, 'body'),
    repliedTo: Number(request.params['thread'] ?? 0),
  };
};

const placed = (threads: readonly ShownThread[]) =>
  threads.flatMap((thread) => (thread.at === null ? [] : [[thread, thread.at.position] as const]));
