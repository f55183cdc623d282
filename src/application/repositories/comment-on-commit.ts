import { showsLine, type CommentedLine } from '../../domain/repositories/commit-comment.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Revision } from './browse/revisions.js';
import type { CommitCommentRepository } from './ports/commit-comments.js';
import type { HistoryReader } from './ports/object-stores.js';

export const MOST_OF_COMMENT = 1_000_000;

/** What people say of a commit, or of a line that it changed. */
export class CommentOnCommit {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly commitComments: CommitCommentRepository }>,
    private readonly history: HistoryReader,
    private readonly clock: Clock,
  ) {}

  /**
   * @param line where the commit doesn't show it, the comment is about the commit as a whole.
   * @throws Invalid at `note`.
   */
  async execute(
    { project }: Permitted<'take_part'>,
    { store, commit }: Revision,
    author: UserActor,
    { note, line }: { readonly note: string; readonly line: CommentedLine | null },
  ): Promise<number> {
    new ProblemCollector()
      .check(note.trim() !== '', 'note', "can't be blank")
      .check(note.length <= MOST_OF_COMMENT, 'note', `is too long (maximum is ${MOST_OF_COMMENT} characters)`)
      .refuse();
    const shown = line !== null && (await this.#shows(store, commit, line)) ? line : null;
    const comment = { note, line: shown, createdAt: this.clock.now() };
    return this.unitOfWork.execute(({ commitComments }) =>
      commitComments.add({ projectId: project.id, commit: commit.id, authorId: author.id, ...comment }),
    );
  }

  async #shows(store: string, { id, parents }: Revision['commit'], { path, line, lineType }: CommentedLine) {
    const { files } = await this.history.diff(store, parents[0] ?? null, id);
    const file = files.find(({ newPath, oldPath }) => path === (lineType === 'old' ? oldPath : newPath));
    return file !== undefined && showsLine(file.patch, line, lineType);
  }
}
