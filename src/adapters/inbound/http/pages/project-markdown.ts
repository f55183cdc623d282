import type { Actor } from '../../../../application/shared/actor.js';
import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { MilestoneReader, PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { MergeRequestReader } from '../../../../application/review/ports/merge-request-ports.js';
import type { Viewer } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { isOffered } from '../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../web-urls.js';
import { actorFor } from './page-request.js';
import type { Browser } from './page-session.js';
import { DEFAULT_BRANCH } from '../../../../domain/repositories/default-branch.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import { projectOwner, type Markup } from './code/markup.js';
import { CodeAddresses } from './code/code-addresses.js';
import type { ShownText } from './page-texts.js';

export interface ProjectMarkdownParts {
  readonly markup: Markup;
  readonly planningReader: PlanningReader;
  readonly milestoneReader: MilestoneReader;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'list'>;
  readonly users: UserReader;
  readonly access: WorkspaceAccess;
  readonly urls: WebUrls;
}

/** What people call things by in a text: `#12`, `!3`, `%1`, `@name`. */
const REFERENCE = /(?<![\w/&.#%@!-])([#!%@])([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})/g;
/** Of each kind, in all texts of a page. */
const MOST_REFERENCES = 50;
const REFERENCES = { page: 1, perPage: MOST_REFERENCES };

export type MarkdownText = ShownText & {
  /** Absent where it is to be shown as it was written. */ readonly html?: string;
};

/** Where a text stands. */
interface PlaceOfText {
  readonly project: Project;
  readonly level: number;
  /** What addresses begin with where the text is read elsewhere than on a page. */
  readonly base?: string;
  /** Whose text it is, where it is not the project's: see `Markup`. */
  readonly owner?: string;
}

/** Makes HTML of what people write about a project. What a text names is a link where its reader may open it. */
export class ProjectMarkdown {
  constructor(private readonly parts: ProjectMarkdownParts) {}

  async render(text: ShownText, browser: Browser, place: PlaceOfText): Promise<MarkdownText> {
    const [rendered] = await this.renderAll([text], browser, place);
    return rendered ?? text;
  }

  async renderAll(texts: readonly ShownText[], browser: Browser, place: PlaceOfText): Promise<readonly MarkdownText[]> {
    return this.renderFor(actorFor(browser), texts, place);
  }

  async renderFor(
    actor: Actor,
    texts: readonly ShownText[],
    { project, level, base = '', owner = projectOwner(project.id) }: PlaceOfText,
  ): Promise<readonly MarkdownText[]> {
    const viewer = this.parts.access.viewer(actor);
    const named = await this.#references(texts, project, viewer);
    const references = Object.fromEntries(Object.entries(named).map(([name, path]) => [name, base + path]));
    const addresses = new CodeAddresses(project.fullPath);
    const branch = project.defaultBranch ?? DEFAULT_BRANCH;
    const place = {
      blobs: base + addresses.of('blob', branch),
      raws: base + addresses.of('raw', branch),
      folder: '',
      site: base,
      project: `/${project.fullPath}`,
      references,
      // Incidents link to the alert that they tell of, and not everybody may open it.
      closed: isOffered(project, level, 'manage_alerts') ? [] : [this.parts.urls.alerts(project.fullPath)],
    };
    // All at once, so that slow texts of others come between them once at most.
    return Promise.all(
      texts.map(async (text) => {
        const html = text.text.trim() === '' ? undefined : await this.parts.markup.prose(owner, text.text, place);
        return html === undefined ? text : { ...text, html };
      }),
    );
  }

  /** The addresses of what the texts name, as far as it is there for the viewer. */
  async #references(
    texts: readonly ShownText[],
    project: Project,
    viewer: Viewer,
  ): Promise<Readonly<Record<string, string>>> {
    const named = namesIn(texts);
    const base = `/${project.fullPath}/-`;
    const [issues, mergeRequests, milestones, people] = await Promise.all([
      this.#issues(named['#'], project, viewer),
      this.#mergeRequests(named['!'], project, viewer),
      this.#milestones(named['%'], project),
      this.#people(named['@']),
    ]);
    return Object.fromEntries([
      ...issues.map((iid) => [`#${iid}`, `${base}/issues/${iid}`]),
      ...mergeRequests.map((iid) => [`!${iid}`, `${base}/merge_requests/${iid}`]),
      ...milestones.map((iid) => [`%${iid}`, `${base}/milestones/${iid}`]),
      ...people.map((username) => [`@${username.toLowerCase()}`, `/${username}`]),
    ]) as Record<string, string>;
  }

  async #issues(names: readonly string[], { id }: Project, viewer: Viewer): Promise<readonly number[]> {
    const iids = numbersIn(names);
    if (iids.length === 0) return [];
    const query = { viewer, projectId: id, iids, orderBy: 'created_at', sort: 'asc', page: REFERENCES } as const;
    return (await this.parts.planningReader.listIssueHeads(query)).items.map(({ iid }) => iid);
  }

  async #mergeRequests(names: readonly string[], { id }: Project, viewer: Viewer): Promise<readonly number[]> {
    const iids = numbersIn(names);
    if (iids.length === 0) return [];
    const query = { viewer, projectId: id, iids, orderBy: 'created_at', sort: 'asc', page: REFERENCES } as const;
    const found: number[] = [];
    const { batches } = await this.parts.mergeRequestReader.list(query);
    for await (const batch of batches) found.push(...batch.map(({ iid }) => iid));
    return found;
  }

  async #milestones(names: readonly string[], { id }: Project): Promise<readonly number[]> {
    const iids = numbersIn(names);
    if (iids.length === 0) return [];
    const found: number[] = [];
    const { batches } = await this.parts.milestoneReader.list({ projectId: id, iids, page: REFERENCES });
    for await (const batch of batches) found.push(...batch.map(({ iid }) => iid));
    return found;
  }

  async #people(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const query = { usernames: names, orderBy: 'id', sort: 'asc', page: REFERENCES } as const;
    return (await this.parts.users.list(query)).items.map(({ username }) => username);
  }
}

type Sign = '#' | '!' | '%' | '@';

const namesIn = (texts: readonly ShownText[]): Readonly<Record<Sign, readonly string[]>> => {
  const named = { '#': new Set<string>(), '!': new Set<string>(), '%': new Set<string>(), '@': new Set<string>() };
  for (const { text } of texts) {
    for (const [, sign, name = ''] of text.matchAll(REFERENCE)) {
      const names = named[sign as Sign];
      // The end of a sentence is none of a name.
      if (names.size < MOST_REFERENCES) names.add(name.replace(/[.-]+$/, ''));
    }
  }
  return { '#': [...named['#']], '!': [...named['!']], '%': [...named['%']], '@': [...named['@']] };
};

const numbersIn = (names: readonly string[]): readonly number[] =>
  names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
