import type { FreezePeriods } from '../../../../../application/pipelines/freeze-periods.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  MAX_FREEZE_TEXT,
  type FreezeFields,
  type FreezePeriod,
} from '../../../../../domain/pipelines/freeze-period.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { projectOfPage } from '../project-of-page.js';

export interface FreezePeriodPagesParts {
  readonly access: WorkspaceAccess;
  readonly freezePeriods: FreezePeriods;
}
type Parts = FreezePeriodPagesParts;

type Manager = PermittedProject<'manage_schedules'>;

interface ManagedPeriod {
  readonly manager: Manager;
  readonly period: FreezePeriod;
}

const TAB = 'ci-cd';
const LIST = '/*path/-/settings/freeze_periods';
const ONE = `${LIST}/:id`;

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/freeze_periods`;

/** Settings > CI/CD > Deploy freezes: when nothing of a project is to be deployed. */
export const addFreezePeriodPages = (pages: Pages, parts: Parts): void => {
  addList(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_schedules');

const findPeriod = async (parts: Parts, context: PageContext): Promise<ManagedPeriod> => {
  const manager = await findProject(parts, context);
  return { manager, period: await parts.freezePeriods.find(manager, pathNumber(context.request)) };
};

const fieldsIn = ({ request }: PageContext): FreezeFields => ({
  freezeStart: field(request, 'freeze_start').trim(),
  freezeEnd: field(request, 'freeze_end').trim(),
  cronTimezone: field(request, 'cron_timezone').trim(),
});

const formOf = (context: PageContext, { freezeStart, freezeEnd, cronTimezone }: FreezeFields) => ({
  most: MAX_FREEZE_TEXT,
  fieldLabels: { freeze_start: 'begin', freeze_end: 'end', cron_timezone: 'time zone' },
  form: typed(context, { freeze_start: freezeStart, freeze_end: freezeEnd, cron_timezone: cronTimezone }),
});

const addList = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: async (context, manager, refusal) => {
      const request = pageRequest(context);
      const page = await parts.freezePeriods.list(manager, request);
      await sendProjectPage(context, manager, 'ci/freeze-periods', {
        tab: TAB,
        title: `Deploy freezes of ${manager.project.name}`,
        address: addressOf(manager),
        above: `/${manager.project.fullPath}/-/settings/ci_cd`,
        periods: page.items.map((period) => ({ ...period, isNow: parts.freezePeriods.isNow(period) })),
        page,
        request,
        ...formOf(context, { freezeStart: '', freezeEnd: '', cronTimezone: 'UTC' }),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      await parts.freezePeriods.create(manager, fieldsIn(context));
      return { notice: 'Deploy freeze added.', to: addressOf(manager) };
    },
  });

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<ManagedPeriod>(pages, {
    path: ONE,
    find: (context) => findPeriod(parts, context),
    show: (context, { manager, period }, refusal) =>
      sendProjectPage(context, manager, 'ci/freeze-period', {
        tab: TAB,
        title: 'Change a deploy freeze',
        address: addressOf(manager),
        period,
        ...formOf(context, period),
        ...refusal,
      }),
    act: async (context, { manager, period: { id } }) => {
      await parts.freezePeriods.change(manager, id, fieldsIn(context));
      return { notice: 'Deploy freeze saved.', to: addressOf(manager) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedPeriod>(pages, {
    path: `${ONE}/remove`,
    find: (context) => findPeriod(parts, context),
    ask: async ({ browser, places }, { manager, period: { freezeStart, freezeEnd } }) => ({
      title: `Remove the deploy freeze from ${freezeStart} to ${freezeEnd}?`,
      consequences: ['Pipelines that begin then are no longer told of it.'],
      button: 'Remove deploy freeze',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, period: { id } }) => {
      await parts.freezePeriods.remove(manager, id);
      return { notice: 'Deploy freeze removed.', to: addressOf(manager) };
    },
  });
