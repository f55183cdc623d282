import { checkCiConfigPath } from '../../domain/shared/ci-config-path.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import { checkTopics } from '../../domain/workspace/topics.js';
import { checkWorkspaceName, checkWorkspacePath } from '../../domain/workspace/naming.js';
import type { ProjectChanges } from './ports/workspace-repositories.js';

const MAX_DESCRIPTION = 2_000;
const MAX_BRANCH = 255;

/** @param before the path that it has already. @throws Invalid naming every problem. */
export const checkProject = ({ name, path, description, ...rest }: Partial<ProjectChanges>, before?: string): void => {
  const { defaultBranch, topics, ciConfigPath } = rest;
  const problems = new ProblemCollector();
  checkWorkspaceName(problems, name ?? '');
  checkWorkspacePath(problems, path ?? '', undefined, before);
  checkTopics(problems, topics ?? []);
  checkCiConfigPath(problems, ciConfigPath ?? null);
  problems
    .check(
      (description ?? '').length <= MAX_DESCRIPTION,
      'description',
      `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
    )
    .check(
      (defaultBranch ?? '').length <= MAX_BRANCH,
      'default_branch',
      `is too long (maximum is ${MAX_BRANCH} characters)`,
    );
  problems.refuse();
};
