import { identifierIn } from '../../../../domain/shared/identifiers.js';
import type { PermittedGroup, PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import type { GroupPermission, ProjectPermission } from '../../../../domain/workspace/workspace-policy.js';
import { pathId } from '../validation/parameters.js';
import { isStorable } from '../validation/storable-text.js';
import type { Decide, Guard, GuardContext } from '../route.js';

/** The parameter of a path below `/projects/:id`. */
export const PROJECT_ID = pathId('Number, or URL-encoded path of the project');
/** The parameter of a path below `/groups/:id`. */
export const GROUP_ID = pathId('Number, or URL-encoded path of the group');

/** The project of a path below `/projects/:id`, for callers who may do this to it (404, 403). */
export const inProject = <P extends ProjectPermission>(
  access: WorkspaceAccess,
  permission: P,
): Guard<PermittedProject<P>> => ({
  decide: ({ actor, path }) => access.project(actor, path['id'], permission),
  permission,
});

/** The group of a path below `/groups/:id`, for callers who may do this to it (404, 403). */
export const inGroup = <P extends GroupPermission>(
  access: WorkspaceAccess,
  permission: P,
): Guard<PermittedGroup<P>> => ({
  decide: ({ actor, path }) => access.group(actor, path['id'], permission),
  permission,
});

/** A parameter of the query or the body that names something, as text; undefined where it is not sent, or names nothing. */
export const namedBy = ({ sent }: GuardContext, parameter: string): string | undefined => {
  const value = sent[parameter];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined;
};

/** The same for a parameter that is an identifier. */
export const identifiedBy = <Id extends number>(context: GuardContext, parameter: string): Id | undefined => {
  const id = identifierIn<Id>(namedBy(context, parameter));
  return id === 0 ? undefined : id;
};

type Key<Name extends string> = Uncapitalize<Name>;
/** What a place is together with a thing found in it: `found('Milestone', …)` adds `milestone`. */
export type Holding<Place, Name extends string, Thing> = Place & Readonly<Record<Key<Name>, Thing>>;

/**
 * What a segment of the path names, inside the place that another guard finds: 404 names it where it isn't there.
 *
 * @param parameter the name of the segment: the number of the thing.
 */
export const found = <Name extends string, Place extends object, Id extends number, Thing>(
  name: Name,
  parameter: string,
  place: Guard<Place>,
  find: (place: Place, id: Id) => Promise<Thing | undefined>,
): Guard<Holding<Place, Name, Thing>> =>
  foundByName(name, parameter, place, async (outer, text) => {
    const id = identifierIn<Id>(text);
    return id === undefined ? undefined : find(outer, id);
  });

/** The same for a thing that is called by its number or by its name. */
export const foundByName = <Name extends string, Place extends object, Thing>(
  name: Name,
  parameter: string,
  place: Guard<Place>,
  find: (place: Place, text: string) => Promise<Thing | undefined>,
): Guard<Holding<Place, Name, Thing>> => {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  const decide: Decide<Holding<Place, Name, Thing>> = async (context) => {
    const outer = await place.decide(context);
    const thing = await find(outer, context.path[parameter] ?? '');
    if (thing === undefined) throw new NotFound(name);
    return { ...outer, [key]: thing } as Holding<Place, Name, Thing>;
  };
  return { ...place, decide };
};
