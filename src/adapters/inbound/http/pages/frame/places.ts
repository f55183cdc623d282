import { ANONYMOUS } from '../../../../../application/shared/actor.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Group, Namespace, Project } from '../../../../../domain/workspace/namespace.js';
import { actorOf, type Browser } from '../page-session.js';
import type { PlaceTabs, ShownTabs } from './place-tabs.js';

/** A step of a breadcrumb; without an address where the viewer may not open it. */
interface Crumb {
  readonly name: string;
  readonly href?: string;
}

/** What stands above a page of a project or a group: where one is, and where else one may go there. */
export interface PlaceFrame extends ShownTabs {
  readonly label: 'Project' | 'Group';
  readonly crumbs: readonly Crumb[];
  /** Its address. */
  readonly home: string;
}

/** Makes the frames of projects and groups. */
export class Places {
  constructor(
    private readonly tabs: PlaceTabs,
    private readonly reader: Pick<WorkspaceReader, 'groupNames'>,
    private readonly access: Pick<WorkspaceAccess, 'viewer'>,
  ) {}

  async ofProject(
    browser: Browser,
    { project, level }: { readonly project: Project; readonly level: number },
    current: string,
  ): Promise<PlaceFrame> {
    const { namespace } = project;
    const above = namespace.kind === 'user' ? [ofPerson(namespace)] : await this.#groups(browser, namespace.fullPath);
    return {
      label: 'Project',
      home: `/${project.fullPath}`,
      crumbs: [...above, { name: project.name, href: `/${project.fullPath}` }],
      ...this.tabs.ofProject(project, level, { current, signedIn: browser.user !== undefined }),
    };
  }

  async ofGroup(
    browser: Browser,
    { group, level }: { readonly group: Group; readonly level: number },
    current: string,
  ): Promise<PlaceFrame> {
    return {
      label: 'Group',
      home: `/groups/${group.fullPath}`,
      crumbs: await this.#groups(browser, group.fullPath),
      ...this.tabs.ofGroup(group, level, { current, signedIn: browser.user !== undefined }),
    };
  }

  /** A member of a project or subgroup need not see the groups that hold it. */
  async #groups(browser: Browser, fullPath: string): Promise<readonly Crumb[]> {
    const names = fullPath.split('/');
    const paths = names.map((_name, index) => names.slice(0, index + 1).join('/'));
    const viewer = this.access.viewer(browser.user === undefined ? ANONYMOUS : actorOf(browser));
    const seen = await this.reader.groupNames(viewer, paths);
    return paths.map((path, index) => {
      const name = seen.get(path);
      return name === undefined ? { name: names[index] ?? '' } : { name, href: `/groups/${path}` };
    });
  }
}

const ofPerson = ({ name, fullPath }: Namespace): Crumb => ({ name, href: `/${fullPath}` });
