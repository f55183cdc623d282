import { mayRead } from '../../../../../application/workspace/may-read.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { MissingPart } from './missing-part.js';

/** A page of a project or a group. */
const PAGE_OF_PLACE = /^\/(groups\/)?([\w.-]+(?:\/[\w.-]+)*?)\/-\/./;

/**
 * For a page that is not there, in a project or a group that its reader sees: the way back to that. Undefined for anybody else, who
 * learns no more than of a place that never was.
 */
export const leadBack = async (
  { access }: { readonly access: Pick<WorkspaceAccess, 'project' | 'group'> },
  actor: Actor,
  path: string,
): Promise<MissingPart | undefined> => {
  const [, group, place = ''] = PAGE_OF_PLACE.exec(path) ?? [];
  const kind = group === undefined ? 'project' : 'group';
  if (place === '' || !(await mayRead(access, actor, kind, place))) return undefined;
  const explanation = `There is no such page in ${place}, or it is not for you to see.`;
  return new MissingPart('Page', explanation, { href: `/${group ?? ''}${place}`, words: `Back to ${place}` });
};
