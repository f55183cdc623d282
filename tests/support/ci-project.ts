import { pushesFollowed, TestRunner } from './ci-runner.js';
import type { Writing, WrittenProject } from './written-project.js';

export interface CiProject {
  readonly loom: WrittenProject;
  readonly runner: TestRunner;
  /** The pipeline that its first push made. */
  readonly pipeline: number;
}

/** A project with a CI file and a runner of its own. */
export const ciProjectWith = async (writing: Writing, text: string): Promise<CiProject> => {
  const loom = await writing.newProject();
  const runner = await TestRunner.make(writing.service, writing.ada, {
    ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
  });
  await loom.write('main', { '.gitlab-ci.yml': text });
  await pushesFollowed(writing.service);
  const [{ id: pipeline }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
  return { loom, runner, pipeline };
};
