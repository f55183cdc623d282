import {
  MAINTAINERS,
  type ProtectedBranch,
  type ProtectedTag,
  type ProtectionLevel,
} from '../../domain/repositories/protected-ref.js';
import { branchRef, isRefPattern, tagRef } from '../../domain/repositories/ref-name.js';
import { NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ProtectedRefRepository } from './ports/repository-repositories.js';

type MayProtect = Permitted<'manage_protected_refs'>;
type Levels = Partial<Omit<ProtectedBranch, 'name'>>;

/** All of them are held against every branch or tag that a push changes. */
const MOST_RULES = 1_000;
/** Of those, with a `*`: these can't be told by their names. */
const MOST_PATTERNS = 100;
const MOST_WILD = 10;

/** Decides who may change which branches and tags of a project. */
export class ProtectedRefs {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly protectedRefs: ProtectedRefRepository }>,
    private readonly clock: Clock,
  ) {}

  /** @throws Unprocessable for what can't be a name, and for one rule too many; Conflict "Protected branch 'x' already exists". */
  async protectBranch({ project }: MayProtect, name: string, levels: Levels): Promise<void> {
    requirePattern(branchRef(name));
    const { pushLevel = MAINTAINERS, mergeLevel = MAINTAINERS, allowForcePush = false } = levels;
    const branch = { name, pushLevel, mergeLevel, allowForcePush };
    await this.unitOfWork.execute(async ({ protectedRefs }) => {
      await protectedRefs.hold(project.id);
      requireRoom(await protectedRefs.branchesOf(project.id), name);
      await protectedRefs.addBranch(project.id, branch, this.clock.now());
    });
  }

  /** @throws NotFound. */
  async editBranch({ project }: MayProtect, name: string, levels: Levels): Promise<void> {
    const found = await this.unitOfWork.execute(({ protectedRefs }) =>
      protectedRefs.updateBranch(project.id, name, levels),
    );
    if (!found) throw new NotFound();
  }

  /** Protects a branch, or changes how it is protected. */
  async keepBranchProtected({ project }: MayProtect, name: string, levels: Levels): Promise<void> {
    await this.unitOfWork.execute(async ({ protectedRefs }) => {
      await protectedRefs.hold(project.id);
      if (await protectedRefs.updateBranch(project.id, name, levels)) return;
      requireRoom(await protectedRefs.branchesOf(project.id), name);
      const branch: ProtectedBranch = {
        name,
        pushLevel: levels.pushLevel ?? MAINTAINERS,
        mergeLevel: levels.mergeLevel ?? MAINTAINERS,
        allowForcePush: false,
      };
      await protectedRefs.addBranch(project.id, branch, this.clock.now());
    });
  }

  /** False when there is none of that name. */
  unprotectBranch({ project }: MayProtect, name: string): Promise<boolean> {
    return this.unitOfWork.execute(({ protectedRefs }) => protectedRefs.removeBranch(project.id, name));
  }

  /** @throws Unprocessable for what can't be a name, is protected already, or is one rule too many. */
  async protectTag({ project }: MayProtect, name: string, createLevel: ProtectionLevel = MAINTAINERS): Promise<void> {
    requirePattern(tagRef(name));
    const tag: ProtectedTag = { name, createLevel };
    await this.unitOfWork.execute(async ({ protectedRefs }) => {
      await protectedRefs.hold(project.id);
      requireRoom(await protectedRefs.tagsOf(project.id), name);
      await protectedRefs.addTag(project.id, tag, this.clock.now());
    });
  }

  /** @throws NotFound. */
  async unprotectTag({ project }: MayProtect, name: string): Promise<void> {
    if (!(await this.unitOfWork.execute(({ protectedRefs }) => protectedRefs.removeTag(project.id, name))))
      throw new NotFound();
  }
}

const isWild = (name: string): boolean => name.includes('*');

const requirePattern = (ref: string): void => {
  if (!isRefPattern(ref) || ref.split('*').length - 1 > MOST_WILD) throw new Unprocessable('Name is invalid');
};

const requireRoom = (rules: readonly { readonly name: string }[], added: string): void => {
  if (rules.length >= MOST_RULES) throw new Unprocessable(`A project has at most ${MOST_RULES} rules of a kind`);
  if (isWild(added) && rules.filter(({ name }) => isWild(name)).length >= MOST_PATTERNS)
    throw new Unprocessable(`A project has at most ${MOST_PATTERNS} rules of a kind with \`*\``);
};
