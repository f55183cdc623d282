import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Projects } from '../../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  MERGE_METHODS,
  MOST_APPROVALS,
  SQUASH_OPTIONS,
  type MergeMethod,
  type SquashOption,
} from '../../../../../domain/review/merge-request.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';

export interface MergeSettingsParts {
  readonly access: WorkspaceAccess;
  readonly projects: Projects;
}

const METHOD_WORDS: Readonly<Record<MergeMethod, string>> = {
  merge: 'Merge commit: always',
  rebase_merge: 'Merge commit: only upon the newest commit of the target branch',
  ff: 'Fast-forward: no merge commit',
};

const SQUASH_WORDS: Readonly<Record<SquashOption, string>> = {
  never: 'Never',
  default_off: 'Whoever opens or merges decides; not unless they say so',
  default_on: 'Whoever opens or merges decides; unless they say otherwise',
  always: 'Always',
};

/** Settings that are on or off, in the words of the page. */
const SWITCHES = [
  ['discussionsMustBeResolved', 'Every thread must be resolved before merging'],
  ['resetApprovalsOnPush', 'New commits, or another target branch, take approvals back'],
  ['removeSourceBranch', 'Propose to delete the source branch'],
  ['autocloseIssues', 'Close the issues that a merge request says it closes'],
  ['tellsAfterPush', 'Answer a push with the address of its merge request'],
] as const;

const optionsOf = <Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>) =>
  values.map((value) => [value, words[value]] as const);

/** @throws BadRequest for what the page doesn't offer. */
const chosen = <Value extends string>({ request }: PageContext, name: string, values: readonly Value[]): Value => {
  const value = values.find((each) => each === field(request, name));
  if (value === undefined) throw new BadRequest(`${name} is not one of the choices`);
  return value;
};

/** @throws Invalid. */
const approvalsIn = ({ request }: PageContext): number => {
  const text = field(request, 'approvals').trim();
  if (!/^\d{1,3}$/.test(text) || Number(text) > MOST_APPROVALS)
    throw new Invalid({ approvals: [`must be a number from 0 to ${MOST_APPROVALS}`] });
  return Number(text);
};

const switchesIn = ({ request }: PageContext) => {
  const on = (name: (typeof SWITCHES)[number][0]): boolean => field(request, name) === 'true';
  return {
    discussionsMustBeResolved: on('discussionsMustBeResolved'),
    resetApprovalsOnPush: on('resetApprovalsOnPush'),
    removeSourceBranch: on('removeSourceBranch'),
    autocloseIssues: on('autocloseIssues'),
    tellsAfterPush: on('tellsAfterPush'),
  };
};

const settingsIn = (context: PageContext) => ({
  method: chosen(context, 'method', MERGE_METHODS),
  squash: chosen(context, 'squash', SQUASH_OPTIONS),
  approvalsRequired: approvalsIn(context),
  ...switchesIn(context),
});

/** What the form holds: what was sent, where it was refused. */
const shown = (context: PageContext, { project: { merging } }: PermittedProject<'manage_project'>) => {
  if (context.request.method !== 'POST') return { ...merging, approvals: String(merging.approvalsRequired) };
  const sent = (name: string): string => field(context.request, name);
  return { ...switchesIn(context), method: sent('method'), squash: sent('squash'), approvals: sent('approvals') };
};

/** Settings > Merge requests: how a project takes changes, and what has to be there before. */
export const addMergeSettingsPage = (pages: Pages, { access, projects }: MergeSettingsParts): void => {
  pages.tabs.addToProjects({
    name: 'merge-settings',
    label: 'Merge requests',
    to: 'settings/merge_requests',
    permission: 'manage_project',
    order: 76,
    within: 'settings',
    signedIn: true,
  });
  addFormPage<PermittedProject<'manage_project'>>(pages, {
    path: '/*path/-/settings/merge_requests',
    find: (context) => projectOfPage(access, context, 'manage_project'),
    show: (context, place, refusal) =>
      sendProjectPage(context, place, 'merge-settings', {
        tab: 'merge-settings',
        title: `Merge request settings of ${place.project.name}`,
        address: `/${place.project.fullPath}/-/settings/merge_requests`,
        form: shown(context, place),
        methods: optionsOf(MERGE_METHODS, METHOD_WORDS),
        squashing: optionsOf(['never', 'default_off', 'default_on', 'always'], SQUASH_WORDS),
        switches: SWITCHES,
        mostApprovals: MOST_APPROVALS,
        ...refusal,
      }),
    act: async (context, place) => {
      await projects.edit(place, { merging: settingsIn(context) });
      return {
        notice: 'Settings of merge requests saved.',
        to: `/${place.project.fullPath}/-/settings/merge_requests`,
      };
    },
  });
};
