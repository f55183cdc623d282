import { firstDefaultBranch } from '../../../domain/repositories/default-branch.js';
import { MAINTAINERS, matchesPattern, type RefChanger } from '../../../domain/repositories/protected-ref.js';
import {
  decidePush,
  type ChangedBy,
  type ExaminedChange,
  type PushRefusal,
  type RefRules,
} from '../../../domain/repositories/push-decision.js';
import { refPartsOf } from '../../../domain/repositories/ref-name.js';
import { NotFound } from '../../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents, PushedRef } from '../../shared/domain-events.js';
import type { RefChangers } from '../ports/ref-changers.js';
import type { HeldRepository, RefTip, RepositoriesRepositories } from '../ports/repository-repositories.js';

/** A change with all that its row and its event say. */
export interface CountedChange extends ExaminedChange {
  /** Absent for a removal. */
  readonly tip: RefTip | null;
  readonly commitCount: number;
  readonly commitTitle: string | null;
  /** As the event tells them (`PushedRef`). */
  readonly namesIssues?: boolean;
  readonly hasCiFile?: boolean;
}

export interface RefMoves {
  readonly projectId: ProjectId;
  readonly changes: readonly CountedChange[];
  readonly changer: RefChanger;
  readonly by: ChangedBy;
  readonly userId: UserId;
  /** Where a machine pushes with a key of theirs, or they come from elsewhere. */
  readonly byMachine?: true | undefined;
  readonly atomic: boolean;
  /** Of the objects that came with it. */
  readonly addedBytes: number;
  /** What whoever pushed asked for beside it, as git sends it. */
  readonly options?: readonly string[];
  /** The branch, in full, that HEAD names where they come from: the default one of a project that gets its first branches, and wants no other. */
  readonly head?: string | null;
  /** Whether what hangs on refs follows them, and nobody is told. */
  readonly quiet?: boolean;
  /** What else is true from the moment that they have moved; done before anybody is told. */
  readonly whenMoved?: () => Promise<void>;
}

export interface MovedRefs {
  /** Why a ref didn't move, in git's words. */
  readonly failures: ReadonlyMap<string, string>;
  /** Why none did. */
  readonly refused?: readonly PushRefusal[];
}

export type MovingRepositories = RepositoriesRepositories & { readonly events: DomainEvents };

export type ChangingRepositories = MovingRepositories & { readonly refChangers: RefChangers };

const LOST_RACE = 'failed to update ref';
const ATOMIC_FAILURE = 'atomic push failure';

/** Undoes a unit of work whose refs must move together. */
export class NotAllMoved extends Error {
  constructor(readonly failures: ReadonlyMap<string, string>) {
    super('Not every ref of an atomic push could move.');
  }
}

/**
 * Moves refs within the caller's unit of work, with what follows from it: default branch, its protection, kept tips, the event. Locks the
 * project and its repository first.
 * @throws NotFound "Project"; NotAllMoved, which undoes the work, where they must move together and one can't.
 */
export const moveRefsWithin = async (
  repositories: MovingRepositories,
  moves: RefMoves,
  at: Date,
): Promise<MovedRefs> => {
  const { changes, changer, by, atomic, addedBytes } = moves;
  const repository = await takeRepository(repositories, moves.projectId);
  const rules = await readRules(repositories, repository);
  const refused = decidePush(changes, changer, rules, by);
  if (refused.length > 0) return { failures: new Map(), refused: refused.map(({ reason }) => reason) };
  const failures = new Map<string, string>();
  const moved: CountedChange[] = [];
  // What is removed goes first: it may stand where a folder is to be.
  for (const change of [...changes].sort(removalsFirst)) {
    if (change.from === null && change.to === null) continue;
    const failure = await moveOne(repositories, repository, change, at);
    if (failure === undefined) moved.push(change);
    else failures.set(change.ref, failure);
  }
  if (atomic && failures.size > 0)
    throw new NotAllMoved(new Map(changes.map(({ ref }) => [ref, failures.get(ref) ?? ATOMIC_FAILURE])));
  if (moved.length === 0) return { failures };
  if (rules.empty) await chooseDefaultBranch(repositories, repository, { moved, head: moves.head }, at);
  await repositories.repositories.recordPush(repository.id, addedBytes, at);
  await moves.whenMoved?.();
  await tell(repositories, moves, moved, at);
  return { failures };
};

/**
 * The same by what the caller may do when their refs move: commits take a while to be made, and so may the wait before, in which people
 * are removed, lowered or blocked.
 */
export const moveRefsByRightsNow = async (
  repositories: ChangingRepositories,
  moves: Omit<RefMoves, 'changer'>,
  at: Date,
): Promise<MovedRefs> => {
  const today = at.toISOString().slice(0, 10);
  const changer = await repositories.refChangers.find(moves.userId, moves.projectId, today);
  return moveRefsWithin(repositories, { ...moves, changer }, at);
};

const removalsFirst = (one: ExaminedChange, other: ExaminedChange): number =>
  Number(one.to !== null) - Number(other.to !== null);

const takeRepository = async ({ repositories }: MovingRepositories, projectId: ProjectId): Promise<HeldRepository> => {
  const repository = await repositories.take(projectId);
  if (repository === undefined) throw new NotFound('Project');
  return repository;
};

const readRules = async (
  { refs, protectedRefs }: MovingRepositories,
  repository: HeldRepository,
): Promise<RefRules> => ({
  defaultBranch: repository.defaultBranch,
  archived: repository.archived,
  empty: !(await refs.hasBranches(repository.id)),
  branches: await protectedRefs.branchesOf(repository.projectId),
  tags: await protectedRefs.tagsOf(repository.projectId),
});

const moveOne = async (
  { refs }: MovingRepositories,
  { id }: HeldRepository,
  { ref, from, tip, fastForward, unmovedSince }: CountedChange,
  at: Date,
): Promise<string | undefined> => {
  const inTheWay = from === null ? await refs.conflicting(id, ref) : undefined;
  if (inTheWay !== undefined) return `'${inTheWay}' exists; cannot create '${ref}'`;
  if (!(await refs.move(id, { ref, from, to: tip, unmovedSince }))) return LOST_RACE;
  if (from !== null && (tip === null || !fastForward)) await refs.keepTip(id, { ref, target: from }, at);
  return undefined;
};

const chooseDefaultBranch = async (
  { repositories, protectedRefs }: MovingRepositories,
  repository: HeldRepository,
  { moved, head }: { readonly moved: readonly CountedChange[]; readonly head: string | null | undefined },
  at: Date,
): Promise<void> => {
  const pushed = moved.flatMap(({ ref, to }) => {
    const parts = refPartsOf(ref);
    return parts?.kind === 'branch' && to !== null ? [parts.name] : [];
  });
  const wanted = repository.defaultBranch ?? refPartsOf(head ?? '')?.name ?? null;
  const name = firstDefaultBranch(wanted, pushed);
  if (name === undefined) return;
  await repositories.setDefaultBranch(repository, name);
  const rules = await protectedRefs.branchesOf(repository.projectId);
  if (rules.some((rule) => matchesPattern(name, rule.name))) return;
  const rule = { name, pushLevel: MAINTAINERS, mergeLevel: MAINTAINERS, allowForcePush: false };
  await protectedRefs.addBranch(repository.projectId, rule, at);
};

/** Notes of git are no news: nobody is told of them. */
const tell = async (
  { events }: MovingRepositories,
  { projectId, options = [], quiet, userId: by, byMachine }: RefMoves,
  moved: readonly CountedChange[],
  at: Date,
): Promise<void> => {
  const refs = moved.flatMap(toPushedRef);
  const push = { projectId, options, by, at, ...(quiet && { quiet }), ...(byMachine && { byMachine }) };
  if (refs.length > 0) await events.publish({ kind: 'pushed', ...push, refs });
};

const toPushedRef = ({
  ref,
  from,
  to,
  fastForward,
  commitCount,
  commitTitle,
  namesIssues = true,
  hasCiFile = true,
}: CountedChange): readonly PushedRef[] => {
  const parts = refPartsOf(ref);
  if (parts === undefined) return [];
  const told = { ...parts, from, to, fastForward, commitCount, commitTitle };
  return [{ ...told, ...(!namesIssues && { namesIssues }), ...(!hasCiFile && { hasCiFile }) }];
};
