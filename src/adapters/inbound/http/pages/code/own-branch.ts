import type { UserActor } from '../../../../../application/shared/actor.js';
import { branchRights } from '../../../../../domain/repositories/protected-ref.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import type { OpenPlace } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';

/** As many branches as are looked at for a free name. */
const MOST_TRIED = 20;

type Parts = Pick<CodeWritingPagesParts, 'protections' | 'refReader'>;

/** Whether they may commit to a branch; else their change goes to one of their own. */
export const mayCommitTo = async (
  { protections }: Pick<Parts, 'protections'>,
  { permitted: { project, level } }: Pick<OpenPlace, 'permitted'>,
  { admin }: UserActor,
  branch: string,
): Promise<boolean> => branchRights(branch, await protections.branchesOf(project.id), { level, admin }).push;

/** The first of some names that no branch has; the last one where all are taken. */
const freeName = async (
  { refReader }: Pick<Parts, 'refReader'>,
  { repository }: Pick<OpenPlace, 'repository'>,
  nameOf: (number: number) => string,
): Promise<string> => {
  for (let number = 1; number < MOST_TRIED; number += 1) {
    const name = nameOf(number);
    if ((await refReader.findRef(repository.id, branchRef(name))) === undefined) return name;
  }
  return nameOf(MOST_TRIED);
};

/** A name for a new branch of theirs, as `ada-patch-1`; where they have many, one that they change. */
export const ownBranch = (
  parts: Pick<Parts, 'refReader'>,
  place: Pick<OpenPlace, 'repository'>,
  { username }: UserActor,
): Promise<string> => freeName(parts, place, (number) => `${username}-patch-${number}`);

/** The name for a new branch, with a number where there is one of that name; after many of them one that is taken. */
export const newBranch = (
  parts: Pick<Parts, 'refReader'>,
  place: Pick<OpenPlace, 'repository'>,
  name: string,
): Promise<string> => freeName(parts, place, (number) => (number === 1 ? name : `${name}-${number}`));
