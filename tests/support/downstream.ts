import { expect } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { CI_FILE, ciProjectOf, type CiProject } from './ci-project.js';
import { pushesFollowed } from './ci-runner.js';
import type { Writing, WrittenProject } from './written-project.js';

/** As much of a pipeline as tests look at. */
export interface ShownPipeline {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly ref: string;
  readonly sha: string;
  readonly source: string;
  readonly status: string;
}

/** The same of a job that starts one. */
export interface ShownBridge {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly failure_reason?: string;
  readonly user: { readonly username: string };
  readonly downstream_pipeline: ShownPipeline | null;
}

/** Lets the jobs of one project start pipelines of another one. */
export const letIn = async (target: WrittenProject, starter: WrittenProject): Promise<void> => {
  const { status } = await target.call('POST', '/job_token_scope/allowlist', { target_project_id: starter.id });
  expect(status).toBe(201);
};

/** A project with these files, whose jobs may start pipelines of the targets. */
export const upstreamOf = (
  writing: Writing,
  files: Readonly<Record<string, string>> | string,
  ...targets: readonly WrittenProject[]
): Promise<CiProject> =>
  ciProjectOf(writing, typeof files === 'string' ? { [CI_FILE]: files } : files, async (loom) => {
    for (const target of targets) await letIn(target, loom);
  });

export const pipelinesOf = async (loom: WrittenProject, query = ''): Promise<ShownPipeline[]> =>
  (await loom.call<ShownPipeline[]>('GET', `/pipelines${query}`)).body;

/** What jobs of any project started in this one: no parts of pipelines. */
export const startedIn = (loom: WrittenProject) => pipelinesOf(loom, '?source=pipeline');

export const bridgesOf = async (loom: WrittenProject, pipeline: number, user = loom.owner): Promise<ShownBridge[]> =>
  (await loom.call<ShownBridge[]>('GET', `/pipelines/${pipeline}/bridges`, undefined, user)).body;

/** Of a pipeline that has one. */
export const bridgeOf = async (loom: WrittenProject, pipeline: number): Promise<ShownBridge> => {
  const [bridge] = await bridgesOf(loom, pipeline);
  return bridge!;
};

export const statusOf = async (loom: WrittenProject, pipeline: number): Promise<string> =>
  (await loom.call<ShownPipeline>('GET', `/pipelines/${pipeline}`)).body.status;

/** Another run of its main branch, once all that follows from it is done. */
export const runOf = async (writing: Writing, loom: WrittenProject, user = loom.owner): Promise<number> => {
  const { status, body } = await loom.call<ShownPipeline>('POST', '/pipeline', { ref: 'main' }, user);
  expect(status).toBe(201);
  await pushesFollowed(writing.service);
  return body.id;
};

/**
 * A job that waits for somebody, as if its turn had come and nobody had been asked yet to start what it starts.
 * @returns starts it, as whoever is asked does.
 */
export const turnOf = async (writing: Writing, loom: WrittenProject, { id }: Pick<ShownBridge, 'id'>) => {
  const { container, database } = writing.service.service;
  await database.schema('commit_statuses').where({ id }).update({ status: 'pending' });
  const { startDownstream } = container.get(PIPELINE_TOKENS.pipelines);
  return () => startDownstream.start(loom.id, id);
};
