import { titleOf } from '../../domain/repositories/commit-message.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import { signatureOf } from './commit-signature.js';
import type { CodeAuthor, CodeWriter, CommitToBranch, Writing } from './commit-to-branch.js';
import type { MergeOrigins } from './ports/merge-origins.js';
import type { Commit, Merger, MergeResult, ObjectReader } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';

export interface PickCommand {
  readonly commit: Commit;
  readonly branch: string;
  /** A branch to come, which begins where `branch` is: the commit is made there instead. */
  readonly ownBranch?: string;
  /** Only tells whether it could be done. */
  readonly dryRun: boolean;
  /** In place of the one that is made. */
  readonly message?: string;
}

export type PickOutcome =
  | { readonly outcome: 'done'; readonly commit: ObjectId }
  | { readonly outcome: 'possible' }
  /** It can't be done by a machine, or it changes nothing. */
  | { readonly outcome: 'conflict' | 'empty' };

interface Parts {
  readonly commitToBranch: CommitToBranch;
  readonly merger: Merger;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly origins: MergeOrigins;
}

type Way = 'pick' | 'revert';

/** Does what a commit did once more upon another branch, or undoes it there. Of a merge it is what that brought to its first parent. */
export class PickCommits {
  constructor(private readonly parts: Parts) {}

  /** The author stays; whoever picks it commits it. @throws NotFound "Branch", Forbidden, NotPossible. */
  cherryPick(permitted: Permitted<'push_code'>, writer: CodeWriter, command: PickCommand): Promise<PickOutcome> {
    const { commit, message } = command;
    return this.#execute(permitted, writer, command, {
      way: 'pick',
      message: message ?? `${commit.message.trimEnd()}\n\n(cherry picked from commit ${commit.id})`,
      author: signatureOf(commit.author),
    });
  }

  /** @throws NotFound "Branch", Forbidden, NotPossible. */
  async revert(permitted: Permitted<'push_code'>, writer: CodeWriter, command: PickCommand): Promise<PickOutcome> {
    const { commit, message } = command;
    return this.#execute(permitted, writer, command, {
      way: 'revert',
      message:
        message ?? `Revert "${titleOf(commit.message)}"\n\nThis reverts ${await this.#calledIn(permitted, commit)}`,
    });
  }

  /** What is reverted, as people know it: they merged a merge request, not the commit that did so. */
  async #calledIn({ project }: Permitted<'push_code'>, { id }: Commit): Promise<string> {
    const reference = await this.parts.origins.referenceOf(project.id, id);
    return reference === undefined ? `commit ${id}` : `merge request ${reference}`;
  }

  #execute(
    permitted: Permitted<'push_code'>,
    writer: CodeWriter,
    command: PickCommand,
    { way, ...words }: { readonly way: Way; readonly message: string; readonly author?: CodeAuthor },
  ): Promise<PickOutcome> {
    return this.parts.commitToBranch.during(permitted, writer, async (writing) => {
      const head = (await this.parts.refs.findRef(writing.repository.id, branchRef(command.branch)))?.target;
      if (head === undefined) throw new NotFound('Branch');
      const result = await this.#merge(writing, way, head, command.commit);
      if (result?.outcome !== 'merged') return { outcome: 'conflict' };
      const before = await this.parts.objects.commit(writing.repository.store, head);
      if (before?.tree === result.tree) return { outcome: 'empty' };
      if (command.dryRun) return { outcome: 'possible' };
      const { branch, ownBranch } = command;
      const place = ownBranch === undefined ? { branch, from: head } : { branch: ownBranch, from: null };
      const upon = { ...place, parents: [head] };
      const commit = await this.parts.commitToBranch.execute(writing, upon, {
        tree: result.tree,
        borrows: true,
        ...words,
      });
      return { outcome: 'done', commit };
    });
  }

  /** Undefined for a commit without a parent: there is nothing that it could be compared with. */
  async #merge(
    { repository: { store } }: Writing,
    way: Way,
    head: ObjectId,
    commit: Commit,
  ): Promise<MergeResult | undefined> {
    const [parent] = commit.parents;
    return parent === undefined ? undefined : this.parts.merger[way](store, head, commit, parent);
  }
}
