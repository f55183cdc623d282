import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { Subjects } from '../../../../../application/collaboration/subjects.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { SnippetDetails, SnippetReader } from '../../../../../application/snippets/ports/snippet-ports.js';
import type { SnippetAccess, SnippetPlace } from '../../../../../application/snippets/snippet-access.js';
import type { Snippets } from '../../../../../application/snippets/snippets.js';
import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../../web-urls.js';
import type { ReactionParts } from '../comments/reactions.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import { projectOfPage } from '../project-of-page.js';
import { sendPage, type PageData } from '../render.js';

export interface SnippetPagesParts extends ReactionParts {
  readonly access: WorkspaceAccess;
  readonly snippetAccess: SnippetAccess;
  readonly snippets: Snippets;
  readonly snippetReader: SnippetReader;
  readonly subjects: Subjects;
  readonly notes: Notes;
  readonly uploads: Uploads;
  readonly markdown: ProjectMarkdown;
  readonly urls: WebUrls;
}

/** Where snippets are, as a page shows it: in a project, or among those of people. */
export class ShownPlace {
  private constructor(
    private readonly context: PageContext,
    readonly permitted: PermittedProject<'read_snippets'> | undefined,
  ) {}

  /** @throws NotFound "Project" where the address names one that the viewer may not see. */
  static async open({ access }: SnippetPagesParts, context: PageContext): Promise<ShownPlace> {
    if (context.request.params['path'] === undefined) return new ShownPlace(context, undefined);
    return new ShownPlace(context, await projectOfPage(access, context, 'read_snippets'));
  }

  get place(): SnippetPlace {
    return this.permitted === undefined ? 'personal' : { project: this.permitted.project.fullPath };
  }

  /** The address of the list; below it are those of the snippets. */
  get address(): string {
    return this.permitted === undefined ? '/-/snippets' : `/${this.permitted.project.fullPath}/-/snippets`;
  }

  /** Whether the viewer is shown how to make one. */
  get offersNew(): boolean {
    return this.#offers('create_snippets');
  }

  /** Whether the viewer is shown how to change one. */
  offersChange({ authorId }: SnippetDetails): boolean {
    const { user } = this.context.browser;
    if (user === undefined) return false;
    const own = authorId === user.id;
    return this.permitted === undefined ? own || user.admin : this.#offers(own ? 'create_snippets' : 'manage_snippets');
  }

  #offers(permission: 'create_snippets' | 'manage_snippets'): boolean {
    if (this.context.browser.user === undefined) return false;
    return this.permitted === undefined || isOffered(this.permitted.project, this.permitted.level, permission);
  }

  async send(template: string, data: PageData): Promise<void> {
    const shown = { ...data, address: this.address };
    if (this.permitted === undefined) sendPage(this.context.response, this.context.browser, template, shown);
    else await sendProjectPage(this.context, this.permitted, template, { ...shown, tab: 'snippets' });
  }
}
