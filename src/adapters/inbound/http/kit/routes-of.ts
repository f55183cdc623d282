import type { TSchema } from '@sinclair/typebox';
import { route, type Access, type Method, type Route, type RouteContext, type RouteDeclaration } from '../route.js';
import { parameters as bounded, type BoundedObject, type BoundedProperties } from '../validation/parameters.js';
import { pagedList, type ListDeclaration } from './paged-list.js';

/** What the routes of a resource have in common. */
type Shared = Pick<RouteDeclaration, 'tag' | 'since' | 'scopes'>;

/** What `routesOf` adds: the name and the address, and what follows from the method. */
type Added = 'method' | 'path' | 'operationId' | 'tag' | 'since' | 'parameters' | 'responses' | 'handle';

interface Removal<Properties extends BoundedProperties, Subject, A extends Access> extends Omit<
  RouteDeclaration<BoundedObject<Properties>, Subject, A>,
  Added
> {
  readonly parameters: Properties;
  /** What it answers is the body. */
  readonly handle: (context: RouteContext<BoundedObject<Properties>, Subject, A>) => unknown;
}

interface Declaration<Properties extends BoundedProperties, Subject, A extends Access> extends Removal<
  Properties,
  Subject,
  A
> {
  /** The schema of the body. */
  readonly answer: TSchema;
}

type Declare = <Properties extends BoundedProperties, A extends Access, Subject = undefined>(
  path: string,
  operationId: string,
  declaration: Declaration<Properties, Subject, A>,
) => Route;

type Listed = 'path' | 'operationId' | 'tag' | 'since';

/**
 * Declares the routes of a resource, where they answer as most do: GET, PUT and PATCH with 200, POST with 201, DELETE with 204 and no
 * body. `route` declares one that answers otherwise.
 */
export const routesOf = (shared: Shared) => {
  const answering =
    (method: Method, status: number): Declare =>
    (path, operationId, { parameters, answer, handle, ...declaration }) =>
      route({
        ...shared,
        ...declaration,
        method,
        path,
        operationId,
        parameters: bounded(parameters),
        responses: { [status]: answer },
        handle: async (context) => ({ status, body: await handle(context) }),
      });

  const list = <Properties extends BoundedProperties, A extends Access, Item, Subject = undefined>(
    path: string,
    operationId: string,
    declaration: Omit<ListDeclaration<Properties, Subject, A, Item>, Listed>,
  ): Route =>
    pagedList({ ...shared, ...declaration, path, operationId } as ListDeclaration<Properties, Subject, A, Item>);

  const remove = <Properties extends BoundedProperties, A extends Access, Subject = undefined>(
    path: string,
    operationId: string,
    { parameters, handle, ...declaration }: Removal<Properties, Subject, A>,
  ): Route =>
    route({
      ...shared,
      ...declaration,
      method: 'delete',
      path,
      operationId,
      parameters: bounded(parameters),
      responses: { 204: null },
      handle: async (context) => {
        await handle(context);
        return { status: 204 };
      },
    });

  return {
    list,
    remove,
    get: answering('get', 200),
    post: answering('post', 201),
    put: answering('put', 200),
    patch: answering('patch', 200),
  };
};
