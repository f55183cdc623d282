import type { PipelineSchedules } from '../../../../../application/pipelines/pipeline-schedules.js';
import type { ScheduleDetails } from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_SCHEDULE_TEXT } from '../../../../../domain/pipelines/pipeline-schedule.js';
import type { CiMap } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, textField, typed, type Refusal } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { inputChangesInForm, inputLines, inputsBeside, inputsInForm } from './inputs-field.js';
import { fitsLine, linesOf, variablesIn } from './variables-field.js';

export interface ScheduleFormParts {
  readonly access: WorkspaceAccess;
  readonly pipelineSchedules: PipelineSchedules;
}
type Parts = ScheduleFormParts;

type Runner = Permitted<'run_pipelines'>;

interface FoundSchedule {
  readonly runner: Runner;
  readonly schedule: ScheduleDetails;
}

interface OwnSchedule extends FoundSchedule {
  readonly variables: readonly CiValue[];
  readonly inputs: CiMap;
}

export const SCHEDULES = '/*path/-/pipeline_schedules';
export const SCHEDULE = `${SCHEDULES}/:id`;
const TAB = 'schedules';

export const schedulesOf = ({ project }: Runner): string => `/${project.fullPath}/-/pipeline_schedules`;

export const permitRunner = ({ access }: Parts, context: PageContext): Promise<Runner> =>
  projectOfPage(access, context, 'run_pipelines');

/** @throws NotFound; Forbidden. */
export const findSchedule = async (parts: Parts, context: PageContext): Promise<FoundSchedule> => {
  const runner = await permitRunner(parts, context);
  const schedule = await parts.pipelineSchedules.find(runner, pathNumber(context.request));
  return { runner, schedule: orNotFound(schedule, 'Pipeline Schedule') };
};

/** Making, changing and removing schedules. */
export const addScheduleFormPages = (pages: Pages, parts: Parts): void => {
  addNew(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
};

interface Form {
  readonly title: string;
  readonly button: string;
  readonly fields: Readonly<
    Record<'description' | 'ref' | 'cron' | 'cron_timezone' | 'variables' | 'inputs' | 'active', string>
  >;
  /** Variables, and inputs, that no line can hold. */
  readonly kept: readonly string[];
  readonly inputsKept: readonly string[];
}

const show = (context: PageContext, runner: Runner, { fields, ...shown }: Form, refusal: Refusal): Promise<void> =>
  sendProjectPage(context, runner, 'ci/schedule', {
    tab: TAB,
    ...shown,
    address: schedulesOf(runner),
    most: MAX_SCHEDULE_TEXT,
    fieldLabels: { ref: 'branch or tag', cron: 'pattern', cron_timezone: 'time zone', base: '' },
    // One too many is of no field.
    fieldIds: { base: 'description' },
    form: typed(context, fields),
    ...refusal,
  });

const fieldsIn = ({ request }: PageContext) => ({
  description: field(request, 'description'),
  ref: field(request, 'ref').trim(),
  cron: field(request, 'cron'),
  cronTimezone: field(request, 'cron_timezone'),
  active: field(request, 'active') === 'true',
});

const addNew = (pages: Pages, parts: Parts): void =>
  addFormPage<Runner>(pages, {
    path: `${SCHEDULES}/new`,
    large: true,
    find: (context) => permitRunner(parts, context),
    show: (context, runner, refusal) => {
      const ref = runner.project.defaultBranch ?? DEFAULT_BRANCH;
      const fields = {
        description: '',
        ref,
        cron: '',
        cron_timezone: 'UTC',
        variables: '',
        inputs: '',
        active: 'true',
      };
      const form = { title: 'New schedule', button: 'Make schedule', fields, kept: [], inputsKept: [] };
      return show(context, runner, form, refusal);
    },
    act: async (context, runner) => {
      const inputs = { set: inputsInForm(context), removed: [] };
      const fields = { ...fieldsIn(context), variables: variablesIn(context), inputs };
      await parts.pipelineSchedules.create(actorOf(context.browser), runner, fields);
      return { notice: `Schedule “${fields.description}” made.`, to: schedulesOf(runner) };
    },
  });

/** @throws Forbidden for whoever doesn't own it. */
const findOwn = async (parts: Parts, context: PageContext): Promise<OwnSchedule> => {
  const found = await findSchedule(parts, context);
  if (found.schedule.ownerId !== actorOf(context.browser).id) throw new Forbidden();
  const { pipelineSchedules } = parts;
  const variables = await pipelineSchedules.variablesOf(found.schedule);
  return { ...found, variables, inputs: await pipelineSchedules.inputsOf(found.schedule) };
};

/** Nothing where the field is as it was: those who may not choose variables may still say when it runs. */
const changedVariables = (context: PageContext, variables: readonly CiValue[]) => {
  if (textField(context, 'variables').trim() === linesOf(variables.filter(fitsLine)).trim()) return {};
  const sent = variablesIn(context);
  const kept = variables.filter((each) => !fitsLine(each) && !sent.some(({ key }) => key === each.key));
  return { variables: [...sent, ...kept] };
};

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<OwnSchedule>(pages, {
    path: `${SCHEDULE}/edit`,
    large: true,
    find: (context) => findOwn(parts, context),
    show: (context, { runner, schedule, variables, inputs }, refusal) => {
      const { description, ref, cron, cronTimezone, active } = schedule;
      const fields = { description, ref, cron, cron_timezone: cronTimezone, active: active ? 'true' : '' };
      const kept = variables.filter((each) => !fitsLine(each)).map(({ key }) => key);
      const lines = { variables: linesOf(variables.filter(fitsLine)), inputs: inputLines(inputs) };
      const form = { title: `Change ${description}`, button: 'Save', fields: { ...fields, ...lines }, kept };
      return show(context, runner, { ...form, inputsKept: inputsBeside(inputs) }, refusal);
    },
    act: async (context, { runner, schedule, variables, inputs }) => {
      const fields = fieldsIn(context);
      const { ref: _, ...others } = fields;
      const inputChanges = inputChangesInForm(context, inputs);
      const given = { ...changedVariables(context, variables), ...(inputChanges && { inputs: inputChanges }) };
      const changes = { ...(fields.ref === schedule.ref ? others : fields), ...given };
      await parts.pipelineSchedules.change(actorOf(context.browser), runner, schedule.id, changes);
      return { notice: `Schedule “${fields.description}” saved.`, to: schedulesOf(runner) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<FoundSchedule>(pages, {
    path: `${SCHEDULE}/remove`,
    find: async (context) => {
      const found = await findSchedule(parts, context);
      const actor = actorOf(context.browser);
      if (found.schedule.ownerId !== actor.id) parts.access.also(actor, found.runner, 'manage_schedules');
      return found;
    },
    ask: async ({ browser, places }, { runner, schedule: { description } }) => ({
      title: `Remove the schedule ${description}?`,
      consequences: ['It makes no more pipelines.', 'Those that it made stay.'],
      button: 'Remove schedule',
      cancel: schedulesOf(runner),
      frame: await places.ofProject(browser, runner, TAB),
    }),
    act: async ({ browser }, { runner, schedule: { id, ownerId, description } }) => {
      const actor = actorOf(browser);
      if (ownerId === actor.id) await parts.pipelineSchedules.removeOwn(actor, runner, id);
      else await parts.pipelineSchedules.remove(parts.access.also(actor, runner, 'manage_schedules'), id);
      return { notice: `Schedule “${description}” removed.`, to: schedulesOf(runner) };
    },
  });
