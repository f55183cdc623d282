import type { FileAction } from '../../domain/repositories/file-action.js';
import { isObjectId, type ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, isRefName } from '../../domain/repositories/ref-name.js';
import { NotPossible, NotPossibleWith } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Revisions } from './browse/revisions.js';
import type { BranchPlace, CodeAuthor, CodeWriter, CommitToBranch, Writing } from './commit-to-branch.js';
import { DraftTree } from './draft-tree.js';
import type { HistoryReader, ObjectReader } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';

export interface CommitCommand {
  readonly branch: string;
  readonly message: string;
  readonly actions: readonly FileAction[];
  readonly author?: CodeAuthor;
  /** Where a branch to come begins; at most one of the two. */
  readonly startBranch?: string;
  readonly startSha?: string;
  /** Begins a branch anew that is there already. */
  readonly force?: boolean;
  /** What is told of a file that somebody else has changed meanwhile. */
  readonly stale?: (path: string) => string;
}

interface Parts {
  readonly commitToBranch: CommitToBranch;
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
}

const STALE = (path: string): string => `The file has changed since you started editing it: ${path}`;

/** Changes files of a branch in one commit: all of it, or nothing. */
export class CommitActions {
  constructor(private readonly parts: Parts) {}

  /** Answers the id of the commit. @throws Forbidden, NotPossible. */
  async execute(permitted: Permitted<'push_code'>, writer: CodeWriter, command: CommitCommand): Promise<ObjectId> {
    const { commitToBranch, objects } = this.parts;
    const { message, actions, author, stale = STALE } = command;
    if (message.trim() === '') throw new NotPossibleWith('message', 'You must provide a commit message');
    return commitToBranch.during(permitted, writer, async (writing) => {
      const place = await this.#placeOf(writing, command);
      const { repository, draft } = writing;
      const [base = null] = place.parents;
      const tree = new DraftTree(objects, repository, draft, base);
      for (const action of actions) {
        if (base !== null && (await this.#hasChanged(repository.store, base, action)))
          throw new NotPossible(stale(action.path));
        await tree.apply(action);
      }
      const content = { tree: await tree.write(), message, ...(author === undefined ? {} : { author }) };
      return commitToBranch.execute(writing, place, content);
    });
  }

  async #placeOf(writing: Writing, command: CommitCommand): Promise<BranchPlace> {
    const { branch, startBranch, startSha, force = false } = command;
    const { repository, permitted } = writing;
    if (startBranch !== undefined && startSha !== undefined)
      throw new NotPossible("You can't pass both start_branch and start_sha");
    if (!isRefName(branchRef(branch)))
      throw new NotPossibleWith(
        'branch',
        `Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`,
      );
    const from = (await this.parts.refs.findRef(repository.id, branchRef(branch)))?.target ?? null;
    const start = await this.#startOf(writing, command);
    if (start !== undefined) {
      if (from !== null && !force)
        throw new NotPossibleWith(
          'branch',
          `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
        );
      return { branch, from, parents: [start] };
    }
    if (from === null && (await this.parts.refs.withBranches([permitted.project.id])).size > 0)
      throw new NotPossible('You can only create or edit files when you are on a branch');
    return { branch, from, parents: from === null ? [] : [from] };
  }

  /** Undefined where the commit goes on from its branch. */
  async #startOf(
    { repository, permitted }: Writing,
    { branch, startBranch, startSha }: CommitCommand,
  ): Promise<ObjectId | undefined> {
    if (startSha !== undefined && !isObjectId(startSha)) throw new NotPossible(`Invalid start_sha '${startSha}'`);
    const named = startSha ?? startBranch;
    if (named === undefined || startBranch === branch) return undefined;
    const found = await this.parts.revisions.findIn(repository, permitted, named);
    // A branch of an empty repository begins with the commit itself.
    if (found === undefined && (await this.parts.refs.withBranches([permitted.project.id])).size === 0)
      return undefined;
    if (found === undefined)
      throw new NotPossible(`Cannot find ${startSha === undefined ? 'start_branch' : 'start_sha'} '${named}'`);
    return found.commit.id;
  }

  /** Whether somebody else has changed a file since the commit that its editor saw. An id that isn't known says nothing. */
  async #hasChanged(store: string, head: ObjectId, action: FileAction): Promise<boolean> {
    const { objects, history } = this.parts;
    const seen = action.kind === 'create' ? undefined : action.lastCommitId?.toLowerCase();
    if (seen === undefined || !isObjectId(seen) || (await objects.commit(store, seen)) === undefined) return false;
    const path = action.kind === 'move' ? action.previousPath : action.path;
    const [before, now] = await Promise.all(
      [seen, head].map(async (tip) => (await history.log(store, { tips: [tip], path, limit: 1 }))[0]?.id),
    );
    return before !== now;
  }
}
