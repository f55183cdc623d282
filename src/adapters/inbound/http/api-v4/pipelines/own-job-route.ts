import { Type } from '@sinclair/typebox';
import type { JobTokens } from '../../../../../application/pipelines/job-tokens.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Guard, Route } from '../../route.js';
import { text } from '../../validation/parameters.js';
import { showJob, type CiJobRoutesParts } from './ci-job-routes.js';
import { CiJobSchema } from './ci-job-schema.js';
import { jobTokenOf } from './for-jobs-too.js';

interface Parts extends CiJobRoutesParts {
  readonly jobTokens: JobTokens;
}

interface OwnJob {
  readonly id: number;
  readonly project: Project;
}

const { get } = routesOf({ tag: 'Jobs' });

/** The job that a token is of, while it runs. */
const jobOfToken = ({ access, jobTokens }: Parts): Guard<OwnJob> => ({
  decide: async (context) => {
    const token = jobTokenOf(context);
    const reader = orNotFound(token === undefined ? undefined : await jobTokens.readerBy(token), 'Job');
    const { project } = await access.project(reader.actor, String(reader.projectId), 'read_pipelines');
    return { id: reader.jobId, project };
  },
});

/** What a job asks to find out which one it is. */
export const getOwnJob = (parts: Parts): Route =>
  get('/job', 'getOwnJob', {
    summary: 'The job whose token is sent',
    description: 'By the token of a job that runs alone, in `JOB-TOKEN` or as `job_token`. 404 for any other.',
    access: 'anyone',
    parameters: {
      job_token: Type.Optional(
        text(1_024, 'Of a job that runs, where it isn’t in the header `JOB-TOKEN`', { writeOnly: true }),
      ),
    },
    answer: CiJobSchema,
    guard: jobOfToken(parts),
    handle: ({ subject: { id, project } }) => showJob(parts, project, id),
  });
