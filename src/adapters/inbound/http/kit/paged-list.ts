import { Type, type TSchema } from '@sinclair/typebox';
import { mapBatches, type PageInBatches } from '../../../../application/shared/page-in-batches.js';
import type { Page, PageRequest } from '../../../../domain/shared/page.js';
import { readPageRequest } from '../pagination/page-headers.js';
import { route, type Access, type Route, type RouteContext, type RouteDeclaration } from '../route.js';
import {
  pagedParameters,
  type BoundedObject,
  type BoundedProperties,
  type PagingParameters,
} from '../validation/parameters.js';

type Paged<Properties extends BoundedProperties> = ReturnType<typeof pagedParameters<Properties>>;

type Declaration<Parameters extends BoundedObject, Subject, A extends Access> = Omit<
  RouteDeclaration<Parameters, Subject, A>,
  'method' | 'parameters' | 'responses' | 'handle'
>;

export interface ListContext<Parameters extends BoundedObject, Subject, A extends Access> extends RouteContext<
  Parameters,
  Subject,
  A
> {
  /** The page that is asked for. */
  readonly page: PageRequest;
}

/** A list that is read page by page; one with large texts is read in batches. */
export interface ListDeclaration<
  Properties extends BoundedProperties,
  Subject,
  A extends Access,
  Item,
> extends Declaration<Paged<Properties>, Subject, A> {
  /** Those of the paging come with them. */
  readonly parameters: Properties;
  /** The schema of one item. */
  readonly items: TSchema;
  readonly read: (context: ListContext<Paged<Properties>, Subject, A>) => Promise<Page<Item> | PageInBatches<Item>>;
  readonly present: (item: Item, context: RouteContext<Paged<Properties>, Subject, A>) => unknown;
}

/** Declares a GET of a list: its parameters of paging, its headers, and how one item is shown. */
export const pagedList = <Properties extends BoundedProperties, A extends Access, Item, Subject = undefined>({
  parameters,
  items,
  read,
  present,
  ...declaration
}: ListDeclaration<Properties, Subject, A, Item>): Route =>
  route<Paged<Properties>, A, Subject>({
    ...declaration,
    method: 'get',
    parameters: pagedParameters(parameters) as Paged<Properties>,
    responses: { 200: Type.Array(items) },
    handle: async (context) => {
      const request = readPageRequest(context.parameters as unknown as PagingParameters);
      const page = await read({ ...context, page: request });
      const shown = (item: Item) => present(item, context);
      const of = { request, of: page };
      return 'batches' in page
        ? { batches: mapBatches(page.batches, shown), page: of }
        : { body: page.items.map(shown), page: of };
    },
  });
