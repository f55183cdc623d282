import { pushesFollowed, TestRunner } from './ci-runner.js';
import type { Writing, WrittenProject } from './written-project.js';

export const CI_FILE = '.gitlab-ci.yml';

export interface CiProject {
  readonly loom: WrittenProject;
  readonly runner: TestRunner;
  /** The pipeline that its first push made. */
  readonly pipeline: number;
}

/** A runner that takes every job of a project. */
export const runnerOf = (writing: Writing, loom: WrittenProject): Promise<TestRunner> =>
  TestRunner.make(writing.service, writing.ada, {
    ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
  });

/** A project with files and a runner of its own. @param prepare what is done before the files are there. */
export const ciProjectOf = async (
  writing: Writing,
  files: Readonly<Record<string, string>>,
  prepare: (loom: WrittenProject) => Promise<void> = () => Promise.resolve(),
): Promise<CiProject> => {
  const loom = await writing.newProject();
  await prepare(loom);
  const runner = await runnerOf(writing, loom);
  await loom.write('main', files);
  await pushesFollowed(writing.service);
  const [{ id: pipeline }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
  return { loom, runner, pipeline };
};

/** One whose only file is its CI file. */
export const ciProjectWith = (writing: Writing, text: string): Promise<CiProject> =>
  ciProjectOf(writing, { [CI_FILE]: text });

/** The names of the jobs of the newest pipeline, or what is wrong with its file; none where there is no pipeline. */
export const jobsOfNewest = async (writing: Writing, loom: WrittenProject): Promise<readonly string[] | string> => {
  await pushesFollowed(writing.service);
  const [newest] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body;
  if (newest === undefined) return [];
  const { body } = await loom.call<{ yaml_errors: string | null }>('GET', `/pipelines/${newest.id}`);
  const jobs = await loom.call<{ name: string }[]>('GET', `/pipelines/${newest.id}/jobs`);
  return body.yaml_errors ?? jobs.body.map(({ name }) => name).sort();
};
