import { DEFAULT_BRANCH } from '../../../domain/repositories/default-branch.js';
import { isObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef } from '../../../domain/repositories/ref-name.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { Permitted } from '../../shared/permitted.js';
import type { Commit, ObjectReader, StoreKeeper, StoreName, Tag } from '../ports/object-stores.js';
import type { RefReader, ResolvedRef } from '../ports/ref-reader.js';
import type { Ref, Repository } from '../ports/repository-repositories.js';

/** Whoever makes releases makes tags for them: releases are never more open than the code. */
export type MayTag = Permitted<'push_code' | 'write_releases'>;

/** Whoever may change code may read it. */
export type PermittedCode = Permitted<
  'read_code' | 'push_code' | 'set_commit_statuses' | 'read_releases' | 'write_releases'
>;

/** A commit that somebody named. */
export interface Revision {
  readonly store: StoreName;
  readonly repositoryId: number;
  /** As it was named; the default branch where it was not. */
  readonly name: string;
  readonly commit: Commit;
}

/** @throws Unavailable where a ref leads to a commit that the store has lost: it is not as if nobody had pushed it. */
export const requireNoCommit = ({ name, committedAt }: Ref): void => {
  if (committedAt !== null) throw new Unavailable('repositories', { cause: new Error(`${name} leads to nothing.`) });
};

/** The tag object of an annotated tag; undefined for a plain one. @throws Unavailable where the store has lost it. */
export const annotationOf = async (objects: ObjectReader, store: StoreName, ref: Ref): Promise<Tag | undefined> => {
  if (ref.peeled === null) return undefined;
  const annotation = await objects.tag(store, ref.target);
  if (annotation === undefined) requireNoCommit(ref);
  return annotation;
};

type Project = PermittedCode['project'];

const defaultBranchOf = ({ defaultBranch }: Project): string => defaultBranch ?? DEFAULT_BRANCH;

const refNameOf = (project: Project, name: string | undefined): string =>
  name === undefined || name === 'HEAD' ? branchRef(defaultBranchOf(project)) : name;

/** Finds what people mean by a revision: a branch, a tag, `HEAD`, or the id of a commit, in full or its beginning. */
export class Revisions {
  constructor(
    private readonly refs: RefReader,
    private readonly objects: ObjectReader,
    private readonly keeper: StoreKeeper,
  ) {}

  /** Undefined for a project that nothing was pushed to. @throws Unavailable. */
  async repositoryOf({ project }: PermittedCode): Promise<Repository | undefined> {
    const repository = await this.refs.findRepository(project.id);
    if (repository !== undefined) await this.keeper.ready();
    return repository;
  }

  /** @param name absent for the default branch. @throws Unavailable. */
  async find({ project }: PermittedCode, name?: string): Promise<Revision | undefined> {
    const found = await this.refs.resolveIn(project.id, refNameOf(project, name));
    if (found === undefined) return undefined;
    await this.keeper.ready();
    return this.#revisionOf(found, project, name);
  }

  async findIn(repository: Repository, { project }: PermittedCode, name?: string): Promise<Revision | undefined> {
    const ref = await this.refs.resolve(repository.id, refNameOf(project, name));
    return this.#revisionOf({ repository, ref }, project, name);
  }

  async #revisionOf({ repository, ref }: ResolvedRef, project: Project, name?: string): Promise<Revision | undefined> {
    const { id, store } = repository;
    const text = refNameOf(project, name).toLowerCase();
    // A whole id is that of its commit, whatever refs are called: who names one relies on nobody's putting another in its place.
    const whole = isObjectId(text) ? await this.objects.commit(store, text) : undefined;
    const commit = whole ?? (await this.#commitOf(store, ref, text));
    return commit && { store, repositoryId: id, name: name ?? defaultBranchOf(project), commit };
  }

  /** The commit that a ref leads to, else the one whose id begins with a text. */
  async #commitOf(store: StoreName, ref: Ref | undefined, text: string): Promise<Commit | undefined> {
    const target = ref?.target ?? (isObjectId(text) ? undefined : await this.objects.expand(store, text));
    const commit = target === undefined ? undefined : await this.objects.commit(store, target);
    if (ref !== undefined && commit === undefined) requireNoCommit(ref);
    return commit;
  }
}
