import type { SnippetReader } from '../../../../../application/snippets/ports/snippet-ports.js';
import type {
  PermittedSnippet,
  SnippetAccess,
  SnippetPlace,
} from '../../../../../application/snippets/snippet-access.js';
import type { Snippets } from '../../../../../application/snippets/snippets.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { PROJECT_ID } from '../../kit/guards.js';
import type { Decide, PathParameters } from '../../route.js';
import { pathId, type BoundedProperties } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export interface SnippetRoutesParts {
  readonly access: WorkspaceAccess;
  readonly snippetAccess: SnippetAccess;
  readonly snippets: Snippets;
  readonly snippetReader: SnippetReader;
  readonly urls: WebUrls;
}

/** Where snippets are: among those of people, or in a project. */
export interface Shelf {
  readonly all: string;
  readonly one: string;
  /** The parameters of `one`. */
  readonly inPath: BoundedProperties;
  readonly idOf: (path: PathParameters) => string | undefined;
  readonly placeOf: (path: PathParameters) => SnippetPlace;
  /** For names of operations, and for people. */
  readonly noun: string;
  readonly words: string;
}

const SNIPPET_ID = pathId('Numeric id of the snippet');

export const PERSONAL: Shelf = {
  all: '/snippets',
  one: '/snippets/:id',
  inPath: { id: SNIPPET_ID },
  idOf: ({ id }) => id,
  placeOf: () => 'personal',
  noun: 'Snippet',
  words: 'a snippet',
};

export const IN_PROJECT: Shelf = {
  all: '/projects/:id/snippets',
  one: '/projects/:id/snippets/:snippet_id',
  inPath: { id: PROJECT_ID, snippet_id: SNIPPET_ID },
  idOf: ({ snippet_id: id }) => id,
  placeOf: ({ id }) => ({ project: id }),
  noun: 'ProjectSnippet',
  words: 'a snippet of a project',
};

export const toRead =
  ({ snippetAccess }: SnippetRoutesParts, { placeOf, idOf }: Shelf): Decide<PermittedSnippet<'read'>> =>
  ({ actor, path }) =>
    snippetAccess.toRead(actor, placeOf(path), idOf(path));

export const toChange =
  ({ snippetAccess }: SnippetRoutesParts, { placeOf, idOf }: Shelf): Decide<PermittedSnippet<'change'>, 'user'> =>
  ({ actor, path }) =>
    snippetAccess.toChange(actor, placeOf(path), idOf(path));
