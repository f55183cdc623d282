import { encodeCommit } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { mayNameIssues, titleOf } from '../../domain/repositories/commit-message.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { MayTag } from './browse/revisions.js';
import type { Clock } from '../shared/ports/clock.js';
import type { LandChanges } from './land-changes.js';
import type { MoveRefs } from './move-refs.js';
import type { OpenRepository } from './open-repository.js';
import type { Draft, ObjectIntake } from './ports/object-stores.js';
import type { Repository } from './ports/repository-repositories.js';
import { requireMoved } from './refusals.js';

export interface CodeAuthor {
  readonly name: string;
  readonly email: string;
  /** Absent is now. */
  readonly at?: Date;
  /** Minutes east of UTC. */
  readonly offset?: number;
}

/** Whoever changes code by the API: commits name them. */
export interface CodeWriter extends Pick<CodeAuthor, 'name' | 'email'> {
  readonly id: UserId;
  readonly admin: boolean;
}

/** A branch that a commit is made on. */
export interface BranchPlace {
  readonly branch: string;
  /** Where it is now; null for a branch to come. */
  readonly from: ObjectId | null;
  readonly parents: readonly ObjectId[];
  /** Asked last before anything stays, where the parents were brought from another project. @throws Forbidden. */
  readonly requireOrigin?: () => Promise<unknown>;
}

export interface CommitContent {
  readonly tree: ObjectId;
  /** The tree was made of what is in the store, wherever that came from, and not of the branch and the draft alone. */
  readonly borrows?: true;
  readonly message: string;
  /** False where it is known that it has no CI file. */
  readonly hasCiFile?: boolean;
  /** Whoever commits it, where it is absent. */
  readonly author?: CodeAuthor;
}

/** What a change of code by the API works with. */
export interface Writing {
  readonly repository: Repository;
  readonly draft: Draft;
  readonly permitted: MayTag;
  readonly writer: CodeWriter;
}

interface Parts {
  readonly openRepository: OpenRepository;
  readonly intake: ObjectIntake;
  readonly landChanges: LandChanges;
  readonly moveRefs: MoveRefs;
  readonly clock: Clock;
}

/** Makes a commit and moves a branch to it, by the rules that hold for a push. */
export class CommitToBranch {
  constructor(private readonly parts: Parts) {}

  /** Hands out a draft for as long as the work lasts. @throws NotFound "Project" when it is gone; Unavailable. */
  async during<Result>(
    permitted: MayTag,
    writer: CodeWriter,
    work: (writing: Writing) => Promise<Result>,
  ): Promise<Result> {
    const repository = await this.parts.openRepository.execute(permitted.project.id);
    const draft = await this.parts.intake.draft(repository.store);
    try {
      return await work({ repository, draft, permitted, writer });
    } finally {
      await draft.settle();
    }
  }

  /** @throws Forbidden or NotPossible when a rule forbids it, or when the branch has moved meanwhile. */
  async execute(writing: Writing, place: BranchPlace, content: CommitContent): Promise<ObjectId> {
    const { repository, draft, permitted, writer } = writing;
    const at = this.parts.clock.now();
    const id = await draft.add(toObject(writing, place, content, at));
    const { branch, from, parents } = place;
    const isOneMore = parents.length === 0 || (parents.length === 1 && parents[0] === from);
    if ((content.borrows === true || !isOneMore) && !(await this.parts.landChanges.connected(repository, draft, [id])))
      throw new Unavailable('repositories');
    const follows = from === null || parents.includes(from) || (await draft.distance(from, id)).ahead === 0;
    const change = { ref: branchRef(branch), from, to: id, type: 'commit', fastForward: follows } as const;
    // Its one commit is all that is new, unless it began elsewhere.
    const counted = {
      ...change,
      tip: { target: id, peeled: null, committedAt: at },
      commitCount: 1,
      commitTitle: titleOf(content.message),
      namesIssues: mayNameIssues(content.message),
      hasCiFile: content.hasCiFile ?? true,
    };
    const changer = { level: permitted.level, admin: writer.admin };
    const landing = { changer, by: 'api', userId: writer.id, atomic: true } as const;
    const moved = await this.parts.landChanges.execute(repository, draft, landing, {
      examined: [change],
      count: async (rules) => {
        await place.requireOrigin?.();
        return isOneMore ? [counted] : this.parts.moveRefs.countCommits(draft, repository, rules, [change]);
      },
    });
    requireMoved(moved);
    return id;
  }
}

const toObject = (
  { writer }: Writing,
  { parents }: BranchPlace,
  { tree, message, author = writer }: CommitContent,
  at: Date,
) => {
  const committer = { name: writer.name, email: writer.email, at, offset: 0 };
  return encodeCommit({ tree, parents, message, author: { at, offset: 0, ...author }, committer });
};
