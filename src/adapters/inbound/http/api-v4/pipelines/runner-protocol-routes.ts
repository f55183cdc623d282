import { Type } from '@sinclair/typebox';
import type { CiRunners } from '../../../../../application/pipelines/ci-runners.js';
import type { Assignment, GiveJobs } from '../../../../../application/pipelines/give-jobs.js';
import { NotRunning } from '../../../../../application/pipelines/operations/held-job.js';
import { LogMismatch, type RunJobs, type RunnerWord } from '../../../../../application/pipelines/run-jobs.js';
import { FAILURE_REASONS, type CiJob, type FailureReason } from '../../../../../domain/pipelines/ci-job.js';
import type { CiRunner, RunnerAbout } from '../../../../../domain/pipelines/ci-runner.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { readBytes } from '../../body/read-bytes.js';
import { HttpError, RefusedWithHeaders } from '../../http-error.js';
import { namedBy } from '../../kit/guards.js';
import { component } from '../../openapi/component.js';
import { route, type GuardContext, type Route, type RouteResult } from '../../route.js';
import { anyJson, integer, oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { isStorable } from '../../validation/storable-text.js';
import { presentAssignment, type PayloadParts } from './job-payload.js';
import { RunnerTokenSchema } from './runner-schema.js';

export interface RunnerProtocolParts extends PayloadParts {
  readonly ciRunners: CiRunners;
  readonly giveJobs: GiveJobs;
  readonly runJobs: RunJobs;
}
type Parts = RunnerProtocolParts;

const TAG = 'Runners';
const MAX_TOKEN = 1_024;
const MAX_TOLD = 255;
const MOST_BYTES = 1_048_576;
/** Seconds after which a runner sends more of a log. */
const LOG_INTERVAL = '3';
const TOKEN = Type.Optional(text(MAX_TOKEN, 'Of the runner', { writeOnly: true }));
const SYSTEM_ID = Type.Optional(text(MAX_TOLD, 'The machine that it runs on'));
const INFO = Type.Optional(
  anyJson('What it tells of itself: `name`, `version`, `revision`, `platform`, `architecture`'),
);

const VerifiedSchema = component(
  'schemas/VerifiedRunner',
  Type.Object({ id: Type.Integer(), token: Type.String(), token_expires_at: Type.Null() }),
);

/** What else is in it is in `job-payload.ts`: runners know it, and nobody else is given it. */
const JobRequestSchema = component('schemas/JobForRunner', Type.Object({ id: Type.Integer(), token: Type.String() }));

/** The runner of the token that is sent. @throws Forbidden. */
const runnerOf =
  ({ ciRunners }: Parts) =>
  (context: GuardContext): Promise<CiRunner> => {
    const token = namedBy(context, 'token');
    if (token === undefined) throw new Forbidden();
    return ciRunners.recognize(token);
  };

const toldText = (value: unknown): string | null =>
  typeof value === 'string' && isStorable(value) ? value.slice(0, MAX_TOLD) : null;

const aboutIn = (info: unknown): RunnerAbout | undefined => {
  if (typeof info !== 'object' || info === null) return undefined;
  const { name, version, revision, platform, architecture } = info as Readonly<Record<string, unknown>>;
  return {
    name: toldText(name),
    version: toldText(version),
    revision: toldText(revision),
    platform: toldText(platform),
    architecture: toldText(architecture),
  };
};

const verifyRunner = (parts: Parts): Route =>
  route({
    method: 'post',
    path: '/runners/verify',
    operationId: 'verifyRunner',
    tag: TAG,
    summary: 'Whether the token of a runner is good',
    access: 'anyone',
    parameters: parameters({ token: TOKEN, system_id: SYSTEM_ID, info: INFO }),
    responses: { 200: VerifiedSchema },
    guard: runnerOf(parts),
    handle: async ({ subject: runner, parameters: { token, info }, request }) => {
      await parts.ciRunners.heardOf(runner, aboutIn(info), request.ip ?? null);
      return { body: { id: runner.id, token, token_expires_at: null } };
    },
  });

const removeOwnRunner = (parts: Parts): Route =>
  route({
    method: 'delete',
    path: '/runners',
    operationId: 'removeOwnRunner',
    tag: TAG,
    summary: 'Remove the runner of a token',
    access: 'anyone',
    parameters: parameters({ token: TOKEN }),
    responses: { 204: null },
    guard: runnerOf(parts),
    handle: async ({ subject }) => {
      await parts.ciRunners.remove(subject.id);
      return { status: 204 };
    },
  });

/** Runners that are registered by one token for all are no more: each is made first, and has its own. */
const NOT_REGISTERED = '410 Gone - runner registration disallowed: make a runner first, and register by its own token';

/** Programs that register runners tell people what it says. */
const registerRunner = (): Route =>
  route({
    method: 'post',
    path: '/runners',
    operationId: 'registerRunner',
    tag: TAG,
    summary: 'Gone: runners are made by `POST /user/runners`, and have a token of their own',
    access: 'anyone',
    parameters: parameters({ token: TOKEN, info: INFO }),
    responses: { 410: Type.Object({ message: Type.String() }) },
    handle: () => Promise.resolve({ status: 410, body: { message: NOT_REGISTERED } }),
  });

/** What programs do that take one machine of a runner away: here a runner is one, whichever machines run it. */
const removeRunnerMachine = (parts: Parts): Route =>
  route({
    method: 'delete',
    path: '/runners/managers',
    operationId: 'removeRunnerMachine',
    tag: TAG,
    summary: 'Say that a machine runs the runner of a token no more: the runner stays',
    access: 'anyone',
    parameters: parameters({ token: TOKEN, system_id: SYSTEM_ID }),
    responses: { 204: null },
    guard: runnerOf(parts),
    handle: () => Promise.resolve({ status: 204 }),
  });

const resetOwnToken = (parts: Parts): Route =>
  route({
    method: 'post',
    path: '/runners/reset_authentication_token',
    operationId: 'resetOwnRunnerToken',
    tag: TAG,
    summary: 'Give the runner of a token another one',
    description: 'The one before is no good any more.',
    access: 'anyone',
    parameters: parameters({ token: TOKEN }),
    responses: { 201: RunnerTokenSchema },
    guard: runnerOf(parts),
    handle: async ({ subject }) => {
      const token = await parts.ciRunners.resetToken(subject.id);
      return { status: 201, body: { token, token_expires_at: null } };
    },
  });

const requestJob = (parts: Parts): Route =>
  route({
    method: 'post',
    path: '/jobs/request',
    operationId: 'requestJob',
    tag: TAG,
    summary: 'Take the job whose turn it is of those that a runner may have',
    description:
      '204 where none waits. The token of the job is shown this once: what is said of it is believed with that alone.',
    access: 'anyone',
    parameters: parameters({
      token: TOKEN,
      system_id: SYSTEM_ID,
      last_update: Type.Optional(text(MAX_TOLD, 'Not needed')),
      info: INFO,
      session: Type.Optional(anyJson('Not needed')),
    }),
    responses: { 201: JobRequestSchema, 204: null },
    guard: runnerOf(parts),
    handle: async ({ subject: runner, parameters: { info }, request }) => {
      await parts.ciRunners.heardOf(runner, aboutIn(info), request.ip ?? null);
      const assignment = await parts.giveJobs.request(runner);
      if (assignment === undefined) return { status: 204 };
      return { status: 201, body: await presentOrEnd(parts, assignment) };
    },
  });

/** One that can't be told to its runner, since nothing can be signed for it, has failed: nobody else would end it soon. */
const presentOrEnd = async (parts: Parts, assignment: Assignment) => {
  try {
    return await presentAssignment(assignment, parts);
  } catch (error) {
    await parts.runJobs.tell(assignment.job, { state: 'failed', reason: 'runner_system_failure', exitCode: null });
    throw error;
  }
};

/** How the job stands, where a runner looks for it. */
const standing = (status: string) => ({ 'Job-Status': status, 'X-GitLab-Trace-Update-Interval': LOG_INTERVAL });

/** Runners end what isn't theirs any more. */
const refused = (error: NotRunning): Error => new RefusedWithHeaders(error, standing(error.status));

const orRefused = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof NotRunning ? refused(error) : error;
  }
};

const IN_PATH = { job_id: pathId('Numeric id of the job') };

/** By the id of the path; the token may be in the body, or in the head alone. @throws Forbidden. */
const jobOf = ({ runJobs }: Parts, id: string | undefined, token: string | undefined): Promise<CiJob> => {
  const known = identifierIn(id);
  if (known === undefined || token === undefined) throw new Forbidden();
  return runJobs.jobOf(known, token);
};

const wordOf = ({ state, failure_reason: reason, exit_code: exitCode }: Said): RunnerWord => {
  if (state !== 'failed') return { state };
  const known = FAILURE_REASONS.find((each) => each === reason) satisfies FailureReason | undefined;
  return { state, reason: known ?? 'unknown_failure', exitCode: exitCode ?? null };
};
interface Said {
  readonly state: 'running' | 'success' | 'failed';
  readonly failure_reason?: string;
  readonly exit_code?: number;
}

const updateJob = (parts: Parts): Route =>
  route({
    method: 'put',
    path: '/jobs/:job_id',
    operationId: 'updateJobByRunner',
    tag: TAG,
    summary: 'Say how a job stands',
    description: '403 with the header `Job-Status` where it is not the runner’s any more.',
    access: 'anyone',
    parameters: parameters({
      ...IN_PATH,
      token: Type.Optional(text(MAX_TOKEN, 'Of the job', { writeOnly: true })),
      state: oneOf(['running', 'success', 'failed'], { description: 'How it stands' }),
      failure_reason: Type.Optional(text(MAX_TOLD, 'Why it failed')),
      exit_code: Type.Optional(
        integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, description: 'Of its script' }),
      ),
      checksum: Type.Optional(text(MAX_TOLD, 'Not needed')),
      output: Type.Optional(anyJson('Not needed')),
      info: INFO,
    }),
    responses: { 200: Type.Integer() },
    guard: (context) => jobOf(parts, context.path['job_id'], namedBy(context, 'token')),
    handle: async ({ subject: job, parameters: said }) => {
      await orRefused(parts.runJobs.tell(job, wordOf(said)));
      return { body: 200, headers: standing(said.state) };
    },
  });

const RANGE = /^(\d{1,15})-(\d{1,15})$/;

/** A part of a log, by its first byte and its last. @throws HttpError 400. */
const startIn = (header: string | undefined): number => {
  const [, start] = RANGE.exec(header ?? '') ?? [];
  if (start === undefined) throw new HttpError(400, '400 Bad request - Missing header Content-Range');
  return Number(start);
};

const appendLog = (parts: Parts): Route =>
  route({
    method: 'patch',
    path: '/jobs/:job_id/trace',
    operationId: 'appendJobLog',
    tag: TAG,
    summary: 'Add to the log of a job',
    description:
      'Bytes as they are, with `Content-Range: first-last` and the token of the job in `JOB-TOKEN`. 416 with the header `Range` where the log ends elsewhere.',
    access: 'anyone',
    parameters: parameters({
      ...IN_PATH,
      debug_trace: Type.Optional(text(MAX_TOLD, '`true` where the log tells the variables of the job')),
    }),
    ownBody: true,
    responses: { 202: null, 416: null },
    handle: async ({ parameters: { job_id: id, debug_trace: debug }, request }): Promise<RouteResult> => {
      const job = await jobOf(parts, id, request.get('JOB-TOKEN'));
      const start = startIn(request.get('Content-Range'));
      const content = await readBytes(request, MOST_BYTES + 1);
      try {
        const size = await orRefused(parts.runJobs.appendLog(job, start, content, debug === 'true'));
        return { status: 202, headers: { ...standing('running'), Range: `0-${size}` } };
      } catch (error) {
        if (!(error instanceof LogMismatch)) throw error;
        return { status: 416, headers: { ...standing(error.status), Range: `0-${error.size}` } };
      }
    },
  });

/** What runners ask and tell: they are known by their tokens alone. */
export const createRunnerProtocolRoutes = (parts: Parts): readonly Route[] => [
  registerRunner(),
  verifyRunner(parts),
  removeOwnRunner(parts),
  removeRunnerMachine(parts),
  resetOwnToken(parts),
  requestJob(parts),
  updateJob(parts),
  appendLog(parts),
];
