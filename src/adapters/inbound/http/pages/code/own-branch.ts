import type { UserActor } from '../../../../../application/shared/actor.js';
import { branchRights } from '../../../../../domain/repositories/protected-ref.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import type { OpenPlace } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';

/** As many branches of one person as are looked at for a free name. */
const MOST_TRIED = 20;

type Parts = Pick<CodeWritingPagesParts, 'protections' | 'refReader'>;

/** Whether they may commit to a branch; else their change goes to one of their own. */
export const mayCommitTo = async (
  { protections }: Pick<Parts, 'protections'>,
  { permitted: { project, level } }: Pick<OpenPlace, 'permitted'>,
  { admin }: UserActor,
  branch: string,
): Promise<boolean> => branchRights(branch, await protections.branchesOf(project.id), { level, admin }).push;

/** A name for a new branch of theirs, as `ada-patch-1`; where they have many, one that they change. */
export const ownBranch = async (
  { refReader }: Pick<Parts, 'refReader'>,
  { repository }: Pick<OpenPlace, 'repository'>,
  { username }: UserActor,
): Promise<string> => {
  for (let number = 1; number < MOST_TRIED; number += 1) {
    const name = `${username}-patch-${number}`;
    if ((await refReader.findRef(repository.id, branchRef(name))) === undefined) return name;
  }
  return `${username}-patch-${MOST_TRIED}`;
};
