/** Who may do something to a protected ref: everybody from this level up; 0 is nobody, administrators included. */
export type ProtectionLevel = 0 | 30 | 40 | 60;

const NO_ONE: ProtectionLevel = 0;
export const MAINTAINERS: ProtectionLevel = 40;

const PROTECTION_LEVELS: readonly number[] = [0, 30, 40, 60] satisfies ProtectionLevel[];

export const isProtectionLevel = (level: number): level is ProtectionLevel => PROTECTION_LEVELS.includes(level);

export interface ProtectedBranch {
  /** A name, or a pattern in which `*` stands for any text. */
  readonly name: string;
  readonly pushLevel: ProtectionLevel;
  readonly mergeLevel: ProtectionLevel;
  readonly allowForcePush: boolean;
}

export interface ProtectedTag {
  readonly name: string;
  readonly createLevel: ProtectionLevel;
}

/** Somebody who changes refs. An administrator has the level of an owner. */
export interface RefChanger {
  readonly level: number;
  readonly admin: boolean;
  /** The level that counts where something is protected, if it is another one. */
  readonly protectedLevel?: number;
  /** Branches that they were invited to push to, though their level isn't enough. */
  readonly invitedTo?: ReadonlySet<string>;
}

/** What the protection of a branch lets somebody do. */
export interface BranchRights {
  readonly protected: boolean;
  readonly push: boolean;
  readonly merge: boolean;
  readonly forcePush: boolean;
}

const ADMINISTRATORS = 60;
const DEVELOPER = 30;

/**
 * Whether a name is matched by a name or pattern. Written without a regular expression, so that no pattern makes it slow.
 */
export const matchesPattern = (name: string, pattern: string): boolean => {
  if (!pattern.includes('*')) return name === pattern;
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
};

const reaches = ({ level, admin, protectedLevel = level }: RefChanger, needed: ProtectionLevel): boolean => {
  if (needed === NO_ONE) return false;
  return needed === ADMINISTRATORS ? admin : protectedLevel >= needed;
};

/** Of several rules that match, the one that permits most decides. */
export const branchRights = (branch: string, rules: readonly ProtectedBranch[], changer: RefChanger): BranchRights => {
  const matching = rules.filter(({ name }) => matchesPattern(branch, name));
  if (matching.length === 0) {
    const developer = changer.level >= DEVELOPER;
    return { protected: false, push: developer, merge: developer, forcePush: developer };
  }
  const push = matching.some(({ pushLevel }) => reaches(changer, pushLevel));
  return {
    protected: true,
    push,
    merge: push || matching.some(({ mergeLevel }) => reaches(changer, mergeLevel)),
    forcePush: push && matching.some(({ allowForcePush }) => allowForcePush),
  };
};

/** The least level that may push to a branch, or make a tag; those of administrators alone are above all others. */
export const leastLevel = (
  name: string,
  levels: readonly (readonly [pattern: string, level: ProtectionLevel])[],
): number => {
  const matching = levels.filter(([pattern]) => matchesPattern(name, pattern));
  if (matching.length === 0) return DEVELOPER;
  return Math.min(...matching.map(([, level]) => (level === NO_ONE ? ADMINISTRATORS : level)));
};

export const isProtectedTag = (tag: string, rules: readonly ProtectedTag[]): boolean =>
  rules.some(({ name }) => matchesPattern(tag, name));

/** Whether somebody may create a tag of this name. */
export const mayCreateTag = (tag: string, rules: readonly ProtectedTag[], changer: RefChanger): boolean => {
  const matching = rules.filter(({ name }) => matchesPattern(tag, name));
  return matching.length === 0
    ? changer.level >= DEVELOPER
    : matching.some(({ createLevel }) => reaches(changer, createLevel));
};
