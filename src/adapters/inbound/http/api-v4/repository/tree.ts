import { Type } from '@sinclair/typebox';
import { LRUCache } from 'lru-cache';
import type { ListedEntry, ListedTree } from '../../../../../application/repositories/ports/object-stores.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { HttpError } from '../../http-error.js';
import { KeptJson } from '../../kept-json.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { component } from '../../openapi/component.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { oneOf, pagedParameters, text } from '../../validation/parameters.js';
import { inCode, MAX_NAME, plainPath, REF, revisionOf, type CodeRoutesParts } from './code-routes-parts.js';

const TreeEntrySchema = component(
  'schemas/TreeEntry',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String({ description: 'tree, blob, or commit for a submodule' }),
    path: Type.String(),
    mode: Type.String({ description: 'Six digits' }),
  }),
);

const BATCH = 1_000;
/** Bytes of pages, of what they are kept by, and of what each takes beside. */
const MOST_KEPT = 16 * 1024 * 1024;
const BESIDE_PAGE = 1_024;

const present = ({ id, type, path, mode }: ListedEntry) => ({
  id,
  name: path.slice(path.lastIndexOf('/') + 1),
  type,
  path,
  mode: mode.padStart(6, '0'),
});

async function* inBatches(tree: ListedTree): AsyncGenerator<readonly unknown[]> {
  for (let at = 0; at < tree.length; at += BATCH)
    yield await Promise.resolve(tree.entries(at, at + BATCH).map(present));
}

/** From behind the entry that a token names; one that is gone by now begins at the start. */
const keysetPage = (tree: ListedTree, perPage: number, token: string | undefined): RouteResult => {
  const from = token === undefined ? 0 : tree.find(token) + 1;
  const items = tree.entries(from, from + perPage);
  const last = tree.length > from + perPage ? items.at(-1)?.path : undefined;
  return {
    body: items.map(present),
    keyset: { perPage, parameter: 'page_token', ...(last === undefined ? {} : { cursor: last }) },
  };
};

/** Pages as they are sent, kept: a tree never changes, and writing one took longer than all that finds it. */
class TreePages {
  readonly #kept = new LRUCache<string, KeptJson>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ length }, key) => length + key.length + BESIDE_PAGE,
  });

  /** @param key which tree of which store, and what is above it. */
  page(tree: ListedTree, key: string, { page, perPage }: PageRequest): RouteResult {
    const [from, to] = [(page - 1) * perPage, page * perPage];
    const place = `${key} ${from} ${to}`;
    let kept = this.#kept.get(place);
    if (kept === undefined) {
      kept = new KeptJson(tree.entries(from, to).map(present));
      // Pages behind the last one have no end of numbers.
      if (from < tree.length) this.#kept.set(place, kept);
    }
    return { kept, page: { request: { page, perPage }, of: { total: tree.length, hasNext: tree.length > to } } };
  }
}

export const listTree = (parts: CodeRoutesParts): Route => {
  const pages = new TreePages();
  return route({
    method: 'get',
    path: '/projects/:id/repository/tree',
    operationId: 'listTree',
    summary: 'Files and folders',
    description:
      'Those of one folder, or with `recursive` all that is below it. `pagination=none` answers all of them at once.',
    tag: 'Repositories',
    access: 'anyone',
    parameters: pagedParameters({
      id: PROJECT_ID,
      path: Type.Optional(text(MAX_NAME, 'A folder; the top when absent')),
      ref: Type.Optional(text(MAX_NAME, REF)),
      recursive: Type.Boolean({ default: false, description: 'Whether what is in folders below is listed, too' }),
      pagination: oneOf(['legacy', 'keyset', 'none'], {
        default: 'legacy',
        description: 'By number, by token, or none',
      }),
      page_token: Type.Optional(text(MAX_NAME, 'As `Link` gave it')),
    }),
    responses: { 200: Type.Array(TreeEntrySchema) },
    guard: inCode(parts),
    handle: async ({ subject, parameters }) => {
      const { ref, recursive, pagination, page_token: token } = parameters;
      if (pagination === 'none' && !recursive) throw new HttpError(400, 'pagination=none needs recursive=true');
      const { store, commit } = await revisionOf(parts, subject, ref, 'Tree');
      const path = plainPath(parameters.path ?? '');
      const entry = await parts.objects.entryAt(store, commit.tree, path);
      if (entry?.mode !== '40000') throw new NotFound('invalid revision or path');
      const tree = await parts.history.listTree(store, commit.tree, path, { recursive });
      if (pagination === 'none') return { batches: inBatches(tree) };
      const request = readPageRequest(parameters);
      if (pagination === 'keyset') return keysetPage(tree, request.perPage, token);
      return pages.page(tree, `${store} ${entry.id} ${recursive} ${path}`, request);
    },
  });
};
