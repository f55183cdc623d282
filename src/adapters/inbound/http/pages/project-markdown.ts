import type { Actor } from '../../../../application/shared/actor.js';
import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type {
  MilestoneDetails,
  MilestoneQuery,
  MilestoneReader,
  PlanningReader,
} from '../../../../application/planning/ports/planning-readers.js';
import type { MergeRequestReader } from '../../../../application/review/ports/merge-request-ports.js';
import type { Viewer, WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { isOffered } from '../../../../domain/workspace/workspace-policy.js';
import type { NamedCommits } from '../../../../application/repositories/browse/named-commits.js';
import type { ObjectId } from '../../../../domain/repositories/object-id.js';
import { unlessRefused } from '../kit/unless-refused.js';
import { milestonePath } from '../milestone-path.js';
import type { WebUrls } from '../web-urls.js';
import { actorFor } from './page-request.js';
import type { Browser } from './page-session.js';
import { DEFAULT_BRANCH } from '../../../../domain/repositories/default-branch.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import { MARKUP_BYTES, projectOwner, type Markup } from './code/markup.js';
import type { MarkdownPlace } from './code/markup-worker.js';
import { CodeAddresses } from './code/code-addresses.js';
import { linkedTextNaming, type TextPiece } from './linked-text.js';
import { cutAt, type ShownText } from './page-texts.js';

export interface ProjectMarkdownParts {
  readonly markup: Markup;
  readonly planningReader: PlanningReader;
  readonly milestoneReader: MilestoneReader;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'list'>;
  readonly users: UserReader;
  readonly reader: Pick<WorkspaceReader, 'groupNames'>;
  readonly access: WorkspaceAccess;
  readonly namedCommits: NamedCommits;
  readonly urls: WebUrls;
}

/** What people call things by in a text: `#12`, `!3`, `%1`, `@name`, and of another project `group/project#12`. See `markup-thread.js`. */
const REFERENCE =
  /(?<![\w/&.#%@!-])((?:[A-Za-z0-9_][\w.-]{0,254}\/)+[A-Za-z0-9_][\w.-]{0,254})?([#!%@])([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})/g;
const COMMIT = /(?<![\w/&.#%@!-])[0-9a-f]{40}(?!\w)/g;
/** Of each kind, in all texts of a page. */
const MOST_REFERENCES = 50;
const MOST_COMMITS = 20;
const MOST_PROJECTS = 10;
/** Of a text that is no Markdown; what is beyond is shown without links. */
const MOST_LINKED = 65_536;
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

/** A file in Markdown, and where its links lead. */
interface MarkdownFile {
  readonly id: ObjectId;
  readonly text: string;
  readonly links: MarkdownPlace;
}

/** HTML of a file; undefined where it is to be shown as it was written. */
export type RenderFile = (file: MarkdownFile) => Promise<string | undefined>;

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

  async renderFor(actor: Actor, texts: readonly ShownText[], place: PlaceOfText): Promise<readonly MarkdownText[]> {
    const { project, level, base = '', owner = projectOwner(project.id) } = place;
    const viewer = this.parts.access.viewer(actor);
    const named = await this.#references(texts, place, { actor, viewer });
    const references = Object.fromEntries(Object.entries(named).map(([name, path]) => [name, base + path]));
    const addresses = new CodeAddresses(project.fullPath);
    const branch = project.defaultBranch ?? DEFAULT_BRANCH;
    const links = {
      blobs: base + addresses.of('blob', branch),
      raws: base + addresses.of('raw', branch),
      folder: '',
      site: base,
      project: `/${project.fullPath}`,
      references,
      closed: this.#closedTo(project, level),
      ...(base === '' ? { service: this.parts.urls.root } : {}),
    };
    // All at once, so that slow texts of others come between them once at most.
    return Promise.all(
      texts.map(async (text) => {
        const html =
          text.text.trim() === ''
            ? undefined
            : await this.parts.markup.prose(owner, text.text, { ...links, ticks: text.tasks?.form });
        return html === undefined ? text : { ...text, html };
      }),
    );
  }

  /** Makes HTML of files in Markdown that lie in the code of a project, for one reader. */
  ofFiles(actor: Actor, { project, level }: PlaceOfText): RenderFile {
    const { markup, access } = this.parts;
    return async ({ id, text, links }) => {
      if (text.length > MARKUP_BYTES) return undefined;
      const viewer = access.viewer(actor);
      const references = await this.#references([{ text, cut: false }], { project, level }, { actor, viewer });
      const place = { ...links, references, closed: this.#closedTo(project, level), service: this.parts.urls.root };
      return markup.markdown(projectOwner(project.id), id, text, place);
    };
  }

  /** Texts that are no Markdown, as messages of commits are, with links to what they name. */
  async linkAll(
    texts: readonly string[],
    actor: Actor,
    place: PlaceOfText,
  ): Promise<readonly (readonly TextPiece[])[]> {
    const linked = texts.map((text) => ({ text: cutAt(text, MOST_LINKED), cut: false }));
    const named = await this.#references(linked, place, { actor, viewer: this.parts.access.viewer(actor) });
    const addresses = new Map(Object.entries(named));
    return linked.map(({ text }, index) => {
      const rest = texts[index]!.slice(text.length);
      return [...linkedTextNaming(text, addresses), ...(rest === '' ? [] : [{ text: rest }])];
    });
  }

  /** Incidents link to the alert that they tell of, and not everybody may open it. */
  #closedTo(project: Project, level: number): readonly string[] {
    return isOffered(project, level, 'manage_alerts') ? [] : [this.parts.urls.alerts(project.fullPath)];
  }

  /** The addresses of what the texts name, as far as it is there for the viewer. */
  async #references(
    texts: readonly ShownText[],
    { project, level }: PlaceOfText,
    reader: Reader,
  ): Promise<Readonly<Record<string, string>>> {
    const named = namesIn(texts, project.fullPath);
    const base = `/${project.fullPath}/-`;
    const [here, elsewhere, milestones, people, commits] = await Promise.all([
      this.#inProject(named.here, project, reader.viewer),
      Promise.all([...named.elsewhere].map(([path, names]) => this.#elsewhere(path, names, reader))),
      this.#milestones([...named.here['%']], { project, level }, reader.viewer),
      this.#people([...named.here['@']]),
      this.#commits(commitsIn(texts), project, reader.actor),
    ]);
    return Object.fromEntries([
      ...here,
      ...here.map(([name, address]) => [`${project.fullPath.toLowerCase()}${name}`, address]),
      ...elsewhere.flat(),
      ...milestones,
      ...people.map((username) => [`@${username.toLowerCase()}`, `/${username}`]),
      ...commits.map((id) => [id, `${base}/commit/${id}`]),
    ]) as Record<string, string>;
  }

  async #inProject(names: NamesIn, project: Project, viewer: Viewer): Promise<readonly Reference[]> {
    const [issues, mergeRequests] = await Promise.all([
      this.#issues([...names['#']], project, viewer),
      this.#mergeRequests([...names['!']], project, viewer),
    ]);
    const base = `/${project.fullPath}/-`;
    return [
      ...issues.map((iid): Reference => [`#${iid}`, `${base}/issues/${iid}`]),
      ...mergeRequests.map((iid): Reference => [`!${iid}`, `${base}/merge_requests/${iid}`]),
    ];
  }

  /** Of a project that the text names by its path; nothing for whoever may not see it. */
  async #elsewhere(path: string, names: NamesIn, { actor, viewer }: Reader): Promise<readonly Reference[]> {
    const place = await unlessRefused(this.parts.access.project(actor, path, 'read_project'));
    if (place === undefined) return [];
    const found = await this.#inProject(names, place.project, viewer);
    return found.map(([name, address]) => [`${path}${name}`, address]);
  }

  async #commits(ids: readonly ObjectId[], { id }: Project, actor: Actor): Promise<readonly ObjectId[]> {
    if (ids.length === 0) return [];
    const code = await unlessRefused(this.parts.access.project(actor, String(id), 'read_code'));
    return code === undefined ? [] : this.parts.namedCommits.among(code, ids);
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

  /**
   * By the number of one of the project, or by a title of one word, which may be one of a group above: that is there also for whoever may
   * read none of the project.
   */
  async #milestones(
    names: readonly string[],
    { project, level }: PlaceOfText,
    viewer: Viewer,
  ): Promise<readonly Reference[]> {
    const iids = numbersIn(names);
    const titles = names.filter((name) => !/^\d+$/.test(name));
    const reads = isOffered(project, level, 'read_milestones');
    const asked = { projectId: project.id, page: REFERENCES };
    const [titled, numbered] = await Promise.all([
      titles.length === 0 ? [] : this.#listed({ ...asked, titles, withThoseAbove: true }),
      iids.length === 0 || !reads ? [] : this.#listed({ ...asked, iids }),
    ]);
    const groups = await this.#groupsSeen(titled, viewer);
    return [
      ...titled
        .filter(({ group }) => (group === null ? reads : groups.has(group.fullPath)))
        .map((each): Reference => [`%${each.title.toLowerCase()}`, milestonePath(each)]),
      ...numbered.map((each): Reference => [`%${each.iid}`, milestonePath(each)]),
    ];
  }

  /** The paths of those groups of milestones that the viewer sees: a member of a project need not see the groups that hold it. */
  async #groupsSeen(milestones: readonly MilestoneDetails[], viewer: Viewer): Promise<ReadonlyMap<string, string>> {
    const paths = [...new Set(milestones.flatMap(({ group }) => group?.fullPath ?? []))];
    return paths.length === 0 ? new Map() : this.parts.reader.groupNames(viewer, paths);
  }

  async #listed(query: MilestoneQuery): Promise<readonly MilestoneDetails[]> {
    const found: MilestoneDetails[] = [];
    const { batches } = await this.parts.milestoneReader.list(query);
    for await (const batch of batches) found.push(...batch);
    return found;
  }

  async #people(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const query = { usernames: names, orderBy: 'id', sort: 'asc', page: REFERENCES } as const;
    return (await this.parts.users.list(query)).items.map(({ username }) => username);
  }
}

type Sign = '#' | '!' | '%' | '@';
type NamesIn = Readonly<Record<Sign, Set<string>>>;
/** A name as it stands in a text, in small letters, and its address. */
type Reference = readonly [string, string];

interface Reader {
  readonly actor: Actor;
  readonly viewer: Viewer;
}

const noNames = (): NamesIn => ({ '#': new Set(), '!': new Set(), '%': new Set(), '@': new Set() });

/** What texts name of their own project, and of others by their paths, in small letters. */
const namesIn = (texts: readonly ShownText[], own: string) => {
  const here = noNames();
  const elsewhere = new Map<string, NamesIn>();
  const namesOf = (path: string | undefined): NamesIn | undefined => {
    if (path === undefined || path.toLowerCase() === own.toLowerCase()) return here;
    const known = elsewhere.get(path.toLowerCase());
    if (known !== undefined || elsewhere.size === MOST_PROJECTS) return known;
    const names = noNames();
    elsewhere.set(path.toLowerCase(), names);
    return names;
  };
  for (const { text } of texts) {
    for (const [, path, sign, name = ''] of text.matchAll(REFERENCE)) {
      const names = namesOf(path)?.[sign as Sign];
      // The end of a sentence is none of a name.
      if (names !== undefined && names.size < MOST_REFERENCES) names.add(name.replace(/[.-]+$/, ''));
    }
  }
  return { here, elsewhere };
};

const commitsIn = (texts: readonly ShownText[]): readonly ObjectId[] => {
  const found = texts.flatMap(({ text }) => text.match(COMMIT) ?? []);
  return [...new Set(found)].slice(0, MOST_COMMITS) as ObjectId[];
};

const numbersIn = (names: readonly string[]): readonly number[] =>
  names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
