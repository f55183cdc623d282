import { lineShown, type CommentedLine } from '../../domain/review/commented-line.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { DiscussionPlace } from '../../domain/shared/diff-position.js';
import type { DiffsOfSubject, SaidPosition, SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { Commit, Diff, HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import { placeLines, refusedNote } from './place-lines.js';

interface Parts {
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly history: Pick<HistoryReader, 'diff'>;
}

/** What the first commit of all is compared with. */
const NOTHING = '0'.repeat(40);

/** The commits that lines of a commit are said to be between. */
export const commitsComparedBy = ({ id, parents }: Pick<Commit, 'id' | 'parents'>) => {
  const base = parents[0] ?? NOTHING;
  return { base, start: base, head: id };
};

const namesOf = ({ base, start, head }: ReturnType<typeof commitsComparedBy>) => ({
  baseSha: base,
  startSha: start,
  headSha: head,
});

/** Lines of what a commit changes, as discussions are about them. They stay where they are, and nothing can be suggested for them. */
export class CommitDiffs implements DiffsOfSubject {
  constructor(private readonly parts: Parts) {}

  async place(subject: SubjectDetails, said: SaidPosition): Promise<DiscussionPlace> {
    const { diff, commits } = await this.#diffOf(subject);
    if (said.headSha !== commits.headSha || said.baseSha !== commits.baseSha || said.startSha !== commits.startSha)
      throw refusedNote('position', 'is of other commits: send the parent as base_sha and start_sha, and the commit');
    return placeLines(diff, said, commits);
  }

  follow(): Promise<void> {
    return Promise.resolve();
  }

  lines(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** The position of a line that somebody names by one number; undefined where the commit doesn't show it. */
  async positionOf(
    subject: SubjectDetails,
    { path, line, lineType }: CommentedLine,
  ): Promise<SaidPosition | undefined> {
    const { diff, commits } = await this.#diffOf(subject);
    const file = diff.files.find(({ newPath, oldPath }) => path === (lineType === 'old' ? oldPath : newPath));
    const numbers = file && lineShown(file.patch, line, lineType);
    if (file === undefined || numbers === undefined) return undefined;
    return { ...commits, ...numbers, oldPath: file.oldPath, newPath: file.newPath, first: null };
  }

  async #diffOf({
    projectId,
    commitId,
  }: SubjectDetails): Promise<{ readonly diff: Diff; readonly commits: ReturnType<typeof namesOf> }> {
    const repository = await this.parts.refs.findRepository(projectId);
    const commit =
      repository && commitId !== undefined ? await this.parts.objects.commit(repository.store, commitId) : undefined;
    if (repository === undefined || commit === undefined) throw new NotFound('Commit');
    const diff = await this.parts.history.diff(repository.store, commit.parents[0] ?? null, commit.id);
    return { diff, commits: namesOf(commitsComparedBy(commit)) };
  }
}
