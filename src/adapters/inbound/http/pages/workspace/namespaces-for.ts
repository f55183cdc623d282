import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { PageContext } from '../page-context.js';
import { queryText } from '../page-request.js';
import { actorOf } from '../page-session.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = Pick<WorkspacePagesParts, 'reader' | 'access'>;

const OFFERED = { page: 1, perPage: 100 };

/** Where somebody may create projects: a hundred at most are offered, and the one that the address names. */
export const namespacesFor = async ({ reader, access }: Parts, context: PageContext) => {
  const actor = actorOf(context.browser);
  const viewer = access.viewer(actor);
  const order = { orderBy: 'path', sort: 'asc', page: OFFERED } as const;
  const [own, { items }, wanted] = await Promise.all([
    reader.findPersonalNamespace(actor.id),
    reader.listGroups({ viewer, minAccessLevel: ACCESS_LEVEL.developer, ...order }),
    wantedNamespace({ reader, access }, context),
  ]);
  const all = [...(wanted === undefined ? [] : [wanted]), ...(own === undefined ? [] : [own]), ...items];
  return { wanted, options: [...new Map(all.map(({ id, fullPath }) => [String(id), fullPath]))] };
};

const wantedNamespace = async ({ reader, access }: Parts, context: PageContext) => {
  const path = queryText(context, 'namespace');
  if (path === '') return undefined;
  // What they may not see answers as what isn't there.
  const found = orNotFound(await reader.findNamespaceByPath(path), 'Namespace');
  await access.namespaceForProjects(actorOf(context.browser), found.id);
  return found;
};
