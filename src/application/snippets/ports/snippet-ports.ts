import type { User } from '../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../domain/shared/page.js';
import type { Snippet } from '../../../domain/snippets/snippet.js';
import type { KeptFile, PlannedFile } from '../../../domain/snippets/snippet-files.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { PermittedProject } from '../../shared/permitted.js';
import type { Actor } from '../../shared/actor.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** What a snippet was made with, and from where. */
export interface SnippetOrigin {
  readonly userAgent: string | null;
  readonly address: string | null;
}

export type SnippetFields = Pick<Snippet, 'title' | 'description' | 'visibility'>;

export interface NewSnippet extends SnippetFields {
  /** Null makes it the author's own. */
  readonly projectId: ProjectId | null;
  readonly authorId: UserId;
  readonly origin: SnippetOrigin;
  readonly createdAt: Date;
}

export interface SnippetRepository {
  add(snippet: NewSnippet): Promise<number>;
  /** Reads and locks it until the transaction ends. */
  take(id: number): Promise<Snippet | undefined>;
  update(id: number, fields: SnippetFields, at: Date): Promise<void>;
  filesOf(id: number): Promise<readonly KeptFile[]>;
  /** Makes the files what is planned. */
  saveFiles(id: number, before: readonly KeptFile[], after: readonly PlannedFile[]): Promise<void>;
  remove(id: number): Promise<void>;
  /** Removes some of a project's, and returns how many. */
  removeOfProject(projectId: ProjectId, most: number): Promise<number>;
}

/** A snippet with everything that is shown of it but the content of its files. */
export interface SnippetDetails extends Snippet {
  readonly projectPath: string | null;
  readonly author: Pick<User, 'id' | 'username' | 'name' | 'state'> | null;
  /** Its paths; the first is that of the file which stands for all. */
  readonly files: readonly string[];
}

export interface SnippetFile {
  readonly path: string;
  readonly content: string;
}

export interface SnippetQuery {
  /** Snippets that they may not see are left out. */
  readonly viewer: Viewer;
  /** `own` are the viewer's personal ones, `public` the public ones of people, `all` everything that they see. */
  readonly of: 'own' | 'public' | 'all' | ProjectId;
  /** Part of the title. */
  readonly search?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly page: PageRequest;
}

export interface SnippetReader {
  /** @param projectId null for a person's own. */
  find(projectId: ProjectId | null, id: number): Promise<SnippetDetails | undefined>;
  /** Those of these ids that are of a project. */
  ofProjects(ids: readonly number[]): Promise<readonly SnippetDetails[]>;
  /** The newest first. */
  list(query: SnippetQuery): Promise<PageInBatches<SnippetDetails>>;
  /** One of its files, or the first of them. */
  file(id: number, path?: string): Promise<SnippetFile | undefined>;
  files(id: number): Promise<readonly SnippetFile[]>;
  origin(id: number): Promise<SnippetOrigin | undefined>;
}

/** Who may do what in projects. */
export interface SnippetProjects {
  viewer(actor: Actor): Viewer;
  project<P extends 'read_snippets' | 'create_snippets' | 'manage_snippets'>(
    actor: Actor,
    id: string | undefined,
    permission: P,
  ): Promise<PermittedProject<P>>;
}
