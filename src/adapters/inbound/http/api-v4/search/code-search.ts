import { Type } from '@sinclair/typebox';
import type { Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type {
  FileSearch,
  HistoryReader,
  Match,
  ObjectReader,
} from '../../../../../application/repositories/ports/object-stores.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { component } from '../../openapi/component.js';
import { pageOfList } from '../../pagination/page-of-list.js';

import type { WebUrls } from '../../web-urls.js';
import { readCommits } from '../repository/commits.js';
import { presentCommit } from '../repository/present-commit.js';
import type { Found } from './search-scopes.js';

export interface CodeSearchParts {
  readonly revisions: Revisions;
  readonly history: HistoryReader;
  readonly objects: ObjectReader;
  readonly fileSearch: FileSearch;
  readonly urls: WebUrls;
}

/** What is searched for in the code of a project, and in which version of it. */
export interface CodeQuery {
  readonly permitted: Permitted<'read_code'>;
  readonly text: string;
  readonly ref?: string;
  readonly page: PageRequest;
}

export const BlobMatchSchema = component(
  'schemas/BlobMatch',
  Type.Object({
    basename: Type.String({ description: 'The path without the ending of the file’s name' }),
    data: Type.String({ description: 'The line that was found' }),
    path: Type.String(),
    filename: Type.String({ description: 'The same as `path`' }),
    id: Type.Null(),
    ref: Type.String(),
    startline: Type.Integer(),
    project_id: Type.Integer(),
  }),
);

/** @throws NotFound where a version is asked for that isn't there; undefined for a project without code. */
const versionOf = async ({ revisions }: CodeSearchParts, { permitted, ref }: CodeQuery) => {
  const version = await revisions.find(permitted, ref);
  if (version === undefined && ref !== undefined) throw new NotFound('Reference');
  return version;
};

/** Commits by their message. */
export const findCommits = async (parts: CodeSearchParts, query: CodeQuery): Promise<Found> => {
  const version = await versionOf(parts, query);
  const start = version && { store: version.store, tips: [version.commit.id] };
  const found = await readCommits(parts, start, { message: query.text }, query.page, false);
  const { project } = query.permitted;
  return { ...found, batches: mapBatches(found.batches, ({ commit }) => presentCommit(commit, project, parts.urls)) };
};

const MOST_MATCHES = 1_000;
const LONGEST_LINE = 1_000;

const presentMatch = ({ path, line, text }: Match, ref: string, projectId: number) => ({
  basename: path.replace(/(?<=[^/])\.[^./]*$/, ''),
  data: `${text.slice(0, LONGEST_LINE).toWellFormed()}\n`,
  path,
  filename: path,
  id: null,
  ref,
  startline: line,
  project_id: projectId,
});

/** Lines of files, as many as one search finds. */
export const findBlobs = async (parts: CodeSearchParts, query: CodeQuery): Promise<Found> => {
  const version = await versionOf(parts, query);
  const text = query.text.replace(/[\r\n]+/g, ' ').trim();
  if (version === undefined || text === '') return { items: [], hasNext: false, total: 0 };
  const { store, commit, name } = version;
  const { found, cut } = await parts.fileSearch.search(store, commit.id, text, MOST_MATCHES);
  const { total, ...page } = pageOfList(found, query.page);
  const items = page.items.map((match) => presentMatch(match, name, query.permitted.project.id));
  return { ...page, items, ...(cut || total === undefined ? {} : { total }) };
};
