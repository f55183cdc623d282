import { lineShown, type CommentedLine } from '../../domain/review/commented-line.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { DiscussionPlace } from '../../domain/shared/diff-position.js';
import type { DiffsOfSubject, SaidPosition, SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { Diff, HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import { placeLines, refusedNote } from './place-lines.js';

interface Parts {
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly history: Pick<HistoryReader, 'diff'>;
}

/** What the first commit of all is compared with. */
const NOTHING = '0'.repeat(40);

const namesOf = ({ head, base }: { readonly head: string; readonly base: string | null }) => ({
  baseSha: base ?? NOTHING,
  startSha: base ?? NOTHING,
  headSha: head,
});

/** Lines of what a commit changes, as discussions are about them. They stay where they are, and nothing can be suggested for them. */
export class CommitDiffs implements DiffsOfSubject {
  constructor(private readonly parts: Parts) {}

  async place(subject: SubjectDetails, said: SaidPosition): Promise<DiscussionPlace> {
    const { diff, head, base } = await this.#diffOf(subject);
    const commits = namesOf({ head, base });
    if (said.headSha !== head || said.baseSha !== commits.baseSha || said.startSha !== commits.startSha)
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
    const { diff, head, base } = await this.#diffOf(subject);
    const file = diff.files.find(({ newPath, oldPath }) => path === (lineType === 'old' ? oldPath : newPath));
    const numbers = file && lineShown(file.patch, line, lineType);
    if (file === undefined || numbers === undefined) return undefined;
    return { ...namesOf({ head, base }), ...numbers, oldPath: file.oldPath, newPath: file.newPath, first: null };
  }

  async #diffOf({
    projectId,
    commitId,
  }: SubjectDetails): Promise<{ readonly diff: Diff; readonly head: string; readonly base: string | null }> {
    const repository = await this.parts.refs.findRepository(projectId);
    const commit =
      repository && commitId !== undefined ? await this.parts.objects.commit(repository.store, commitId) : undefined;
    if (repository === undefined || commit === undefined) throw new NotFound('Commit');
    const base = commit.parents[0] ?? null;
    return { diff: await this.parts.history.diff(repository.store, base, commit.id), head: commit.id, base };
  }
}
