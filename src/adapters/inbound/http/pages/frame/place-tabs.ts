import {
  GROUP_PERMISSIONS,
  isOffered,
  type GroupPermission,
  type JudgedProject,
  type ProjectPermission,
} from '../../../../../domain/workspace/workspace-policy.js';

/** Pages that share a tab, which leads to the first of them that the viewer may open. */
export type SharedTab = 'planning' | 'ci' | 'settings';

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
  /** Where it is one of the sections that share a tab. */
  readonly within?: SharedTab;
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
  /** Those that share the open tab. */
  readonly sections: readonly ShownTab[];
  readonly sectionsLabel: string;
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
  const here = open.find(({ name }) => name === current);
  const shown = ({ name, label, to }: PlaceTab<Permission>): ShownTab => ({
    label,
    href: to === '' ? address : `${address}/-/${to}`,
    current: name === current,
  });
  const sharing = (tab: PlaceTab<Permission>) => open.filter(({ within }) => within === tab.within);
  const isFirst = (tab: PlaceTab<Permission>): boolean => tab.within === undefined || sharing(tab)[0] === tab;
  const asTab = (tab: PlaceTab<Permission>): ShownTab =>
    tab.within === undefined
      ? shown(tab)
      : { ...shown(tab), label: labelOf(tab, tab.within), current: tab.within === here?.within };
  const sections = here?.within === undefined ? [] : sharing(here);
  return {
    tabs: settingsLast(open.filter(isFirst)).map(asTab),
    sections: sections.length > 1 ? sections.map(shown) : [],
    sectionsLabel: here?.within === undefined ? '' : labelOf(sections[0] ?? here, here.within),
  };
};

const settingsLast = <Tab extends { readonly within?: SharedTab }>(tabs: readonly Tab[]): readonly Tab[] => [
  ...tabs.filter(({ within }) => within !== 'settings'),
  ...tabs.filter(({ within }) => within === 'settings'),
];

/** A tab that several share is called as the first of them, but for the settings: which of those is the first differs by level. */
const labelOf = ({ label }: { readonly label: string }, within: SharedTab): string =>
  within === 'settings' ? 'Settings' : label;
