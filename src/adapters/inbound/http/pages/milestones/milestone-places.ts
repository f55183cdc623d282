import type { GroupMilestones } from '../../../../../application/planning/group-milestones.js';
import type {
  CreateMilestoneCommand,
  EditMilestoneCommand,
  Milestones,
} from '../../../../../application/planning/milestones.js';
import type { GroupMilestoneReader } from '../../../../../application/planning/ports/group-milestones.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type {
  IssueFilters,
  MilestoneDetails,
  MilestoneFilters,
  MilestoneReader,
  PlanningReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { GROUP_PERMISSIONS, isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { groupOfProject } from '../../kit/group-of-project.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { WebUrls } from '../../web-urls.js';
import type { Markup } from '../code/markup.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import type { ShownText } from '../page-texts.js';
import { joinedPath } from '../project-path.js';
import type { MarkdownText, ProjectMarkdown } from '../project-markdown.js';
import { projectOfPage } from '../project-of-page.js';
import type { PageData } from '../render.js';

export interface MilestonePagesParts {
  readonly access: WorkspaceAccess;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
  readonly groupMilestones: GroupMilestones;
  readonly groupMilestoneReader: GroupMilestoneReader;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
  readonly markdown: ProjectMarkdown;
  readonly markup: Pick<Markup, 'loose'>;
  readonly urls: WebUrls;
}
type Parts = MilestonePagesParts;

/** A project or a group, as the pages of its milestones need it. */
export interface MilestonePlace {
  readonly name: string;
  /** Of whatever it lists, such as its issues. */
  readonly base: string;
  readonly manages: boolean;
  readonly showsMergeRequests: boolean;
  /** Whether what it lists of a milestone lies in several projects. */
  readonly wide: boolean;
  /** Whether its own can be made milestones of a group. */
  readonly promotes: () => Promise<boolean>;
  /** What loses a milestone that is removed. */
  readonly losing: string;
  readonly list: (filters: MilestoneFilters) => Promise<PageInBatches<MilestoneDetails>>;
  /** One by its number there. */
  readonly find: (iid: number) => Promise<MilestoneDetails | undefined>;
  readonly isOwn: (milestone: Pick<MilestoneDetails, 'group'>) => boolean;
  /** Where issues of a milestone are listed. */
  readonly within: Pick<IssueFilters, 'projectId'>;
  readonly render: (description: ShownText) => Promise<MarkdownText>;
  /** All of a milestone, for programs. */
  readonly whole: (milestone: MilestoneDetails) => string;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

/** The same for whoever may manage its milestones. */
export interface ManagedMilestonePlace extends MilestonePlace {
  /** @returns its number. */
  readonly create: (actor: UserActor, command: CreateMilestoneCommand) => Promise<number>;
  readonly edit: (actor: UserActor, milestone: MilestoneDetails, command: EditMilestoneCommand) => Promise<void>;
  readonly remove: (actor: UserActor, milestone: MilestoneDetails) => Promise<void>;
}

/** The same pages for projects and for groups. */
export interface MilestonePlaces {
  readonly path: string;
  readonly toRead: (context: PageContext) => Promise<MilestonePlace>;
  readonly toManage: (context: PageContext) => Promise<ManagedMilestonePlace>;
}

export const MILESTONES_TAB = 'milestones';
export const addressOf = ({ base }: Pick<MilestonePlace, 'base'>, iid?: number): string =>
  `${base}/milestones${iid === undefined ? '' : `/${iid}`}`;

/** The group of a project, for whoever may manage its milestones. @throws NotFound also where there is none. */
export const groupAbove = (
  access: WorkspaceAccess,
  { browser }: PageContext,
  project: Project,
): Promise<Permitted<'manage_group_milestones'>> => {
  if (project.namespace.kind !== 'group') return Promise.reject(new NotFound('Group'));
  return groupOfProject(access, actorFor(browser), project, 'manage_group_milestones');
};

const numberOf = (milestone: MilestoneDetails | undefined): number => {
  if (milestone === undefined) throw new NotFound('Milestone');
  return milestone.iid;
};

/** Of a project: its own, and those of the groups above it, which are changed there. */
export const milestonesOfProjects = (parts: Parts): MilestonePlaces => {
  const { access, milestoneReader, milestones, markdown, urls } = parts;
  const find = async <P extends 'read_milestones' | 'manage_milestones'>(context: PageContext, permission: P) => {
    const { browser, places } = context;
    const holder = await projectOfPage(access, context, permission);
    const { project, level } = holder;
    const place: MilestonePlace = {
      name: project.name,
      base: `/${project.fullPath}/-`,
      manages: browser.user !== undefined && isOffered(project, level, 'manage_milestones'),
      showsMergeRequests: isOffered(project, level, 'read_merge_requests'),
      wide: false,
      promotes: async () => (await unlessRefused(groupAbove(access, context, project))) !== undefined,
      losing: 'Its issues stay, and are planned for nothing.',
      list: (filters) => milestoneReader.list({ ...filters, projectId: project.id, withThoseAbove: true }),
      find: (iid) => milestoneReader.find(project.id, { iid }),
      isOwn: ({ group }) => group === null,
      within: { projectId: project.id },
      render: (description) => markdown.render(description, browser, holder),
      whole: ({ id }) => urls.api(`/projects/${project.id}/milestones/${id}`),
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: MILESTONES_TAB }),
      frame: () => places.ofProject(browser, holder, MILESTONES_TAB),
    };
    return { holder, place };
  };
  return {
    path: '/*path/-/milestones',
    toRead: async (context) => (await find(context, 'read_milestones')).place,
    toManage: async (context) => {
      const { holder, place } = await find(context, 'manage_milestones');
      return {
        ...place,
        create: async (actor, command) => {
          const id = await milestones.create(actor, holder, command);
          return numberOf(await milestoneReader.find(holder.project.id, { id }));
        },
        edit: (actor, { id }, command) => milestones.edit(actor, holder, id, command),
        remove: (actor, { id }) => milestones.remove(actor, holder, id),
      };
    },
  };
};

/** Of a group: its own, and those of the groups above it. */
export const milestonesOfGroups = (parts: Parts): MilestonePlaces => {
  const { access, groupMilestoneReader, groupMilestones, markup, urls } = parts;
  const find = async <P extends 'read_group' | 'manage_group_milestones'>(context: PageContext, permission: P) => {
    const { browser, request, places } = context;
    const holder = await access.group(actorFor(browser), joinedPath(request), permission);
    const { group, level } = holder;
    const place: MilestonePlace = {
      name: group.name,
      base: `/groups/${group.fullPath}/-`,
      manages: browser.user !== undefined && level >= GROUP_PERMISSIONS.manage_group_milestones,
      showsMergeRequests: true,
      wide: true,
      promotes: () => Promise.resolve(false),
      losing: 'Issues and merge requests of all projects stay, and are planned for nothing.',
      list: (filters) => groupMilestoneReader.list({ ...filters, groupId: group.id, withThoseAbove: true }),
      find: (iid) => groupMilestoneReader.find(group.id, { iid }),
      isOwn: (milestone) => milestone.group?.id === group.id,
      within: {},
      render: async (description) => {
        const html = await markup.loose(`group ${group.id}`, description.text, 'loose');
        return html === undefined ? description : { ...description, html };
      },
      whole: ({ id }) => urls.api(`/groups/${group.id}/milestones/${id}`),
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: MILESTONES_TAB }),
      frame: () => places.ofGroup(browser, holder, MILESTONES_TAB),
    };
    return { holder, place };
  };
  return {
    path: '/groups/*path/-/milestones',
    toRead: async (context) => (await find(context, 'read_group')).place,
    toManage: async (context) => {
      const { holder, place } = await find(context, 'manage_group_milestones');
      return {
        ...place,
        create: async (_, command) => {
          const id = await groupMilestones.create(holder, command);
          return numberOf(await groupMilestoneReader.find(holder.group.id, { id }));
        },
        edit: (_, { id }, command) => groupMilestones.edit(holder, id, command),
        remove: (_, { id }) => groupMilestones.remove(holder, id),
      };
    },
  };
};
