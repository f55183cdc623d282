import { NotFound } from '../../../../domain/shared/domain-error.js';
import { ApiDocs, type ListedOperation } from '../openapi/api-docs-page.js';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import type { Pages } from './page.js';
import { allowLiveScript } from './page-headers.js';
import { queryText } from './page-request.js';
import { sendPage } from './render.js';

export interface ApiDocsPagesParts {
  readonly document: () => OpenApiDocument;
  readonly baseUrl: () => string;
}

const PAGE = '/api/docs';

/** As many operations as a page shows. */
const MOST = 100;

const byTag = (operations: readonly ListedOperation[]) => {
  const tags = new Map<string, ListedOperation[]>();
  for (const operation of operations) tags.set(operation.tag, [...(tags.get(operation.tag) ?? []), operation]);
  return [...tags].map(([name, all]) => ({ name, count: all.length, operations: all }));
};

/** The API to read and to search, and, where scripts run, to try. */
export const addApiDocsPages = (pages: Pages, { document, baseUrl }: ApiDocsPagesParts): void => {
  let made: ApiDocs | undefined;
  // Made when it is first asked for: the address is known by then.
  const docs = (): ApiDocs => (made ??= new ApiDocs(document(), baseUrl()));

  pages.get(PAGE, 'anyone', (context) => {
    const [search, tag] = [queryText(context, 'search'), queryText(context, 'tag')];
    const found = docs()
      .find(search)
      .filter((operation) => tag === '' || operation.tag === tag);
    if (tag !== '' && search === '' && found.length === 0) throw new NotFound('Tag');
    sendPage(context.response, context.browser, 'api-docs/list', {
      title: tag === '' ? 'The API' : `The API: ${tag}`,
      tags: byTag(found.slice(0, MOST)),
      // All tags with how many operations each has; the operations are shown of one, or where somebody searches.
      contents: search === '' && tag === '' ? byTag(found) : undefined,
      search,
      tag,
      most: MOST,
      more: found.length - MOST,
    });
  });

  pages.get(`${PAGE}/:operation`, 'anyone', ({ browser, request, response }) => {
    const operation = docs().show(String(request.params['operation']));
    if (operation === undefined) throw new NotFound('Operation');
    allowLiveScript(response);
    sendPage(response, browser, 'api-docs/operation', { title: operation.summary, operation, tries: true });
  });
};
