import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { encodeTag } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ExaminedChange } from '../../domain/repositories/push-decision.js';
import { branchRef, isRefName, tagRef } from '../../domain/repositories/ref-name.js';
import { NotFound, NotPossible, Unavailable } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { MayTag, Revisions } from './browse/revisions.js';
import type { CommitActions } from './commit-actions.js';
import type { CodeWriter, CommitToBranch, Writing } from './commit-to-branch.js';
import type { LandChanges } from './land-changes.js';
import type { MoveRefs } from './move-refs.js';
import type { RefReader } from './ports/ref-reader.js';
import type { Ref } from './ports/repository-repositories.js';
import { requireMoved } from './refusals.js';

interface Parts {
  readonly commitToBranch: CommitToBranch;
  readonly commitActions: CommitActions;
  readonly landChanges: LandChanges;
  readonly moveRefs: MoveRefs;
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly clock: Clock;
}

type MayPush = Permitted<'push_code'>;

interface ExpectedRef {
  readonly target: ObjectId;
  /** A version of the repository's refs. */
  readonly unmovedSince?: number;
}

/** Makes and removes branches and tags by the API. Each change asks the rules, and tells what happened, as a push does. */
export class ChangeRefs {
  constructor(private readonly parts: Parts) {}

  /** @throws Forbidden, NotPossible. */
  async createBranch(permitted: MayPush, writer: CodeWriter, branch: string, from: string): Promise<void> {
    const ref = branchRef(branch);
    if (!isRefName(ref)) throw new NotPossible('Branch name is invalid');
    await this.#begin(permitted, writer);
    await this.parts.commitToBranch.during(permitted, writer, async (writing) => {
      if ((await this.parts.refs.findRef(writing.repository.id, ref)) !== undefined)
        throw new NotPossible('Branch already exists');
      const start = await this.parts.revisions.findIn(writing.repository, permitted, from);
      if (start === undefined) throw new NotPossible(`Invalid reference name: ${from}`);
      const to = start.commit.id;
      await this.#land(writing, { ref, from: null, to, type: 'commit', fastForward: true });
    });
  }

  findBranch(permitted: MayPush, branch: string): Promise<Ref | undefined> {
    return this.#find(permitted, branchRef(branch));
  }

  /**
   * @param expected where it must be still; absent is wherever it is.
   * @throws NotFound "Branch", Forbidden, NotPossible for the default branch.
   */
  removeBranch(permitted: MayPush, writer: CodeWriter, branch: string, expected?: ExpectedRef): Promise<void> {
    return this.#remove(permitted, writer, { ref: branchRef(branch), subject: 'Branch', expected });
  }

  /** @param message absent for a tag that is not annotated. @throws Forbidden, NotPossible. */
  async createTag(
    permitted: MayTag,
    writer: CodeWriter,
    tag: string,
    { target, message }: { readonly target: string; readonly message?: string },
  ): Promise<void> {
    const ref = tagRef(tag);
    if (!isRefName(ref)) throw new NotPossible('Tag name invalid');
    await this.parts.commitToBranch.during(permitted, writer, async (writing) => {
      if ((await this.parts.refs.findRef(writing.repository.id, ref)) !== undefined)
        throw new NotPossible(`Tag ${tag} already exists`);
      const found = await this.parts.revisions.findIn(writing.repository, permitted, target);
      if (found === undefined) throw new NotPossible(`Target ${target} is invalid`);
      const commit = found.commit.id;
      const annotated = message !== undefined && message !== '';
      const to = annotated ? await this.#annotate(writing, { tag, target: commit, message }) : commit;
      await this.#land(writing, { ref, from: null, to, type: annotated ? 'tag' : 'commit', fastForward: true });
    });
  }

  findTag(permitted: MayPush, tag: string): Promise<Ref | undefined> {
    return this.#find(permitted, tagRef(tag));
  }

  /**
   * @param expected where it must be still; absent is wherever it is.
   * @throws NotFound "Tag", Forbidden.
   */
  removeTag(permitted: MayPush, writer: CodeWriter, tag: string, expected?: ExpectedRef): Promise<void> {
    return this.#remove(permitted, writer, { ref: tagRef(tag), subject: 'Tag', expected });
  }

  /** A repository without branches gets its default branch first. */
  async #begin(permitted: MayPush, writer: CodeWriter): Promise<void> {
    const { project } = permitted;
    if ((await this.parts.refs.withBranches([project.id])).size > 0) return;
    const content = new TextEncoder().encode('');
    await this.parts.commitActions.execute(permitted, writer, {
      branch: project.defaultBranch ?? DEFAULT_BRANCH,
      message: 'Add README.md',
      actions: [{ kind: 'create', path: 'README.md', content, executable: false }],
    });
  }

  #annotate(
    { draft, writer }: Writing,
    { tag, target, message }: { readonly tag: string; readonly target: ObjectId; readonly message: string },
  ): Promise<ObjectId> {
    const tagger = { name: writer.name, email: writer.email, at: this.parts.clock.now(), offset: 0 };
    return draft.add(encodeTag({ target, targetType: 'commit', name: tag, tagger, message }));
  }

  async #remove(
    permitted: MayPush,
    writer: CodeWriter,
    {
      ref,
      subject,
      expected,
    }: { readonly ref: string; readonly subject: string; readonly expected?: ExpectedRef | undefined },
  ): Promise<void> {
    const there = await this.#find(permitted, ref);
    if (there === undefined) throw new NotFound(subject);
    const { target: from, unmovedSince }: ExpectedRef = expected ?? there;
    await this.parts.commitToBranch.during(permitted, writer, (writing) =>
      this.#land(writing, { ref, from, to: null, fastForward: true, unmovedSince }),
    );
  }

  async #find(permitted: MayPush, ref: string): Promise<Ref | undefined> {
    const repository = await this.parts.revisions.repositoryOf(permitted);
    return repository && (await this.parts.refs.findRef(repository.id, ref));
  }

  async #land({ repository, draft, permitted, writer }: Writing, change: ExaminedChange): Promise<void> {
    // What it leads to may be nobody's any more.
    if (change.to !== null && !(await this.parts.landChanges.connected(repository, draft, [change.to])))
      throw new Unavailable('repositories');
    const changer = { level: permitted.level, admin: writer.admin };
    const landing = { changer, by: 'api', userId: writer.id, atomic: true } as const;
    const moved = await this.parts.landChanges.execute(repository, draft, landing, {
      examined: [change],
      count: (rules) => this.parts.moveRefs.countCommits(draft, repository, rules, [change]),
    });
    requireMoved(moved);
  }
}
