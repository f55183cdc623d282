import {
  GROUP_PERMISSIONS,
  isOffered,
  type GroupPermission,
  type JudgedProject,
  type ProjectPermission,
} from '../../../../../domain/workspace/workspace-policy.js';

/** A page that every project or group has, as a part of the product contributes it. */
export interface PlaceTab<Permission> {
  /** What pages call it that belong to it. */
  readonly name: string;
  readonly label: string;
  /** Below the address of the place and `/-/`; empty for the place itself. */
  readonly to: string;
  /** What a viewer needs to open it: it is shown to nobody else. */
  readonly permission: Permission;
  /** Lower stands further to the front. */
  readonly order: number;
  /** Visitors are sent to sign in there. */
  readonly signedIn?: true;
  /** One of the sections that share the tab "Settings". */
  readonly settings?: true;
}

export type ProjectTab = PlaceTab<ProjectPermission>;
export type GroupTab = PlaceTab<GroupPermission>;

/** A tab as the frame shows it. */
export interface ShownTab {
  readonly label: string;
  readonly href: string;
  readonly current: boolean;
}

export interface ShownTabs {
  readonly tabs: readonly ShownTab[];
  /** Those of the settings, where one of them is open. */
  readonly sections: readonly ShownTab[];
}

/** Whose tabs are asked for, where, and which is open. */
interface Asked {
  readonly address: string;
  readonly current: string;
  readonly signedIn: boolean;
}

const byOrder = <Permission>(one: PlaceTab<Permission>, other: PlaceTab<Permission>): number => one.order - other.order;

/** The tabs of projects and groups: every part of the product adds its own before the first page is shown. */
export class PlaceTabs {
  readonly #ofProjects: ProjectTab[] = [];
  readonly #ofGroups: GroupTab[] = [];

  addToProjects(tab: ProjectTab): void {
    this.#ofProjects.push(tab);
    this.#ofProjects.sort(byOrder);
  }

  addToGroups(tab: GroupTab): void {
    this.#ofGroups.push(tab);
    this.#ofGroups.sort(byOrder);
  }

  ofProject(
    project: JudgedProject & { readonly fullPath: string; readonly archived: boolean },
    level: number,
    asked: Omit<Asked, 'address'>,
  ): ShownTabs {
    const open = this.#ofProjects.filter(({ permission }) => isOffered(project, level, permission));
    return show(open, { ...asked, address: `/${project.fullPath}` });
  }

  ofGroup(group: { readonly fullPath: string }, level: number, asked: Omit<Asked, 'address'>): ShownTabs {
    // Who sees a group may read it, whatever their level.
    const open = this.#ofGroups.filter(
      ({ permission }) => permission === 'read_group' || level >= GROUP_PERMISSIONS[permission],
    );
    return show(open, { ...asked, address: `/groups/${group.fullPath}` });
  }
}

const show = <Permission>(
  offered: readonly PlaceTab<Permission>[],
  { address, current, signedIn }: Asked,
): ShownTabs => {
  const open = offered.filter((tab) => signedIn || tab.signedIn === undefined);
  const shown = ({ name, label, to }: PlaceTab<Permission>): ShownTab => ({
    label,
    href: to === '' ? address : `${address}/-/${to}`,
    current: name === current,
  });
  const settings = open.filter((tab) => tab.settings === true);
  const inSettings = settings.some(({ name }) => name === current);
  const [first] = settings;
  return {
    tabs: [
      ...open.filter((tab) => tab.settings === undefined).map(shown),
      ...(first === undefined ? [] : [{ ...shown(first), label: 'Settings', current: inSettings }]),
    ],
    sections: inSettings && settings.length > 1 ? settings.map(shown) : [],
  };
};
