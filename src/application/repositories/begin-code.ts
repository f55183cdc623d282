import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { encodeCommit } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, isRefName } from '../../domain/repositories/ref-name.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { DomainError, Invalid, NotFound, Unavailable } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { CodeWriter } from './commit-to-branch.js';
import { DraftTree } from './draft-tree.js';
import { moveRefsWithin, type MovingRepositories } from './operations/move-refs-within.js';
import type { Draft, ObjectIntake, ObjectReader, StoreKeeper, StoreName } from './ports/object-stores.js';
import type { Repository } from './ports/repository-repositories.js';
import type { ProjectRefs } from './project-refs.js';
import { requireMoved } from './refusals.js';

const MESSAGE = 'Initial commit';

export interface FirstFile {
  /** Null for the one that branches are called by unless told. */
  readonly branch: string | null;
  readonly path: string;
  readonly text: string;
}

/** Gives a project its code within the unit of work that makes the project. */
export type Begin = (repositories: MovingRepositories, projectId: ProjectId) => Promise<void>;

interface Parts {
  readonly keeper: StoreKeeper;
  readonly intake: ObjectIntake;
  readonly objects: ObjectReader;
  readonly projectRefs: Pick<ProjectRefs, 'soon'>;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester };
  readonly clock: Clock;
}

/**
 * Makes a project that begins with a commit. Its objects are on disk before there is a project, and its rows come with those of the
 * project: both are there, or neither is.
 */
export class BeginCode {
  constructor(private readonly parts: Parts) {}

  /**
   * @param make makes the project, and begins its code in the same unit of work.
   * @throws Invalid at `default_branch`, Unavailable, and what `make` throws: no repository is left then.
   */
  async execute<Result>(
    writer: CodeWriter,
    { branch: wanted, path, text }: FirstFile,
    make: (begin: Begin) => Promise<Result>,
  ): Promise<Result> {
    const branch = wanted ?? DEFAULT_BRANCH;
    if (!isRefName(branchRef(branch))) throw new Invalid({ default_branch: ['is not a valid name of a branch'] });
    const { keeper, secrecy } = this.parts;
    await keeper.ready();
    const store = secrecy.digester.digest(secrecy.secrets.token());
    await keeper.create(store);
    try {
      return await this.#during(store, writer, { branch, path, text }, make);
    } catch (error) {
      // Refused: no row was written. After any other failure rows may be there, and need the folder; one that stays for nothing holds next to nothing.
      if (error instanceof DomainError && !(error instanceof Unavailable))
        await keeper.remove(store).catch(() => undefined);
      throw error;
    }
  }

  async #during<Result>(
    store: StoreName,
    writer: CodeWriter,
    { branch, ...file }: FirstFile & { readonly branch: string },
    make: (begin: Begin) => Promise<Result>,
  ): Promise<Result> {
    const { intake, projectRefs, clock } = this.parts;
    const draft = await intake.draft(store);
    const at = clock.now();
    try {
      const commit = await this.#commit(writer, { store, draft }, file, at);
      await draft.keep();
      let made: Repository | undefined;
      const result = await make(async (repositories, projectId) => {
        made = await repositories.repositories.open(projectId, store, at);
        if (made === undefined) throw new NotFound('Project');
        const change = { ref: branchRef(branch), from: null, to: commit, type: 'commit', fastForward: true } as const;
        const tip = { target: commit, peeled: null, committedAt: at };
        const moved = await moveRefsWithin(
          repositories,
          {
            projectId,
            changes: [{ ...change, tip, commitCount: 1, commitTitle: MESSAGE }],
            // Whoever makes a project says what it begins with, whatever they may do there afterwards.
            changer: { level: ACCESS_LEVEL.owner, admin: false },
            by: 'api',
            userId: writer.id,
            atomic: true,
            addedBytes: draft.size,
          },
          at,
        );
        requireMoved(moved);
      });
      if (made !== undefined) projectRefs.soon(made);
      return result;
    } finally {
      await draft.settle();
    }
  }

  async #commit(
    { name, email }: CodeWriter,
    { store, draft }: { readonly store: StoreName; readonly draft: Draft },
    { path, text }: Omit<FirstFile, 'branch'>,
    at: Date,
  ): Promise<ObjectId> {
    const tree = new DraftTree(this.parts.objects, { store }, draft, null);
    await tree.apply({ kind: 'create', path, content: new TextEncoder().encode(text), executable: false });
    const author = { name, email, at, offset: 0 };
    return draft.add(
      encodeCommit({ tree: await tree.write(), parents: [], message: MESSAGE, author, committer: author }),
    );
  }
}
