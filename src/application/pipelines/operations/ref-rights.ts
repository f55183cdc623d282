import { branchRights, isProtectedTag, mayCreateTag } from '../../../domain/repositories/protected-ref.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { ProtectedRefRepository } from '../../repositories/ports/repository-repositories.js';
import type { UserActor } from '../../shared/actor.js';

export type Protections = Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;

/** A branch or tag by its short name. */
export interface NamedRef {
  readonly ref: string;
  readonly tag: boolean;
}

/** Whether what runs for a branch or tag may have what is kept for protected ones. */
export const isProtectedRef = async (protections: Protections, projectId: ProjectId, { ref, tag }: NamedRef) =>
  tag
    ? isProtectedTag(ref, await protections.tagsOf(projectId))
    : branchRights(ref, await protections.branchesOf(projectId), { level: 0, admin: false }).protected;

interface WhatRuns extends NamedRef {
  /** Whether it is theirs to choose, as by variables: then to merge what others let in isn't enough. */
  readonly chosen?: boolean;
}

/** Whether somebody may have jobs run for a branch or tag: who may not change a protected one, may not. */
export const mayRunFor = async (
  protections: Protections,
  place: { readonly project: { readonly id: ProjectId }; readonly level: number },
  { admin }: Pick<UserActor, 'admin'>,
  { ref, tag, chosen = false }: WhatRuns,
): Promise<boolean> => {
  const changer = { level: place.level, admin };
  if (tag) return mayCreateTag(ref, await protections.tagsOf(place.project.id), changer);
  const { push, merge } = branchRights(ref, await protections.branchesOf(place.project.id), changer);
  return push || (merge && !chosen);
};
