import { Type } from '@sinclair/typebox';
import type { FreezePeriods } from '../../../../../application/pipelines/freeze-periods.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MOST_FREEZE_PERIODS, type FreezePeriod } from '../../../../../domain/pipelines/freeze-period.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { Route } from '../../route.js';
import { identifier, text } from '../../validation/parameters.js';

export interface FreezePeriodRoutesParts {
  readonly access: WorkspaceAccess;
  readonly freezePeriods: FreezePeriods;
}
type Parts = FreezePeriodRoutesParts;

const ALL = '/projects/:id/freeze_periods';
const ONE = `${ALL}/:freeze_period_id`;
const IN_PATH = { id: PROJECT_ID, freeze_period_id: identifier('Numeric id of the freeze period') };
/** Longer than it may be, so that whoever sends more is told how long it may be. */
const SENT = 2_000;
const START = text(SENT, 'When it begins, as cron says it: minute, hour, day of the month, month and day of the week');
const END = text(SENT, 'When it ends, likewise');
const TIMEZONE = Type.Optional(text(SENT, 'As in `Europe/Berlin`; UTC unless told'));
const { list, get, post, put, remove } = routesOf({ tag: 'Freeze periods' });

const FreezePeriodSchema = component(
  'schemas/FreezePeriod',
  Type.Object({
    id: Type.Integer(),
    freeze_start: Type.String(),
    freeze_end: Type.String(),
    cron_timezone: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
);

const present = ({ id, freezeStart, freezeEnd, cronTimezone, createdAt, updatedAt }: FreezePeriod) => ({
  ...{ id, freeze_start: freezeStart, freeze_end: freezeEnd, cron_timezone: cronTimezone },
  ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
});

const listPeriods = ({ access, freezePeriods }: Parts): Route =>
  list(ALL, 'listFreezePeriods', {
    summary: 'When nothing of a project is to be deployed',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: FreezePeriodSchema,
    guard: inProject(access, 'read_pipelines'),
    read: ({ subject, page }) => freezePeriods.list(subject, page),
    present,
  });

const getPeriod = ({ access, freezePeriods }: Parts): Route =>
  get(ONE, 'getFreezePeriod', {
    summary: 'One freeze period',
    access: 'user',
    parameters: IN_PATH,
    answer: FreezePeriodSchema,
    guard: inProject(access, 'read_pipelines'),
    handle: async ({ subject, parameters: { freeze_period_id: id } }) => present(await freezePeriods.find(subject, id)),
  });

const createPeriod = ({ access, freezePeriods }: Parts): Route =>
  post(ALL, 'createFreezePeriod', {
    summary: 'Say when nothing is to be deployed',
    description: `Pipelines that begin then have the variable \`CI_DEPLOY_FREEZE\`. A project has at most ${MOST_FREEZE_PERIODS}.`,
    access: 'user',
    parameters: { id: PROJECT_ID, freeze_start: START, freeze_end: END, cron_timezone: TIMEZONE },
    answer: FreezePeriodSchema,
    guard: inProject(access, 'manage_schedules'),
    handle: async ({ subject, parameters: sent }) => {
      const { freeze_start: freezeStart, freeze_end: freezeEnd, cron_timezone: cronTimezone = 'UTC' } = sent;
      return present(await freezePeriods.create(subject, { freezeStart, freezeEnd, cronTimezone }));
    },
  });

const changePeriod = ({ access, freezePeriods }: Parts): Route =>
  put(ONE, 'changeFreezePeriod', {
    summary: 'Change a freeze period',
    access: 'user',
    parameters: {
      ...IN_PATH,
      freeze_start: Type.Optional(START),
      freeze_end: Type.Optional(END),
      cron_timezone: TIMEZONE,
    },
    answer: FreezePeriodSchema,
    guard: inProject(access, 'manage_schedules'),
    handle: async ({ subject, parameters: { freeze_period_id: id, ...sent } }) => {
      const { freeze_start: freezeStart, freeze_end: freezeEnd, cron_timezone: cronTimezone } = sent;
      return present(await freezePeriods.change(subject, id, given({ freezeStart, freezeEnd, cronTimezone })));
    },
  });

const removePeriod = ({ access, freezePeriods }: Parts): Route =>
  remove(ONE, 'removeFreezePeriod', {
    summary: 'Remove a freeze period',
    access: 'user',
    parameters: IN_PATH,
    guard: inProject(access, 'manage_schedules'),
    handle: ({ subject, parameters: { freeze_period_id: id } }) => freezePeriods.remove(subject, id),
  });

export const createFreezePeriodRoutes = (parts: Parts): readonly Route[] => [
  listPeriods(parts),
  createPeriod(parts),
  getPeriod(parts),
  changePeriod(parts),
  removePeriod(parts),
];
