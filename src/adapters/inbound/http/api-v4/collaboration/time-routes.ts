import type { TimeReader } from '../../../../../application/collaboration/ports/time-ports.js';
import type { TimeTracking } from '../../../../../application/collaboration/time-tracking.js';
import { routesOf } from '../../kit/routes-of.js';
import { parameters, requiredText } from '../../validation/parameters.js';
import { route, type Route } from '../../route.js';
import {
  findSubject,
  findSubjectToDiscuss,
  parametersOf,
  pathOf,
  type SubjectOfApi,
  type SubjectRoutesParts,
} from './subject-of-api.js';
import { presentTime, TimeStatsSchema } from './time-schema.js';

export type TimeRoutesParts = SubjectRoutesParts & {
  readonly timeTracking: TimeTracking;
  readonly timeReader: TimeReader;
};

type Parts = TimeRoutesParts;
type Of = SubjectOfApi;

const TAG = 'Time tracking';
const { get, post } = routesOf({ tag: TAG });
const duration = (description: string) => requiredText(255, description);

export const getTimeStats = (parts: Parts, of: Of) =>
  get(`${pathOf(of)}/time_stats`, `get${of.name}TimeStats`, {
    summary: `How long ${of.words} will take, and took`,
    access: 'anyone',
    parameters: parametersOf(of),
    answer: TimeStatsSchema,
    guard: findSubject(parts, of),
    handle: async ({ subject: { subject } }) => presentTime(await parts.timeReader.find(subject.id)),
  });

export const addSpentTime = (parts: Parts, of: Of) =>
  post(`${pathOf(of)}/add_spent_time`, `addSpentTimeTo${of.name}`, {
    summary: `Add time that ${of.words} took (reporters)`,
    access: 'user',
    parameters: { ...parametersOf(of), duration: duration('As 1h 30m, or -1h to take some away') },
    answer: TimeStatsSchema,
    guard: findSubjectToDiscuss(parts, of),
    handle: async ({ actor, subject, parameters: given }) =>
      presentTime(await parts.timeTracking.spend(actor, subject, given.duration)),
  });

/** Of those that change something these answer 200: they make nothing. */
export const setEstimate = (parts: Parts, of: Of): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/time_estimate`,
    operationId: `estimate${of.name}`,
    summary: `Say how long ${of.words} will take (reporters)`,
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...parametersOf(of), duration: duration('As 3h 30m; a bare number is hours') }),
    responses: { 200: TimeStatsSchema },
    guard: findSubjectToDiscuss(parts, of),
    handle: async ({ actor, subject, parameters: given }) => ({
      body: presentTime(await parts.timeTracking.estimate(actor, subject, given.duration)),
    }),
  });

export const resetEstimate = (parts: Parts, of: Of): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/reset_time_estimate`,
    operationId: `resetEstimateOf${of.name}`,
    summary: `Take the estimate of ${of.words} away (reporters)`,
    tag: TAG,
    access: 'user',
    parameters: parameters(parametersOf(of)),
    responses: { 200: TimeStatsSchema },
    guard: findSubjectToDiscuss(parts, of),
    handle: async ({ actor, subject }) => ({
      body: presentTime(await parts.timeTracking.estimate(actor, subject, '0')),
    }),
  });

export const resetSpentTime = (parts: Parts, of: Of): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/reset_spent_time`,
    operationId: `resetSpentTimeOf${of.name}`,
    summary: `Forget the time that ${of.words} took (reporters)`,
    tag: TAG,
    access: 'user',
    parameters: parameters(parametersOf(of)),
    responses: { 200: TimeStatsSchema },
    guard: findSubjectToDiscuss(parts, of),
    handle: async ({ actor, subject }) => ({ body: presentTime(await parts.timeTracking.resetSpent(actor, subject)) }),
  });

export const createTimeRoutes = (parts: Parts, of: Of): readonly Route[] =>
  [getTimeStats, setEstimate, resetEstimate, addSpentTime, resetSpentTime].map((make) => make(parts, of));
