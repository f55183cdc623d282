import type { GroupLabels } from '../../../../../application/planning/group-labels.js';
import type { LabelSubscriptions } from '../../../../../application/planning/label-subscriptions.js';
import type { Labels } from '../../../../../application/planning/labels.js';
import type { GroupLabelReader } from '../../../../../application/planning/ports/group-labels.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { ListedLabel, PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { userIdOf, type UserActor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { NamedLabel, UsableLabel } from '../../../../../domain/planning/label.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { GROUP_PERMISSIONS, isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { groupOfProject } from '../../kit/group-of-project.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import { projectOfPage } from '../project-of-page.js';
import type { PageData } from '../render.js';

export interface LabelPagesParts {
  readonly access: WorkspaceAccess;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
  readonly labels: Labels;
  readonly groupLabels: GroupLabels;
  readonly groupLabelReader: GroupLabelReader;
  readonly labelSubscriptions: LabelSubscriptions;
}
type Parts = LabelPagesParts;

/** A project or a group, as the pages of its labels need it. */
export interface LabelPlace {
  readonly name: string;
  /** Of whatever it lists, such as its issues. */
  readonly base: string;
  readonly manages: boolean;
  readonly showsMergeRequests: boolean;
  /** Whether its own can be made labels of a group. */
  readonly promotes: () => Promise<boolean>;
  /** What loses a label that is removed. */
  readonly losing: string;
  readonly list: (page: PageRequest) => Promise<Page<ListedLabel & { readonly openIssues?: number }>>;
  /** One of those that it lists. */
  readonly find: (id: string) => Promise<UsableLabel | undefined>;
  readonly isOwn: (label: UsableLabel) => boolean;
  readonly subscribe: (actor: UserActor, label: UsableLabel, subscribed: boolean) => Promise<boolean>;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

/** The same for whoever may manage its labels. */
export interface ManagedLabelPlace extends LabelPlace {
  readonly add: (label: NamedLabel) => Promise<NamedLabel>;
  readonly edit: (label: UsableLabel, changes: NamedLabel) => Promise<NamedLabel>;
  readonly remove: (label: UsableLabel) => Promise<void>;
}

/** The same pages for projects and for groups. */
export interface LabelPlaces {
  readonly path: string;
  readonly toRead: (context: PageContext) => Promise<LabelPlace>;
  readonly toManage: (context: PageContext) => Promise<ManagedLabelPlace>;
}

export const LABELS_TAB = 'labels';
export const addressOf = ({ base }: Pick<LabelPlace, 'base'>): string => `${base}/labels`;

/** The group of a project, for whoever may manage its labels. @throws NotFound also where there is none. */
export const groupAbove = (
  access: WorkspaceAccess,
  { browser }: PageContext,
  project: Project,
): Promise<Permitted<'manage_group_labels'>> => {
  if (project.namespace.kind !== 'group') return Promise.reject(new NotFound('Group'));
  return groupOfProject(access, actorFor(browser), project, 'manage_group_labels');
};

/** Of a project: its own, and those of the groups above it, which are changed there. */
export const labelsOfProjects = (parts: Parts): LabelPlaces => {
  const { access, planningReader, labels } = parts;
  const find = async <P extends 'read_labels' | 'manage_labels'>(context: PageContext, permission: P) => {
    const { browser, places } = context;
    const holder = await projectOfPage(access, context, permission);
    const { project, level } = holder;
    const subscriber = userIdOf(actorFor(browser));
    const place: LabelPlace = {
      name: project.name,
      base: `/${project.fullPath}/-`,
      manages: browser.user !== undefined && isOffered(project, level, 'manage_labels'),
      showsMergeRequests: isOffered(project, level, 'read_merge_requests'),
      promotes: async () => (await unlessRefused(groupAbove(access, context, project))) !== undefined,
      losing: 'Issues that have it lose it, and stay.',
      list: (page) => planningReader.listLabels(project.id, page, { subscriber }),
      find: (id) => planningReader.findLabel(project.id, id),
      isOwn: ({ group }) => group === null,
      subscribe: (actor, label, subscribed) => parts.labelSubscriptions.change(actor, holder, label, subscribed),
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: LABELS_TAB }),
      frame: () => places.ofProject(browser, holder, LABELS_TAB),
    };
    return { holder, place };
  };
  return {
    path: '/*path/-/labels',
    toRead: async (context) => (await find(context, 'read_labels')).place,
    toManage: async (context) => {
      const { holder, place } = await find(context, 'manage_labels');
      return {
        ...place,
        add: (label) => labels.add(holder, label),
        edit: (label, changes) => labels.edit(holder, label, changes),
        remove: (label) => labels.remove(holder, label),
      };
    },
  };
};

/** Of a group: its own, and those of the groups above it. */
export const labelsOfGroups = (parts: Parts): LabelPlaces => {
  const { access, groupLabelReader, groupLabels, planningOverview } = parts;
  const find = async <P extends 'read_group' | 'manage_group_labels'>(context: PageContext, permission: P) => {
    const { browser, request, places } = context;
    const asking = actorFor(browser);
    const holder = await access.group(asking, joinedPath(request), permission);
    const { group, level } = holder;
    const viewer = access.viewer(asking);
    const asked = { subscriber: userIdOf(asking), above: true, below: false, ofProjects: false };
    const place: LabelPlace = {
      name: group.name,
      base: `/groups/${group.fullPath}/-`,
      manages: browser.user !== undefined && level >= GROUP_PERMISSIONS.manage_group_labels,
      showsMergeRequests: true,
      promotes: () => Promise.resolve(false),
      losing: 'Issues and merge requests that have it, in all projects, lose it, and stay.',
      list: async (page) => {
        const found = await groupLabelReader.list(viewer, group.id, page, asked);
        const ids = found.items.map(({ id }) => id);
        const counts = await planningOverview.labelCounts(viewer, ids);
        return {
          ...found,
          items: found.items.map((label) => ({ ...label, openIssues: counts.get(label.id)?.openIssues ?? 0 })),
        };
      },
      find: (id) => groupLabelReader.find(group.id, id),
      isOwn: (label) => label.group?.id === group.id,
      subscribe: (actor, label, subscribed) =>
        parts.labelSubscriptions.changeInGroup(
          actor,
          { groupId: label.group?.id ?? group.id, id: label.id },
          subscribed,
        ),
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: LABELS_TAB }),
      frame: () => places.ofGroup(browser, holder, LABELS_TAB),
    };
    return { holder, place };
  };
  return {
    path: '/groups/*path/-/labels',
    toRead: async (context) => (await find(context, 'read_group')).place,
    toManage: async (context) => {
      const { holder, place } = await find(context, 'manage_group_labels');
      return {
        ...place,
        add: (label) => groupLabels.add(holder, label),
        edit: (label, changes) => groupLabels.edit(holder, label, changes),
        remove: (label) => groupLabels.remove(holder, label),
      };
    },
  };
};
