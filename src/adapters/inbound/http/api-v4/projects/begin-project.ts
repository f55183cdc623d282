import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { BeginCode } from '../../../../../application/repositories/begin-code.js';
import type { CodeImports, CodeImportsNeed } from '../../../../../application/repositories/code-imports.js';
import type { MovingRepositories } from '../../../../../application/repositories/operations/move-refs-within.js';
import type { PermittedNamespace } from '../../../../../application/shared/permitted.js';
import type { CreateProjectCommand, Projects, ProjectsNeed } from '../../../../../application/workspace/projects.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { firstReadme } from '../../../../../domain/workspace/first-readme.js';
import { writerOf } from '../repository/code-writing.js';

export interface BeginProjectParts {
  readonly users: UserReader;
  readonly projects: Projects<ProjectsNeed & MovingRepositories & CodeImportsNeed>;
  readonly beginCode: BeginCode;
  readonly codeImports: CodeImports;
}

/** What a project begins with. */
export interface FirstCode {
  readonly withReadme: boolean;
  /** The URL of a repository elsewhere, which may carry a user name and a password. */
  readonly importUrl: string | undefined;
}

/** Makes a project, with a first commit of its creator or code from elsewhere where either is asked for. @throws BadRequest for both. */
export const beginProject = async (
  { users, projects, beginCode, codeImports }: BeginProjectParts,
  namespace: PermittedNamespace,
  command: CreateProjectCommand,
  { withReadme, importUrl = '' }: FirstCode,
): Promise<ProjectId> => {
  if (importUrl !== '') {
    if (withReadme) throw new BadRequest('initialize_with_readme and import_url exclude each other');
    return projects.create(namespace, command, codeImports.from(importUrl, command.creatorId));
  }
  if (!withReadme) return projects.create(namespace, command);
  const { creatorId, name = command.path ?? '', description, defaultBranch } = command;
  const writer = await writerOf(users, { id: creatorId, admin: false });
  const file = { branch: defaultBranch, path: 'README.md', text: firstReadme({ name, description }) };
  return beginCode.execute(writer, file, (begin) => projects.create(namespace, command, begin));
};
