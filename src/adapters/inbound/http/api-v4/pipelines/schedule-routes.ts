import { Type } from '@sinclair/typebox';
import type { PipelineSchedules, ScheduleChanges } from '../../../../../application/pipelines/pipeline-schedules.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { ScheduleDetails, ScheduleReader } from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { RunSchedules } from '../../../../../application/pipelines/run-schedules.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MOST_SCHEDULES } from '../../../../../domain/pipelines/pipeline-schedule.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Guard, Route } from '../../route.js';
import { oneOf, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { BasicPipelineSchema, presentBasicPipeline } from './pipeline-schema.js';
import { INPUT_LIST, sentInputChanges } from './sent-inputs.js';
import { BasicScheduleSchema, presentBasicSchedule, presentSchedule, ScheduleSchema } from './schedule-schema.js';

export interface ScheduleRoutesParts {
  readonly access: WorkspaceAccess;
  readonly pipelineSchedules: PipelineSchedules;
  readonly scheduleReader: ScheduleReader;
  readonly runSchedules: RunSchedules;
  readonly pipelineReader: PipelineReader;
  readonly urls: WebUrls;
}
type Parts = ScheduleRoutesParts;

export const SCHEDULES_TAG = 'Pipeline schedules';
export const ONE_SCHEDULE = '/projects/:id/pipeline_schedules/:pipeline_schedule_id';
export const IN_SCHEDULE_PATH = { id: PROJECT_ID, pipeline_schedule_id: pathId('Numeric id of the schedule') };
const ALL = '/projects/:id/pipeline_schedules';
const ONE = ONE_SCHEDULE;
/** Longer than it may be, so that whoever sends more is told how long it may be. */
const SENT = 2_000;
const REF = text(SENT, 'A branch or tag');
const CRON = text(
  SENT,
  'Minute, hour, day of the month, month and day of the week, as in `0 4 * * mon-fri`; runs are at least 10 minutes apart',
);
const DESCRIPTION = text(SENT, 'What it is for, in at most 255 characters');
const TIMEZONE = Type.Optional(text(SENT, 'As in `Europe/Berlin`; UTC unless told'));
const ACTIVE = Type.Optional(Type.Boolean({ description: 'Whether it runs by the clock' }));
const INPUTS = Type.Optional(INPUT_LIST);
const { list, get, post, put, remove } = routesOf({ tag: SCHEDULES_TAG });

export type InSchedule<P extends 'read_pipelines' | 'run_pipelines' | 'manage_schedules'> = PermittedProject<P> & {
  readonly schedule: ScheduleDetails;
};

export const inSchedule = <P extends 'read_pipelines' | 'run_pipelines' | 'manage_schedules'>(
  { access, scheduleReader }: Pick<Parts, 'access' | 'scheduleReader'>,
  permission: P,
): Guard<InSchedule<P>> => {
  const place = inProject(access, permission);
  return {
    ...place,
    decide: async (context) => {
      const outer = await place.decide(context);
      const id = identifierIn<number>(context.path['pipeline_schedule_id']);
      const schedule = id === undefined ? undefined : await scheduleReader.find(outer.project.id, id);
      return { ...outer, schedule: orNotFound(schedule, 'Pipeline Schedule') };
    },
  };
};

type Place = PermittedProject<'read_pipelines' | 'run_pipelines' | 'manage_schedules'>;

/** Whoever owns it and may still run pipelines, and whoever looks after all of them, sees what its jobs are given. */
export const seesVariables = async (
  { access }: Pick<Parts, 'access'>,
  actor: UserActor,
  place: Place,
  { ownerId }: Pick<ScheduleDetails, 'ownerId'>,
): Promise<boolean> => {
  const needed = ownerId === actor.id ? 'run_pipelines' : 'manage_schedules';
  const asked = Promise.resolve().then(() => access.also(actor, place, needed));
  return (await unlessRefused(asked)) !== undefined;
};

const show = async (parts: Parts, actor: UserActor, place: Place, id: number) => {
  const { pipelineSchedules, scheduleReader, urls } = parts;
  const schedule = orNotFound(await scheduleReader.find(place.project.id, id), 'Pipeline Schedule');
  const last = (await scheduleReader.lastPipelinesOf([id])).get(id);
  const sees = await seesVariables(parts, actor, place, schedule);
  const gives = sees
    ? { variables: await pipelineSchedules.variablesOf(schedule), inputs: await pipelineSchedules.inputsOf(schedule) }
    : undefined;
  return presentSchedule(schedule, { projectPath: place.project.fullPath, urls, last, given: gives });
};

const listSchedules = ({ access, pipelineSchedules, urls }: Parts): Route =>
  list(ALL, 'listPipelineSchedules', {
    summary: 'Pipeline schedules of a project',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      scope: Type.Optional(oneOf(['active', 'inactive'], { description: 'Only those that are active, or not' })),
    },
    items: BasicScheduleSchema,
    guard: inProject(access, 'read_pipelines'),
    read: ({ subject, parameters: { scope }, page }) =>
      pipelineSchedules.list(subject, scope === undefined ? undefined : scope === 'active', page),
    present: (schedule) => presentBasicSchedule(schedule, urls),
  });

const getSchedule = (parts: Parts): Route =>
  get(ONE, 'getPipelineSchedule', {
    summary: 'One pipeline schedule',
    access: 'user',
    parameters: IN_SCHEDULE_PATH,
    answer: ScheduleSchema,
    guard: inSchedule(parts, 'read_pipelines'),
    handle: ({ actor, subject }) => show(parts, actor, subject, subject.schedule.id),
  });

const createSchedule = (parts: Parts): Route =>
  post(ALL, 'createPipelineSchedule', {
    summary: 'Have pipelines made by the clock',
    description: `They are its maker’s, with the rights that they have then. A project has at most ${MOST_SCHEDULES}.`,
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      description: DESCRIPTION,
      ref: REF,
      cron: CRON,
      cron_timezone: TIMEZONE,
      active: ACTIVE,
      inputs: INPUTS,
    },
    answer: ScheduleSchema,
    guard: inProject(parts.access, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: sent }) => {
      const { description, ref, cron, cron_timezone: cronTimezone = 'UTC', active = true, inputs = [] } = sent;
      const fields = { description, ref, cron, cronTimezone, active, inputs: sentInputChanges(inputs) };
      return show(parts, actor, subject, await parts.pipelineSchedules.create(actor, subject, fields));
    },
  });

const changeSchedule = (parts: Parts): Route =>
  put(ONE, 'changePipelineSchedule', {
    summary: 'Change a pipeline schedule',
    description: 'By its owner alone, with whose rights it runs.',
    access: 'user',
    parameters: {
      ...IN_SCHEDULE_PATH,
      description: Type.Optional(DESCRIPTION),
      ref: Type.Optional(REF),
      cron: Type.Optional(CRON),
      cron_timezone: TIMEZONE,
      active: ACTIVE,
      inputs: INPUTS,
    },
    answer: ScheduleSchema,
    guard: inSchedule(parts, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: sent }) => {
      const { description, ref, cron, cron_timezone: cronTimezone, active, inputs } = sent;
      const changes: ScheduleChanges = {
        ...given({ description, ref, cron, cronTimezone, active }),
        ...(inputs && { inputs: sentInputChanges(inputs) }),
      };
      await parts.pipelineSchedules.change(actor, subject, subject.schedule.id, changes);
      return show(parts, actor, subject, subject.schedule.id);
    },
  });

const removeSchedule = (parts: Parts): Route =>
  remove(ONE, 'removePipelineSchedule', {
    summary: 'Remove a pipeline schedule',
    description: 'By its owner, and by Maintainers. Its pipelines stay.',
    access: 'user',
    parameters: IN_SCHEDULE_PATH,
    guard: inSchedule(parts, 'run_pipelines'),
    handle: ({ actor, subject }) => {
      const { id, ownerId } = subject.schedule;
      if (ownerId === actor.id) return parts.pipelineSchedules.removeOwn(actor, subject, id);
      return parts.pipelineSchedules.remove(parts.access.also(actor, subject, 'manage_schedules'), id);
    },
  });

const takeOwnership = (parts: Parts): Route =>
  post(`${ONE}/take_ownership`, 'takeOwnershipOfPipelineSchedule', {
    summary: 'Become the owner of a pipeline schedule',
    description: 'It runs with the rights of whoever asks from now on.',
    access: 'user',
    parameters: IN_SCHEDULE_PATH,
    answer: ScheduleSchema,
    guard: inSchedule(parts, 'manage_schedules'),
    handle: async ({ actor, subject }) => {
      await parts.pipelineSchedules.takeOwnership(actor, subject, subject.schedule.id);
      return show(parts, actor, subject, subject.schedule.id);
    },
  });

const playSchedule = (parts: Parts): Route =>
  post(`${ONE}/play`, 'playPipelineSchedule', {
    summary: 'Run a pipeline schedule now',
    description:
      'In the name and with the rights of whoever asks; once a minute, else 429; 409 where it is changed at the same time. When it is due next stays as it was. 400 says, as `base`, why it can’t be run.',
    access: 'user',
    parameters: IN_SCHEDULE_PATH,
    answer: Type.Object({ message: Type.Literal('201 Created') }),
    guard: inSchedule(parts, 'run_pipelines'),
    handle: async ({ actor, subject }) => {
      await parts.runSchedules.play(actor, subject, subject.schedule);
      return { message: '201 Created' };
    },
  });

const listSchedulePipelines = (parts: Parts): Route =>
  list(`${ONE}/pipelines`, 'listPipelinesOfSchedule', {
    summary: 'The pipelines that a schedule made, the oldest first',
    access: 'user',
    parameters: { ...IN_SCHEDULE_PATH, sort: oneOf(['asc', 'desc'], { default: 'asc' }) },
    items: BasicPipelineSchema,
    guard: inSchedule(parts, 'read_pipelines'),
    read: ({ subject: { project, schedule }, parameters: { sort }, page }) =>
      parts.pipelineReader.list({ projectId: project.id, scheduleId: schedule.id, orderBy: 'id', sort, page }),
    present: (pipeline, { subject: { project } }) => presentBasicPipeline(pipeline, project.fullPath, parts.urls),
  });

export const createScheduleRoutes = (parts: Parts): readonly Route[] => [
  listSchedules(parts),
  createSchedule(parts),
  getSchedule(parts),
  changeSchedule(parts),
  removeSchedule(parts),
  takeOwnership(parts),
  playSchedule(parts),
  listSchedulePipelines(parts),
];
