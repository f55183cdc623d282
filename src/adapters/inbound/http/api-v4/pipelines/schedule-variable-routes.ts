import { Type } from '@sinclair/typebox';
import { CI_VARIABLE_TYPES } from '../../../../../domain/ci-variables/ci-variable.js';
import { MOST_GIVEN_VARIABLES } from '../../../../../domain/pipelines/given-variable.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Guard, type Route } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { presentScheduleVariable, ScheduleVariableSchema } from './schedule-schema.js';
import {
  IN_SCHEDULE_PATH,
  inSchedule,
  ONE_SCHEDULE,
  SCHEDULES_TAG,
  seesVariables,
  type InSchedule,
  type ScheduleRoutesParts as Parts,
} from './schedule-routes.js';

const ALL = `${ONE_SCHEDULE}/variables` as const;
const ONE = `${ALL}/:key` as const;
/** Longer than a value may be, so that whoever sends one is told how long it may be. */
const MAX_SENT_VALUE = 100_000;
const VALUE = text(MAX_SENT_VALUE, 'What jobs are given, of at most 10000 characters');
const VARIABLE_TYPE = Type.Optional(oneOf(CI_VARIABLE_TYPES, { description: '`file`: jobs find it in a file' }));
const IN_PATH = { ...IN_SCHEDULE_PATH, key: pathId('The key of the variable') };
const { list, get, post, put } = routesOf({ tag: SCHEDULES_TAG });

/** For whoever may see them. */
const readable = (parts: Parts): Guard<InSchedule<'run_pipelines'>> => {
  const place = inSchedule(parts, 'run_pipelines');
  return {
    ...place,
    decide: async (context) => {
      const found = await place.decide(context);
      const { actor } = context;
      if (actor.kind !== 'user' || !(await seesVariables(parts, actor, found, found.schedule))) throw new Forbidden();
      return found;
    },
  };
};

const pageOf = <Item>(items: readonly Item[], { page, perPage }: PageRequest): Page<Item> => ({
  items: items.slice((page - 1) * perPage, page * perPage),
  hasNext: items.length > page * perPage,
  total: items.length,
});

const typed = (type: (typeof CI_VARIABLE_TYPES)[number] | undefined) =>
  type === undefined ? {} : { file: type === 'file' };

const listVariables = (parts: Parts): Route =>
  list(ALL, 'listPipelineScheduleVariables', {
    summary: 'What the jobs of a pipeline schedule are given',
    description: 'For its owner, and for Maintainers.',
    access: 'user',
    parameters: IN_SCHEDULE_PATH,
    items: ScheduleVariableSchema,
    guard: readable(parts),
    read: async ({ subject, page }) => pageOf(await parts.pipelineSchedules.variablesOf(subject.schedule), page),
    present: presentScheduleVariable,
  });

const getVariable = (parts: Parts): Route =>
  get(ONE, 'getPipelineScheduleVariable', {
    summary: 'One variable of a pipeline schedule',
    access: 'user',
    parameters: IN_PATH,
    answer: ScheduleVariableSchema,
    guard: readable(parts),
    handle: async ({ subject, parameters: { key } }) => {
      const variables = await parts.pipelineSchedules.variablesOf(subject.schedule);
      return presentScheduleVariable(
        orNotFound(
          variables.find((variable) => variable.key === key),
          'Variable',
        ),
      );
    },
  });

const addVariable = (parts: Parts): Route =>
  post(ALL, 'addPipelineScheduleVariable', {
    summary: 'Add a variable to a pipeline schedule',
    description: `By its owner alone. It has at most ${MOST_GIVEN_VARIABLES}, which win over all others.`,
    access: 'user',
    parameters: {
      ...IN_SCHEDULE_PATH,
      key: text(2_000, 'Letters, digits and `_`, at most 255'),
      value: VALUE,
      variable_type: VARIABLE_TYPE,
    },
    answer: ScheduleVariableSchema,
    guard: inSchedule(parts, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: { key, value, variable_type: type } }) => {
      const variable = { key, value, ...typed(type) };
      await parts.pipelineSchedules.addVariable(actor, subject, subject.schedule, variable);
      return presentScheduleVariable(variable);
    },
  });

const changeVariable = (parts: Parts): Route =>
  put(ONE, 'changePipelineScheduleVariable', {
    summary: 'Change a variable of a pipeline schedule',
    description: 'By its owner alone.',
    access: 'user',
    parameters: { ...IN_PATH, value: Type.Optional(VALUE), variable_type: VARIABLE_TYPE },
    answer: ScheduleVariableSchema,
    guard: inSchedule(parts, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: { key, value, variable_type: type } }) => {
      const change = { key, ...given({ value }), ...typed(type) };
      return presentScheduleVariable(
        await parts.pipelineSchedules.changeVariable(actor, subject, subject.schedule, change),
      );
    },
  });

/** Clients read what was removed. */
const removeVariable = (parts: Parts): Route =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removePipelineScheduleVariable',
    tag: SCHEDULES_TAG,
    summary: 'Remove a variable of a pipeline schedule',
    description: 'By its owner alone. The answer is what it was.',
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 202: ScheduleVariableSchema },
    guard: inSchedule(parts, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: { key } }) => {
      const removed = await parts.pipelineSchedules.removeVariable(actor, subject, subject.schedule, key);
      return { status: 202, body: presentScheduleVariable(removed) };
    },
  });

export const createScheduleVariableRoutes = (parts: Parts): readonly Route[] => [
  listVariables(parts),
  getVariable(parts),
  addVariable(parts),
  changeVariable(parts),
  removeVariable(parts),
];
