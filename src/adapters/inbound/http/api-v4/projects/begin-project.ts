import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { BeginCode } from '../../../../../application/repositories/begin-code.js';
import type { MovingRepositories } from '../../../../../application/repositories/operations/move-refs-within.js';
import type { PermittedNamespace } from '../../../../../application/shared/permitted.js';
import type { CreateProjectCommand, Projects, ProjectsNeed } from '../../../../../application/workspace/projects.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { firstReadme } from '../../../../../domain/workspace/first-readme.js';
import { writerOf } from '../repository/code-writing.js';

export interface BeginProjectParts {
  readonly users: UserReader;
  readonly projects: Projects<ProjectsNeed & MovingRepositories>;
  readonly beginCode: BeginCode;
}

/** Makes a project, with a first commit of its creator where one is asked for. */
export const beginProject = async (
  { users, projects, beginCode }: BeginProjectParts,
  namespace: PermittedNamespace,
  command: CreateProjectCommand,
  withReadme: boolean,
): Promise<ProjectId> => {
  if (!withReadme) return projects.create(namespace, command);
  const { creatorId, name = command.path ?? '', description, defaultBranch } = command;
  const writer = await writerOf(users, { id: creatorId, admin: false });
  const file = { branch: defaultBranch, path: 'README.md', text: firstReadme({ name, description }) };
  return beginCode.execute(writer, file, (begin) => projects.create(namespace, command, begin));
};
