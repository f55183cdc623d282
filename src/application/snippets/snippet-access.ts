import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { identifierIn } from '../../domain/shared/identifiers.js';
import { isAuthor, maySee } from '../../domain/snippets/snippet.js';
import type { Actor } from '../shared/actor.js';
import type { SnippetDetails, SnippetProjects, SnippetReader } from './ports/snippet-ports.js';

/** Nothing has a value here: it keeps a snippet that may be read from being taken for one that may be changed. */
declare const GRANTED: unique symbol;

/** A snippet, with the proof that the caller may do this to it. `SnippetAccess` alone hands it out. */
export interface PermittedSnippet<Right extends 'read' | 'change'> {
  readonly snippet: SnippetDetails;
  readonly [GRANTED]: Right;
}

/** Where a snippet is looked for: by the segment of a path that names a project, or among those of people. */
export type SnippetPlace = { readonly project: string | undefined } | 'personal';

/** Who may see and change which snippet. One that the caller may not see does not exist for them. */
export class SnippetAccess {
  constructor(
    private readonly projects: SnippetProjects,
    private readonly reader: SnippetReader,
  ) {}

  /** @throws NotFound "Project", "Snippet". */
  async toRead(actor: Actor, place: SnippetPlace, id: string | undefined): Promise<PermittedSnippet<'read'>> {
    const { found } = await this.#find(actor, place, id);
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return found as PermittedSnippet<'read'>;
  }

  /**
   * Authors change their own; in a project maintainers change those of others, elsewhere administrators do.
   * @throws NotFound "Project", "Snippet"; Forbidden.
   */
  async toChange(actor: Actor, place: SnippetPlace, id: string | undefined): Promise<PermittedSnippet<'change'>> {
    // What its project refuses to everybody is refused before anybody looks for the snippet.
    if (place !== 'personal') await this.projects.project(actor, place.project, 'create_snippets');
    const { found, viewer } = await this.#find(actor, place, id);
    if (!isAuthor(found.snippet, viewer)) {
      if (place !== 'personal') await this.projects.project(actor, place.project, 'manage_snippets');
      else if (!viewer.admin) throw new Forbidden();
    }
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return found as PermittedSnippet<'change'>;
  }

  async #find(actor: Actor, place: SnippetPlace, id: string | undefined) {
    const permitted =
      place === 'personal' ? undefined : await this.projects.project(actor, place.project, 'read_snippets');
    const { userId, admin } = this.projects.viewer(actor);
    const viewer = { userId, admin, level: permitted?.level ?? ACCESS_LEVEL.none };
    const number = identifierIn(id);
    const snippet = number === undefined ? undefined : await this.reader.find(permitted?.project.id ?? null, number);
    if (snippet === undefined || !maySee(snippet, viewer)) throw new NotFound('Snippet');
    return { found: { snippet }, viewer };
  }
}
