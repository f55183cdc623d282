import type { FileAction } from '../../domain/repositories/file-action.js';
import { isObjectId, type ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, isRefName } from '../../domain/repositories/ref-name.js';
import { USUAL_CI_FILES } from '../../domain/shared/ci-config-path.js';
import { NotPossible, NotPossibleWith } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Revisions } from './browse/revisions.js';
import type { BranchPlace, CodeAuthor, CodeWriter, CommitToBranch, Writing } from './commit-to-branch.js';
import { DraftTree } from './draft-tree.js';
import type { BringCommits } from './operations/bring-commits.js';
import { ObjectsRefused, type Draft, type ObjectReader, type StoreName } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { Repository } from './ports/repository-repositories.js';

/** A project whose code a branch of another begins with. */
export interface StartProject {
  readonly code: Permitted<'read_code'>;
  /** Whether they may read it still. @throws Forbidden. */
  readonly requireStill: () => Promise<unknown>;
}

export interface CommitCommand {
  readonly branch: string;
  readonly message: string;
  readonly actions: readonly FileAction[];
  readonly author?: CodeAuthor;
  /** Where a branch to come begins; at most one of the two. */
  readonly startBranch?: string;
  readonly startSha?: string;
  /** Where these are looked for; absent in the project itself. A branch that isn't told there is called as the one to come. */
  readonly startProject?: StartProject;
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
  readonly bringCommits: Pick<BringCommits, 'stage'>;
}

/** What a branch to come begins with. */
interface Start extends Pick<BranchPlace, 'requireOrigin'>, Pick<Begun, 'origin'> {
  readonly commit: ObjectId;
}

/** Where a commit is to be made, and what it goes on from. */
interface Begun {
  readonly place: BranchPlace;
  /** The repository of another project that has its parents. */
  readonly origin?: Repository | undefined;
}

/** Somebody else has changed a file since the commit that its editor saw. */
export class FileChanged extends NotPossible {}

const STALE = (path: string): string => `The file has changed since you started editing it: ${path}`;

/** Changes files of a branch in one commit: all of it, or nothing. */
export class CommitActions {
  constructor(private readonly parts: Parts) {}

  /** Answers the id of the commit. @throws Forbidden, NotPossible, FileChanged. */
  async execute(permitted: Permitted<'push_code'>, writer: CodeWriter, command: CommitCommand): Promise<ObjectId> {
    if (command.message.trim() === '') throw new NotPossibleWith('message', 'You must provide a commit message');
    return this.parts.commitToBranch.during(permitted, writer, async (writing) => {
      const { place, origin } = await this.#begin(writing, command);
      if (origin === undefined) return this.#commit(writing, place, command);
      const brought = await this.#bring(origin, writing.repository, place);
      try {
        return await this.#commit({ ...writing, draft: brought ?? writing.draft }, place, command, origin.store);
      } finally {
        await brought?.settle();
      }
    });
  }

  /** @param store where the parents can be read: what was brought of them is seen by nobody yet. */
  async #commit(
    writing: Writing,
    place: BranchPlace,
    { message, actions, author, stale = STALE }: CommitCommand,
    store: StoreName = writing.repository.store,
  ): Promise<ObjectId> {
    const [base = null] = place.parents;
    const tree = new DraftTree(this.parts.objects, { store }, writing.draft, base);
    for (const action of actions) {
      if (base !== null && (await this.#hasChanged(store, base, action))) throw new FileChanged(stale(action.path));
      await tree.apply(action);
    }
    const hasCiFile = await mayHaveCiFile(tree, writing.permitted.project.ciConfigPath);
    const content = { tree: await tree.write(), message, hasCiFile, ...(author === undefined ? {} : { author }) };
    return this.parts.commitToBranch.execute(writing, place, content);
  }

  /** Undefined where all of it is there already. @throws NotPossible for what is refused in a push, too. */
  async #bring(origin: Repository, repository: Repository, { parents }: BranchPlace): Promise<Draft | undefined> {
    const [start] = parents;
    try {
      return start === undefined ? undefined : await this.parts.bringCommits.stage(origin, repository, start);
    } catch (error) {
      throw error instanceof ObjectsRefused ? new NotPossible(error.message) : error;
    }
  }

  async #begin(writing: Writing, command: CommitCommand): Promise<Begun> {
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
      const { commit, origin, ...required } = start;
      return { place: { branch, from, parents: [commit], ...required }, origin };
    }
    if (from === null && (await this.parts.refs.withBranches([permitted.project.id])).size > 0)
      throw new NotPossible('You can only create or edit files when you are on a branch');
    return { place: { branch, from, parents: from === null ? [] : [from] } };
  }

  /** Undefined where the commit goes on from its branch. */
  async #startOf({ repository, permitted }: Writing, command: CommitCommand): Promise<Start | undefined> {
    const { branch, startBranch, startSha, startProject } = command;
    if (startSha !== undefined && !isObjectId(startSha)) throw new NotPossible(`Invalid start_sha '${startSha}'`);
    if (startProject !== undefined && startProject.code.project.id !== permitted.project.id)
      return this.#startIn(startProject, command);
    const named = startSha ?? startBranch;
    if (named === undefined || startBranch === branch) return undefined;
    const found = await this.parts.revisions.findIn(repository, permitted, named);
    // A branch of an empty repository begins with the commit itself.
    if (found === undefined && (await this.parts.refs.withBranches([permitted.project.id])).size === 0)
      return undefined;
    return { commit: (found ?? refuseStart(command, named)).commit.id };
  }

  async #startIn({ code, requireStill }: StartProject, command: CommitCommand): Promise<Start> {
    const { revisions } = this.parts;
    const { branch, startBranch = branch, startSha } = command;
    const named = startSha ?? startBranch;
    const origin = await revisions.repositoryOf(code);
    const found = origin && (await revisions.findIn(origin, code, named));
    if (origin === undefined || found === undefined) return refuseStart(command, named);
    return { commit: found.commit.id, origin, requireOrigin: requireStill };
  }

  /**
   * Whether a file is another one than in the commit that its editor saw, by what is there: to look for who changed it last would be a walk
   * through all of the history for each of many files. An id that isn't known says nothing.
   */
  async #hasChanged(store: string, head: ObjectId, action: FileAction): Promise<boolean> {
    const { objects } = this.parts;
    const seen = 'lastCommitId' in action ? action.lastCommitId.toLowerCase() : undefined;
    if (seen === undefined || seen === head || !isObjectId(seen)) return false;
    if ((await objects.commit(store, seen)) === undefined) return false;
    const path = action.kind === 'move' ? action.previousPath : action.path;
    const [before, now] = await Promise.all([seen, head].map((tip) => objects.entryAt(store, tip, path)));
    return before?.id !== now?.id || before?.mode !== now?.mode;
  }
}

/** Where its project says where it is, that may be in another one: whoever makes pipelines finds out. */
const mayHaveCiFile = async (tree: DraftTree, configPath: string | null): Promise<boolean> => {
  if (configPath !== null) return true;
  for (const path of USUAL_CI_FILES) if (await tree.has(path)) return true;
  return false;
};

const refuseStart = ({ startSha }: CommitCommand, named: string): never => {
  throw new NotPossible(`Cannot find ${startSha === undefined ? 'start_branch' : 'start_sha'} '${named}'`);
};
